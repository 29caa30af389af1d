import { Budget } from "./budget.js";
import type { Channel, CloseReason, Room } from "./channel.js";
import type { Connection, ConnectionLimits, ConnectionOptions } from "./connection.js";
import type { Diagnostic } from "./diagnostic.js";
import { ConnectionClosedError, InvalidMessageError, RpcError } from "./errors.js";
import { withinGrace } from "./grace.js";
import { InboundCalls } from "./inbound-calls.js";
import { type Continued, type Lane, type LaneHost, SessionLane } from "./lane.js";
import type { NotificationMessage, RequestId, RequestMessage, ResponseMessage } from "./message.js";
import { OpenCalls } from "./open-calls.js";
import { PendingRequests, type RequestOptions } from "./pending-requests.js";
import { isResponse, requestError, respondError } from "./response.js";
import type { Route } from "./routes.js";
import { checkOutgoing, type StandardSchemaV1 } from "./standard-schema.js";

const DEFAULT_LIMITS: ConnectionLimits = {
  waitingMessages: 1_000,
  waitingBytes: 4 * 1024 * 1024,
  outgoingRequests: 10_000,
  incomingRequests: 10_000,
};

/** Entries of one array of messages: reading cannot stop between them. */
const MAX_BATCH = 1_000;

/** Multiple of the budget of waiting messages that may run beside earlier listeners. */
const OVERLAP = 10;

/** How many times that bound the bound may grow to, by itself every 2 s, while nothing else can go on. */
const MAX_OVERLAP = 10;

/** A listener that is found at two checks in a row is stuck: after 2 to 4 s. */
const CHECK_MS = 2_000;

/** Longest wait of `close` for listeners that were running when it was called. */
const CALLER_GRACE_MS = 250;

/** How long `closed` waits for listeners that do not come to an end. */
const LANE_GRACE_MS = 5_000;

/** {@link Connection} over any channel. */
export class ChannelConnection implements Connection {
  route: (method: string) => Route | undefined;
  readonly closed: Promise<CloseReason>;
  readonly #channel: Channel;
  readonly #options: ConnectionOptions;
  readonly #limits: ConnectionLimits;
  readonly #pending = new PendingRequests();
  readonly #inbound: InboundCalls;
  readonly #openCalls = new OpenCalls();
  /** Counts the messages that wait in lanes. */
  readonly #budget: Budget;
  /** Listeners that run beside earlier ones. */
  readonly #overlap: Budget;
  readonly #busyLanes = new Set<SessionLane>();
  readonly #laneHost: LaneHost;
  #waitingInLanes = 0;
  #watch: ReturnType<typeof setInterval> | undefined;
  /** Settles when every call was rejected; listeners may still have to finish. */
  readonly #ended: Promise<CloseReason>;
  #closing = false;
  #reason: CloseReason | undefined;

