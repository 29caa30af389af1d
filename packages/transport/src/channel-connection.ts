import {
  type Channel,
  type CloseReason,
  MAX_ID_DIGITS,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
  type Room,
} from "./channel.js";
import { checkChannel } from "./check-argument.js";
import { checkMembers, checkOptions, type OptionTypes } from "./check-options.js";
import type { Connection, ConnectionLimits, ConnectionOptions, Diagnostic } from "./connection.js";
import {
  AcpError,
  ConnectionClosedError,
  InvalidMessageError,
  RequestAbortedError,
  RpcError,
  respondError,
} from "./errors.js";
import { InboundCalls } from "./inbound-calls.js";
import type { Lane } from "./lane.js";
import { Lanes } from "./lanes.js";
import { lostValue } from "./lost-values.js";
import { PendingRequests, type RequestOptions } from "./pending-requests.js";
import { reporter } from "./reporter.js";
import type { Route } from "./routes.js";
import { checkOutgoing } from "./standard-schema.js";
import { MAX_METHOD, reportUnhandledNotification } from "./unhandled.js";
import { withinGrace } from "./waiting.js";

const DEFAULT_LIMITS: ConnectionLimits = {
  waitingMessages: 1_000,
  waitingBytes: 4 * 1024 * 1024,
  outgoingRequests: 10_000,
  incomingRequests: 10_000,
};

/** Maximum number of messages in one array. Reading cannot stop between the messages of an array. */
const MAX_BATCH = 1_000;

/** Longest time that `close` waits for listeners that ran at the call of `close`, in milliseconds. */
const CALLER_GRACE_MS = 250;

/** Opens a connection over a channel. Handling of messages begins immediately. */
export function createConnection(channel: Channel, options: ConnectionOptions = {}): Connection {
  checkChannel("createConnection", channel);
  const { limits = {}, onDiagnostic } = options;
  const unknown = (message: string) => reporter(onDiagnostic)({ code: "unused_option", message });
  checkOptions("createConnection", options, OPTIONS, { unknown });
  // Agents and clients also pass the bounds of their states.
  checkMembers("limits", limits, "number");
  return new ChannelConnection(channel, options);
}

const OPTIONS: OptionTypes<ConnectionOptions> = {
  ...{ route: "function", invalidLines: ["report", "answer"], batches: ["refuse", "unpack"], nullIds: "function" },
  ...{
    customMethods: "any",
    notifications: "any",
    limits: "any",
    validateOutgoing: "function",
    onDiagnostic: "function",
  },
};

class ChannelConnection implements Connection {
  route: (method: string) => Route | undefined;
  readonly closed: Promise<CloseReason>;
  readonly #channel: Channel;
  readonly #options: ConnectionOptions;
  readonly #limits: ConnectionLimits;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #pending = new PendingRequests();
  readonly #inbound: InboundCalls;
  readonly #lanes: Lanes;
  /** Settles when all open calls are rejected. Listeners may still be running. */
  readonly #ended: Promise<CloseReason>;
  #closing = false;
  #reason: CloseReason | undefined;

