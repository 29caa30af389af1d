import {
  asSentence,
  type Channel,
  type CloseReason,
  type Message,
  type RequestId,
  type Room,
  textOf,
} from "@turnkit/transport";
import { isInitialize } from "../../wire/session-scope.js";
import type { Backoff } from "../backoff.js";
import { Position, takeCursor } from "../cursor.js";
import { Deadline } from "../deadline.js";
import { agreedIn, askResumption } from "../hello.js";
import { Outbox, type Outgoing } from "../outbox.js";
import { type Inbox, type Link, RemoteChannel } from "../remote-channel.js";
import { createBackoff, INITIALIZE_MS, isBrowser, RESTORE_ADVICE, type Settings } from "../settings.js";
import { type OpenSocket, openSocket } from "./open-socket.js";
import { resume } from "./resume.js";
import { Silence } from "./silence.js";
import { copyOf, Unconfirmed } from "./unconfirmed.js";

/** Close codes after which a connection may continue: the server or a proxy went away, or the network failed. */
// REM-43
const passing: ReadonlySet<number> = new Set([1001, 1005, 1006, 1011, 1012, 1013, 1014]);

/** Refusals of an upgrade that are final. Only the library `ws` shows the status. */
const finalRefusal = /Unexpected server response: (401|403|404|410)/;

/** Connection over WebSockets: one after the other, if the server offers resumption. */
export class SocketLink implements Link {
  readonly #url: URL;
  readonly #settings: Settings;
  readonly #inbox: Inbox;
  readonly #outbox: Outbox;
  readonly #backoff: Backoff;
  readonly #position = new Position();
  readonly #over = new AbortController();
  /** Messages that wait for the next WebSocket. */
  #waiting: Outgoing[] = [];
  /** Absent on a connection that is not resumable. */
  #unconfirmed: Unconfirmed | undefined;
  #channel: Channel | undefined;
  #connectionId: string | undefined;
  #silence: Silence | undefined;
  #hello: { readonly id: RequestId; readonly deadline: Deadline } | undefined;
  #wasRefused = false;
  #isPacked = false;

  /**
   * Opens a channel over a WebSocket.
   *
   * @throws ConnectionClosedError if the WebSocket cannot be opened
   */
  static async open(url: URL, settings: Settings, lost: (reason: CloseReason) => void): Promise<Channel> {
    const socket = await openSocket(url, settings);
    if (isBrowser() && settings.options.headers !== undefined) {
      const message =
        "The option headers of openRemote is not used: a browser sets no headers of a WebSocket. Pass token.";
      settings.report({ code: "unused_option", message });
    }
    return new RemoteChannel((inbox) => {
      const link = new SocketLink(url, settings, inbox);
      link.#use(socket);
      return link;
    }, lost);
  }

  private constructor(url: URL, settings: Settings, inbox: Inbox) {
    this.#url = url;
    this.#settings = settings;
    this.#inbox = inbox;
    this.#outbox = new Outbox((reason) => this.#lose(reason));
    this.#backoff = createBackoff(settings);
    if (settings.asksResumption) this.#unconfirmed = new Unconfirmed();
  }

