import { type CloseReason, type Message, type RequestId, type Room, textOf, withinGrace } from "@turnkit/transport";
import { headerName } from "../../wire/headers.js";
import { isInitialize, isRestore } from "../../wire/session-scope.js";
import { Deadline } from "../deadline.js";
import { agreedIn, askResumption } from "../hello.js";
import { Outbox, type Outgoing } from "../outbox.js";
import type { Inbox, Link } from "../remote-channel.js";
import type { Secrets } from "../secrets.js";
import { CLOSE_MS, createBackoff, INITIALIZE_MS, RESTORE_ADVICE, type Settings } from "../settings.js";
import { initialize } from "./initialize.js";
import { Lane, type Posting } from "./lane.js";
import { type CallFailure, isOpening, OpenCalls } from "./open-calls.js";
import { Poster } from "./poster.js";
import { faultText, isConnectionOver, isGone, type Refusal, Requests, refusalText } from "./requests.js";
import { sessionLimit } from "./session-limit.js";
import { Streams } from "./streams.js";

/** Connection over HTTP: each message to the server is a POST, and its messages arrive on event streams. */
export class HttpLink implements Link {
  readonly #inbox: Inbox;
  readonly #settings: Settings;
  readonly #requests: Requests;
  readonly #calls: OpenCalls;
  readonly #streams: Streams;
  readonly #poster: Poster;
  readonly #outbox: Outbox;
  readonly #lanes = new Map<string | undefined, Lane>();
  readonly #over = new AbortController();
  #hasBegun = false;
  #isConnected = false;
  #connect = () => {};
  readonly #connected = new Promise<void>((resolve) => {
    this.#connect = resolve;
  });

  constructor(url: URL, settings: Settings, inbox: Inbox) {
    this.#inbox = inbox;
    this.#settings = settings;
    this.#requests = new Requests(url, settings.options, settings.secrets);
    this.#calls = new OpenCalls(inbox);
    this.#outbox = new Outbox((reason) => this.#lose(reason));
    this.#poster = new Poster(this.#requests, this.#over.signal, settings.limits.silenceMs);
    this.#streams = new Streams({
      requests: this.#requests,
      calls: this.#calls,
      inbox,
      settings,
      limit: () => sessionLimit(url, settings.options),
      lose: (reason) => this.#lose(reason),
    });
  }

  send(message: Message): Room {
    if (this.#over.signal.aborted) return undefined;
    const begins = !this.#isConnected && isInitialize(message);
    const asked = begins && this.#settings.asksResumption ? askResumption(message) : message;
    const outgoing = this.#outbox.add(asked);
    if (outgoing === undefined) return undefined;
    if (begins) void this.#begin(outgoing, message.id);
    else if (this.#hasBegun) this.#queue(outgoing);
    else this.#lose({ kind: "failed", message: "The first message was not initialize. Send initialize first." });
    return this.#outbox.room();
  }

  async close(hasTime: boolean): Promise<void> {
    if (hasTime && this.#isConnected && !this.#settings.status.isCut) await withinGrace(this.#idle(), CLOSE_MS);
    this.#stop();
    await this.#leave();
  }

  async #begin(outgoing: Outgoing, id: RequestId): Promise<void> {
    this.#hasBegun = true;
    const deadline = new Deadline(this.#over.signal, INITIALIZE_MS);
    try {
      // An earlier `initialize` that was refused may have left a connection.
      void this.#leave();
      const { signal } = deadline;
      const { connectionId, answer, bytes } = await initialize(this.#requests, { id, text: outgoing.text }, signal);
      this.#requests.fixed = { [headerName.connectionId]: connectionId };
      if ("result" in answer) this.#open(connectionId, answer.result);
      this.#inbox.deliver(answer, bytes);
    } catch (cause) {
      this.#lose({ kind: "failed", message: `initialize failed: ${faultText(cause)}.`, cause });
    } finally {
      deadline.end();
      this.#outbox.done(outgoing);
    }
  }

  #open(connectionId: string, result: unknown): void {
    const { isResumable, isPacked, version } = agreedIn(result);
    // REM-26
    this.#requests.fixed = { [headerName.connectionId]: connectionId, [headerName.protocolVersion]: version };
    if (isResumable && this.#settings.asksResumption) {
      this.#streams.isResumable = true;
      this.#streams.isPacked = isPacked;
      this.#poster.repeat(createBackoff(this.#settings));
    }
    this.#streams.open();
    this.#isConnected = true;
    this.#connect();
    this.#settings.status.connected();
  }

  #queue(outgoing: Outgoing): void {
    const { message } = outgoing;
    const sessionId = this.#calls.sent(message);
    // The cancel of a request is sent after the request.
    const cancelled = "method" in message && message.method === "$/cancel_request" ? requestIdOf(message) : undefined;
    const key = cancelled === undefined ? sessionId : this.#calls.sessionOf(cancelled);
    const lane = this.#lanes.get(key) ?? new Lane((posting) => this.#post(posting));
    this.#lanes.set(key, lane);
    lane.push({ ...outgoing, sessionId });
    void lane.idle.then(() => lane.isIdle && this.#lanes.delete(key));
  }

  /** Sends one message when its stream is open. */
  async #post(posting: Posting): Promise<void> {
    const { message, sessionId, text } = posting;
    try {
      await this.#connected;
      if (this.#over.signal.aborted || this.#isRefused(posting)) return;
      const closed = await this.#streams.ready(sessionId).then(() => undefined, textOf);
      if (this.#over.signal.aborted || this.#isRefused(posting)) return;
      if (closed !== undefined) return this.#failed(posting, { message: `${nameOf(message)} was not sent: ${closed}` });
      const refusal = await this.#poster.post(text, sessionId);
      if (refusal !== undefined) this.#refused(posting, refusal);
    } catch (cause) {
      const what = `${nameOf(message)} may not have arrived: ${faultText(cause)}`;
      this.#lose({ kind: "failed", message: `${what}. ${RESTORE_ADVICE}.`, cause });
    } finally {
      this.#outbox.done(posting);
    }
  }

  /** Refuses a message of a failed session, or of a session above the maximum. */
  #isRefused({ message, sessionId }: Posting): boolean {
    const method = "method" in message ? message.method : "";
    if (sessionId !== undefined && isRestore(method)) this.#streams.restoring(sessionId);
    const failed = sessionId === undefined ? undefined : this.#streams.failure(sessionId);
    const opens = isOpening(method);
    const full =
      sessionId === undefined && !opens
        ? undefined
        : this.#streams.refusal(opens ? undefined : sessionId, opens ? idOf(message) : undefined);
    const failure =
      failed ?? (full === undefined ? undefined : { message: `${nameOf(message)} was not sent: ${full}` });
    if (failure === undefined) return false;
    if ("method" in message && "id" in message) this.#calls.fail(message.id, failure);
    else {
      const what = `${nameOf(message)} was not sent, because its session failed: ${failure.message}`;
      this.#settings.report({ code: "dropped", message: what, method, sessionId });
    }
    return true;
  }

  // REM-33
  #refused({ message, sessionId }: Posting, refusal: Refusal): void {
    const what = `${nameOf(message)} was refused: ${refusalText(refusal)}.`;
    const failure = {
      message: what,
      data: { status: refusal.status, body: jsonOrText(refusal.body, this.#settings.secrets) },
    };
    if (refusal.status === 409 && sessionId !== undefined) this.#streams.failSession(sessionId, failure);
    else if (isGone(refusal.status)) this.#lose({ kind: "failed", message: `${what} ${RESTORE_ADVICE}.` });
    else if (isConnectionOver(refusal.status)) this.#lose({ kind: "failed", message: what });
    else this.#failed({ message }, failure);
  }

  /** Answers a request with an error. For other messages the connection is lost, because nobody waits for them. */
  #failed({ message }: { readonly message: Message }, failure: CallFailure): void {
    if ("method" in message && "id" in message) this.#calls.fail(message.id, failure);
    else this.#lose({ kind: "failed", message: failure.message });
  }

  #lose(reason: CloseReason): void {
    this.#stop();
    this.#inbox.end(this.#settings.secrets.cleanReason(reason));
  }

  #stop(): void {
    this.#over.abort();
    this.#streams.close();
    this.#connect();
    this.#outbox.open();
  }

  /** Sends the end of the connection to the server. */
  async #leave(): Promise<void> {
    const { [headerName.connectionId]: connectionId } = this.#requests.fixed;
    if (connectionId === undefined) return;
    const deleting = this.#requests.delete(AbortSignal.timeout(CLOSE_MS));
    this.#requests.fixed = {};
    await deleting.then(({ body }) => body?.cancel()).catch(() => {});
  }

  async #idle(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all([...this.#lanes.values()].map(({ idle }) => idle));
  }
}

const idOf = (message: Message): RequestId | undefined => ("id" in message ? message.id : undefined);

const nameOf = (message: Message): string => ("method" in message ? message.method : "An answer");

function requestIdOf({ params }: { readonly params?: unknown }): RequestId | undefined {
  return (params as { readonly requestId?: RequestId } | null | undefined)?.requestId;
}

/** Parses a body. Then removes secrets from its texts, because escapes of JSON may have hidden them before. */
function jsonOrText(text: string, secrets: Secrets): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? secrets.clean(value) : value));
  } catch {
    return text;
  }
}