  constructor(channel: Channel, options: ConnectionOptions) {
    this.#channel = channel;
    this.#options = options;
    const given = Object.entries(options.limits ?? {}).filter(([, bound]) => bound !== undefined);
    this.#limits = { ...DEFAULT_LIMITS, ...Object.fromEntries(given) };
    this.route = options.route ?? (() => undefined);
    this.#report = reporter(options.onDiagnostic);
    this.#lanes = new Lanes(channel, this.#limits, this.#report);
    this.#inbound = new InboundCalls({
      limits: this.#limits,
      unhandled: (method) => reportUnhandledNotification(method, options, this.#report),
      route: (method) => this.route(method),
      send: (response) => channel.send(response),
      checkResult: (method, result) => {
        this.#checkOutgoing(method, "result", result);
        if (method.startsWith("_")) this.#reportLost(method, result);
      },
      report: this.#report,
    });
    this.#ended = channel.closed.then((reason) => this.#onClosed(reason));
    this.closed = this.#ended.then(async (reason) => {
      await this.#lanes.closed();
      return reason;
    });
    channel.start({
      message: (message, bytes) => this.#receive(message, bytes),
      invalidLine: (sample, excess) => this.#onInvalidLine(sample, excess),
    });
  }

  #reportLost(method: string, result: unknown): void {
    for (const message of lostValue(`result of ${method.slice(0, MAX_METHOD)}`, result)) {
      this.#report({ code: "handler_failed", method, message });
    }
  }

  async request<R>(method: string, params: object, options: RequestOptions<R> = {}): Promise<R> {
    const { signal } = options;
    if (this.#reason !== undefined) throw new ConnectionClosedError(method, this.#reason);
    if (signal?.aborted) throw new RequestAbortedError(method, signal.reason);
    const open = this.#pending.size;
    if (open >= this.#limits.outgoingRequests) {
      const text = `${method} was not sent: ${open} requests are open. Wait for some to end.`;
      throw new AcpError("too_many_requests", text);
    }
    this.#checkOutgoing(method, "params", params);
    const call = this.#lanes.calls.open();
    const { id, answer } = this.#pending.add<R>(method, options, () => {
      this.#lanes.calls.close(call);
      signal?.removeEventListener("abort", onAbort);
    });
    const onAbort = () => {
      this.notify("$/cancel_request", { requestId: id });
      if (options.onAbort === "abandon") this.#pending.abandon(id);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      this.#channel.send({ jsonrpc: "2.0", id, method, params });
    } catch (error) {
      this.#pending.fail(id, error);
    }
    this.#lanes.reconsider();
    return answer;
  }

  notify(method: string, params: object): Room {
    if (this.#reason !== undefined) return undefined;
    this.#checkOutgoing(method, "params", params);
    const room = this.#channel.send({ jsonrpc: "2.0", method, params });
    if (room === undefined) return undefined;
    const over = this.#lanes.calls.openUntil(room);
    this.#lanes.reconsider();
    return over;
  }

  hold(except?: string): () => void {
    return this.#inbound.hold(except);
  }

  expectEnd(): () => void {
    const call = this.#lanes.calls.open();
    this.#lanes.reconsider();
    return () => this.#lanes.calls.close(call);
  }

  openLane(sessionId?: string): Lane {
    return this.#lanes.open(sessionId);
  }

  async close(): Promise<void> {
    this.#closing = true;
    // One of these listeners may have called `close` and wait for it. A listener is registered after its first
    // synchronous step, so a microtask reads the running listeners.
    const running = Promise.resolve().then(() => this.#lanes.runningNow());
    this.#inbound.cancelAll(RpcError.requestCancelled());
    await this.#channel.close();
    await this.#ended;
    if (await withinGrace(running, CALLER_GRACE_MS)) await this.closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #receive(message: unknown, bytes: number): void {
    if (Array.isArray(message)) {
      this.#onBatch(message, bytes);
    } else if (typeof message !== "object" || message === null) {
      this.#refuse("a message is an object");
    } else if (!("method" in message)) {
      this.#onResponse(message as Partial<ResponseMessage>);
    } else {
      this.#onCall(message as Partial<RequestMessage>, bytes);
    }
  }

  #onBatch(entries: readonly unknown[], bytes: number): void {
    if (this.#options.batches !== "unpack") return this.#refuse("batches are not supported");
    if (entries.length === 0 || entries.length > MAX_BATCH) {
      return this.#refuse(`a batch holds 1 to ${MAX_BATCH} messages`);
    }
    const share = Math.ceil(bytes / entries.length);
    for (const entry of entries) {
      // An entry may have closed the connection. The entries after it then count as not received.
      if (this.#closing) return;
      if (Array.isArray(entry)) this.#refuse("a batch holds no batches");
      else this.#receive(entry, share);
    }
  }

  #onResponse(message: Partial<ResponseMessage>): void {
    // Answers are never answered (V1-RPC-14), so every message that resembles an answer is dropped.
    const isAnswer = "id" in message || "result" in message || "error" in message;
    if (!isAnswer) return this.#refuse("a message is a call or an answer");
    if (message.id !== undefined && this.#pending.settle(message as ResponseMessage)) return;
    this.#report({ code: "unknown_response", message: "An answer to no question of ours was dropped." });
  }

  #onCall(message: Partial<RequestMessage>, bytes: number): void {
    const { method, id } = message;
    if (message.jsonrpc !== "2.0" || typeof method !== "string") return this.#refuse("it is not a JSON-RPC 2.0 call");
    const isId = isRequestId(id) && (id !== null || this.#options.nullIds?.() !== false);
    if ("id" in message && !isId)
      return this.#refuse(
        `an id is a string of at most ${MAX_ID_LENGTH} characters, or an integer of at most ${MAX_ID_DIGITS} digits`,
      );
    if (method === "$/cancel_request" && !("id" in message)) this.#onCancel(message.params);
    else if ("id" in message && this.#inbound.has(id as RequestId)) this.#refuse("an open request has this id already");
    else this.#inbound.handle(message as RequestMessage, bytes);
  }

  #onCancel(params: unknown): void {
    const id = (params as { requestId?: unknown } | null | undefined)?.requestId;
    if (isRequestId(id)) this.#inbound.abort(id, RpcError.requestCancelled());
  }

  /** Reports an invalid message. Sends one error answer without an id. */
  // V1-RPC-14, V1-RPC-15
  #refuse(details: string): void {
    this.#report({ code: "invalid_message", message: `A message was refused: ${details}.` });
    this.#channel.send(respondError(null, RpcError.invalidRequest(details)));
  }

  #onInvalidLine(sample: string, excess?: string): void {
    // A line that was cut in two may contain a part of a message.
    const shown = looksLikeMessage.test(sample) ? "(a part of a message, not shown)" : JSON.stringify(sample);
    const fault =
      excess === undefined ? "wrote a line that is not JSON:" : `wrote a line that was not parsed: ${excess}.`;
    this.#report({ code: "invalid_line", message: `The peer ${fault} ${shown}` });
    if (this.#options.invalidLines === "answer")
      this.#channel.send(respondError(null, RpcError.parseError(excess ?? "no JSON")));
  }

  #checkOutgoing(method: string, part: "params" | "result", value: unknown): void {
    const contract = this.#options.validateOutgoing?.();
    if (contract === undefined || !Object.hasOwn(contract, method)) return;
    const schema = contract[method]?.[part];
    const checked = schema === undefined ? { value } : checkOutgoing(schema, value);
    if ("issues" in checked) throw new InvalidMessageError(method, part, checked.issues);
  }

  #onClosed(reason: CloseReason): CloseReason {
    this.#reason = reason;
    this.#pending.failAll((method) => new ConnectionClosedError(method, reason));
    this.#inbound.abortAll(new ConnectionClosedError("The call ended", reason));
    return reason;
  }
}

/**
 * Pattern for the start of an object or of a member. Both are frequent in broken messages and rare in lines of a log.
 */
const looksLikeMessage = /\{\s*"|"\s*:/;

/** Maximum length of an id, in characters. The answer repeats the id, so a longer id could fill the answer. */
const MAX_ID_LENGTH = 65_536;
const MAX_ID = 10n ** BigInt(MAX_ID_DIGITS);

function isRequestId(id: unknown): id is RequestId {
  if (typeof id === "string") return id.length <= MAX_ID_LENGTH;
  if (typeof id === "bigint") return id < MAX_ID && id > -MAX_ID;
  return id === null || Number.isInteger(id);
}