  constructor(channel: Channel, options: ConnectionOptions) {
    this.#channel = channel;
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.route = options.route ?? (() => undefined);
    this.#budget = new Budget(this.#limits, (full) => this.#onBudget(full));
    const { waitingMessages, waitingBytes } = this.#limits;
    const most = { waitingMessages: waitingMessages * OVERLAP, waitingBytes: waitingBytes * OVERLAP };
    this.#overlap = new Budget(most, () => this.#reconsiderLanes());
    this.#laneHost = {
      budget: this.#budget,
      overlap: this.#overlap,
      issued: () => this.#openCalls.issued,
      mayPass: (oldest, isUrgent) => this.#mayPass(oldest, isUrgent),
      onError: (error) => this.#report({ code: "listener_failed", message: "A listener failed.", error }),
      onWait: (change) => {
        this.#waitingInLanes += change;
        this.#watchLanes();
      },
      onStuck: (listener, sessionId) => this.#report(stuckReport(listener, sessionId, this.#budget.full)),
      onBusy: (lane) => this.#busyLanes.add(lane),
      onIdle: (lane) => this.#busyLanes.delete(lane),
    };
    this.#inbound = new InboundCalls({
      limits: this.#limits,
      route: (method) => this.route(method),
      send: (response) => channel.send(response),
      checkResult: (method, result) => this.#checkOutgoing(method, "result", result),
      report: (diagnostic) => this.#report(diagnostic),
    });
    this.#ended = channel.closed.then((reason) => this.#onClosed(reason));
    this.closed = this.#ended.then(async (reason) => {
      await this.#lanesSettled();
      return reason;
    });
    channel.start({
      message: (message, bytes) => this.#receive(message, bytes),
      noise: (sample) => this.#onNoise(sample),
    });
  }

  async request<R>(method: string, params: object, options: RequestOptions<R> = {}): Promise<R> {
    const { signal } = options;
    if (this.#reason !== undefined) throw new ConnectionClosedError(method, this.#reason);
    if (signal?.aborted) throw requestError.aborted(method, signal);
    if (this.#pending.size >= this.#limits.outgoingRequests) throw requestError.tooMany(method, this.#pending.size);
    this.#checkOutgoing(method, "params", params);
    const call = this.#openCalls.open();
    const { id, answer } = this.#pending.add<R>(method, options, () => {
      this.#openCalls.close(call);
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
    this.#reconsiderLanes();
    return answer;
  }

  notify(method: string, params: object): Room {
    if (this.#reason !== undefined) return undefined;
    this.#checkOutgoing(method, "params", params);
    const room = this.#channel.send({ jsonrpc: "2.0", method, params });
    if (room === undefined) return undefined;
    const over = this.#openCalls.openUntil(room);
    this.#reconsiderLanes();
    return over;
  }

  hold(): () => void {
    return this.#inbound.hold();
  }

  expectEnd(): () => void {
    const call = this.#openCalls.open();
    this.#reconsiderLanes();
    return () => this.#openCalls.close(call);
  }

  openLane(sessionId?: string): Lane {
    return new SessionLane(this.#laneHost, sessionId);
  }

  async close(): Promise<void> {
    this.#closing = true;
    // One of these listeners may be the caller, who cannot end before this has. It may still be in its first step.
    const running = Promise.resolve().then(() => Promise.all([...this.#busyLanes].map((lane) => lane.runningNow())));
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
      // An entry may have closed the connection: what follows it was never received then.
      if (this.#closing) return;
      if (Array.isArray(entry)) this.#refuse("a batch holds no batches");
      else this.#receive(entry, share);
    }
  }

  #onResponse(message: Partial<ResponseMessage>): void {
    if (!isResponse(message)) return this.#refuse("a message is a call or an answer");
    if (message.id !== undefined && this.#pending.settle(message as ResponseMessage)) return;
    this.#report({ code: "unknown_response", message: "An answer to no question of ours was dropped." });
  }

  #onCall(message: Partial<RequestMessage>, bytes: number): void {
    const { method, id } = message;
    if (message.jsonrpc !== "2.0" || typeof method !== "string") return this.#refuse("it is no JSON-RPC 2.0 call");
    const isId = isRequestId(id) && (id !== null || this.#options.nullIds?.() !== false);
    if ("id" in message && !isId)
      return this.#refuse(
        `an id is a string of at most ${MAX_ID_LENGTH} characters, or an integer of at most 1000 digits`,
      );
    if (method === "$/cancel_request" && !("id" in message)) this.#onCancel(message.params);
    else if (!("id" in message)) this.#inbound.notification(message as NotificationMessage, bytes);
    else if (this.#inbound.has(id as RequestId)) this.#refuse("an open request has this id already");
    else this.#inbound.request(message as RequestMessage, bytes);
  }

  #onCancel(params: unknown): void {
    const id = (params as { requestId?: unknown } | null | undefined)?.requestId;
    if (isRequestId(id)) this.#inbound.abort(id, RpcError.requestCancelled());
  }

  /** Answers what is no proper message, once, without an id (V1-RPC-14, V1-RPC-15). */
  #refuse(details: string): void {
    this.#report({ code: "invalid_message", message: `A message was refused: ${details}.` });
    this.#channel.send(respondError(null, RpcError.invalidRequest(details)));
  }

  #onNoise(sample: string): void {
    // A line that was cut in two may hold what a message held.
    const shown = looksLikeMessage.test(sample) ? "(a part of a message, not shown)" : JSON.stringify(sample);
    this.#report({ code: "noise", message: `The peer wrote a line that is no JSON: ${shown}` });
    if (this.#options.noise === "answer") this.#channel.send(respondError(null, RpcError.parseError("no JSON")));
  }

  #checkOutgoing(method: string, part: "params" | "result", value: unknown): void {
    const contract = this.#options.validateOutgoing?.();
    if (contract === undefined || !Object.hasOwn(contract, method)) return;
    const schema: StandardSchemaV1 | undefined = contract[method]?.[part];
    const checked = schema === undefined ? { value } : checkOutgoing(schema, value);
    if ("issues" in checked) throw new InvalidMessageError(method, part, checked.issues);
  }

  #onBudget(full: boolean): void {
    this.#watchLanes();
    if (!full) return this.#channel.resume();
    this.#channel.pause();
    this.#reconsiderLanes();
  }

  #mayPass({ since, isStuck }: { since: number; isStuck: boolean }, isUrgent: boolean): boolean {
    if (!(isUrgent || this.#budget.full) || this.#overlap.full) return false;
    return isStuck || this.#openCalls.anyAfter(since);
  }

  /** A listener that may wait for the peer must not be what reading, or a handler of the peer's request, waits for. */
  #reconsiderLanes(): void {
    if (!this.#standsStill) return;
    for (const lane of this.#busyLanes) lane.reconsider();
  }

  /** True while reading, or a handler, waits for listeners. */
  get #standsStill(): boolean {
    return this.#budget.full || this.#waitingInLanes > 0;
  }

  /** Checks the lanes from time to time as long as something waits for listeners. */
  #watchLanes(): void {
    if (!this.#standsStill || this.#reason !== undefined) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    } else {
      this.#watch ??= setInterval(() => {
        for (const lane of this.#busyLanes) lane.check(this.#budget.full);
        // What would end them may be behind what waits.
        if (this.#overlap.full) this.#overlap.widen(MAX_OVERLAP);
      }, CHECK_MS);
    }
  }

  #onClosed(reason: CloseReason): CloseReason {
    this.#reason = reason;
    this.#watchLanes();
    this.#pending.failAll((method) => new ConnectionClosedError(method, reason));
    this.#inbound.abortAll(new ConnectionClosedError("The call ended", reason));
    return reason;
  }

  async #lanesSettled(): Promise<void> {
    const settled = Promise.all([...this.#busyLanes].map((lane) => lane.settled()));
    if (await withinGrace(settled, LANE_GRACE_MS)) return;
    for (const { oldest, sessionId } of this.#busyLanes) {
      const message = `${listenerText(oldest, sessionId)} still runs ${LANE_GRACE_MS / 1_000} s after the connection closed.`;
      this.#report({ code: "listener_stuck", message, ...(sessionId !== undefined && { sessionId }) });
    }
  }

  #report(diagnostic: Diagnostic): void {
    try {
      this.#options.onDiagnostic?.(diagnostic);
    } catch {
      // A broken hook must not break the connection that it watches.
    }
  }
}

/** The start of an object, or a member of one: logs for people hardly have them, broken messages do. */
const looksLikeMessage = /\{\s*"|"\s*:/;

function stuckReport(stuck: Continued, sessionId: string | undefined, isFull: boolean): Diagnostic {
  const event = stuck.on?.type ?? "an event";
  const effect = isFull
    ? "Reading has stopped meanwhile"
    : "A request of the peer or the end of a turn waits behind it";
  const listener = listenerText(stuck, sessionId);
  const message = `${listener} has been handling ${event} for at least 2 s. ${effect}. Later events now start beside it.`;
  return { code: "listener_stuck", message, ...(sessionId !== undefined && { sessionId }) };
}

function listenerText(listener: Continued | undefined, sessionId: string | undefined): string {
  const name = listener?.by?.name;
  return `${name ? `Listener ${name}` : "A listener"}${sessionId === undefined ? "" : ` of session ${sessionId}`}`;
}

/** A longer id is refused: it comes back with the answer, and would fill it. */
const MAX_ID_LENGTH = 65_536;
const MAX_ID = 10n ** 1_000n;

function isRequestId(id: unknown): id is RequestId {
  if (typeof id === "string") return id.length <= MAX_ID_LENGTH;
  if (typeof id === "bigint") return id < MAX_ID && id > -MAX_ID;
  return id === null || Number.isInteger(id);
}