  send(message: Message): Room {
    if (this.#over.signal.aborted) return undefined;
    const begins = this.#connectionId === undefined && isInitialize(message);
    if (begins) this.#begin(message.id);
    const asked = begins && this.#settings.asksResumption ? askResumption(message) : message;
    if (this.#channel !== undefined && this.#unconfirmed === undefined) return this.#channel.send(asked);
    const outgoing = this.#outbox.add(asked);
    if (outgoing === undefined) return undefined;
    if (this.#channel !== undefined) return this.#sendNow(this.#channel, outgoing);
    this.#waiting.push(outgoing);
    return this.#outbox.room();
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#channel?.close();
  }

  #sendNow(channel: Channel, outgoing: Outgoing): Room {
    this.#outbox.done(outgoing);
    const room = channel.send(outgoing.message);
    this.#unconfirmed?.push(outgoing);
    return room;
  }

  #begin(id: RequestId): void {
    const deadline = new Deadline(this.#over.signal, INITIALIZE_MS);
    const reason: CloseReason = { kind: "failed", message: `initialize had no answer within ${INITIALIZE_MS} ms.` };
    deadline.signal.addEventListener("abort", () => this.#lose(reason));
    this.#hello = { id, deadline };
    if (this.#wasRefused) void this.#replace();
  }

  /** Opens another WebSocket for another `initialize`, because a server accepts only one on each WebSocket. */
  // REM-25
  async #replace(): Promise<void> {
    const refused = this.#channel;
    this.#channel = undefined;
    this.#wasRefused = false;
    if (this.#settings.asksResumption) this.#unconfirmed = new Unconfirmed();
    void refused?.close();
    try {
      const socket = await this.#openSocket();
      this.#use(socket);
      for (const outgoing of this.#waiting.splice(0)) this.#sendNow(socket.channel, outgoing);
    } catch (cause) {
      this.#lose({ kind: "failed", message: textOf(cause), cause });
    }
  }

  #openSocket(): Promise<OpenSocket> {
    return openSocket(this.#url, this.#settings, this.#connectionId);
  }

  /** Takes an open WebSocket into use, and receives what arrives on it. */
  #use(socket: OpenSocket): void {
    this.#watch(socket);
    socket.channel.start({
      message: (message, bytes) => this.#receive(message, { bytes, socket }),
      invalidLine: (sample, excess) => this.#invalid(sample, excess),
    });
  }

  #watch(socket: OpenSocket): void {
    const { channel, closeCode } = socket;
    this.#channel = channel;
    const silence = new Silence(socket, this.#over.signal, this.#settings.limits.silenceMs);
    this.#silence = silence;
    void channel.closed.then((reason) => {
      silence.end();
      if (this.#channel !== channel || this.#over.signal.aborted) return;
      this.#channel = undefined;
      // A frame beyond the bounds would arrive again.
      const mayRepair = this.#unconfirmed !== undefined && reason.kind !== "frame";
      const isRepairable = mayRepair && this.#connectionId !== undefined;
      if (isRepairable && passing.has(closeCode())) void this.#reconnect(reason);
      else this.#lose(reason);
    });
  }

  #receive(message: unknown, { bytes, socket }: { readonly bytes: number; readonly socket: OpenSocket }): void {
    const cursor = takeCursor(message);
    if (cursor !== undefined && !this.#position.moveTo(cursor)) return;
    this.#backoff.progress();
    const { id, method } = (message ?? {}) as { readonly id?: RequestId; readonly method?: unknown };
    if (id !== undefined && method === undefined) {
      this.#unconfirmed?.confirm(id);
      if (id === this.#hello?.id) this.#agree(message as object, socket);
    }
    const room = this.#inbox.deliver(message, bytes);
    if (room === undefined) return;
    socket.channel.pause();
    void room.then(() => socket.channel.resume());
  }

  #agree(answer: object, socket: OpenSocket): void {
    this.#hello?.deadline.end();
    this.#hello = undefined;
    this.#wasRefused = !("result" in answer);
    if (this.#wasRefused) return;
    const { isResumable, isPacked, connectionId } = agreedIn((answer as { readonly result: unknown }).result);
    this.#connectionId = socket.connectionId ?? connectionId;
    this.#isPacked = isPacked && isResumable && this.#settings.asksResumption;
    if (this.#isPacked) socket.unpack();
    if (!isResumable || this.#connectionId === undefined) this.#unconfirmed = undefined;
    else this.#silence?.begin();
    this.#settings.status.connected();
  }

  async #reconnect({ message }: CloseReason): Promise<void> {
    let cut = message;
    while (await this.#backoff.next(cut, this.#over.signal)) {
      try {
        const outcome = await this.#resume(await this.#openSocket());
        if (outcome === undefined) return;
        if ("refusal" in outcome) return this.#fail(`The connection was not resumed (${outcome.refusal}).`);
        cut = outcome.cut.message;
      } catch (cause) {
        cut = textOf(cause);
        if (finalRefusal.test(cut)) break;
      }
    }
    this.#fail(`${asSentence(cut)} No attempt to reconnect succeeded.`);
  }

  async #resume(socket: OpenSocket): ReturnType<typeof resume> {
    const { cursor } = this.#position;
    if (this.#isPacked) socket.unpack();
    const params = { connectionId: this.#connectionId ?? "", streams: cursor === undefined ? [] : [{ cursor }] };
    return resume(socket.channel, params, {
      live: (received) => this.#continue(socket, received),
      message: (message, bytes) => this.#receive(message, { bytes, socket }),
      invalid: (sample, excess) => this.#invalid(sample, excess),
      clean: (text, most) => this.#settings.secrets.start(text, most),
    });
  }

  /** Sends the messages again that the server has not received, and then the waiting messages. */
  #continue(socket: OpenSocket, received: number): void {
    const waiting = this.#waiting.splice(0);
    for (const outgoing of waiting) this.#outbox.done(outgoing);
    const again = this.#unconfirmed?.take(received, waiting);
    if (again === undefined) return this.#fail(`The server received ${received} messages, which cannot be continued.`);
    this.#watch(socket);
    this.#silence?.begin();
    this.#backoff.opened();
    for (const outgoing of again) {
      socket.channel.send(copyOf(outgoing));
      this.#unconfirmed?.push(outgoing);
    }
  }

  #invalid(sample: string, excess?: string): void {
    this.#inbox.invalid(this.#settings.secrets.clean(sample), excess);
  }

  #fail(what: string): void {
    this.#lose({ kind: "failed", message: `${what} ${RESTORE_ADVICE}.` });
  }

  #lose(reason: CloseReason): void {
    if (this.#over.signal.aborted) return;
    this.#stop();
    this.#inbox.end(this.#settings.secrets.cleanReason(reason));
  }

  #stop(): void {
    this.#over.abort();
    this.#hello?.deadline.end();
    this.#outbox.open();
  }
}
