import type { Channel, CloseReason, Message, Receiver, Room } from "../channel.js";
import { checkArgument } from "../check-argument.js";
import { asSentence, FrameError } from "../errors.js";
import { PendingRoom } from "../waiting.js";
import { Closing, FLUSH_MS, failedReason } from "./closing.js";
import { Delivery } from "./delivery.js";
import {
  allLimits,
  type ChannelLimits,
  checkLimits,
  checkSize,
  isSurelyWithin,
  overflowReason,
  unsentLimit,
} from "./message-size.js";
import { serialise } from "./ndjson.js";
import { soleChannel } from "./sole-channel.js";
import { type Split, TextQueue } from "./text-queue.js";

const encoder = new TextEncoder();

/**
 * Members of a WebSocket that a channel uses. The WebSocket classes of all runtimes and libraries have these members.
 */
export interface WebSocketLike {
  /** 0 connecting, 1 open, 2 closing, 3 closed. */
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open" | "message" | "error" | "close", listener: (event: unknown) => void): void;
  removeEventListener(type: "open" | "message" | "error" | "close", listener: (event: unknown) => void): void;
  /** Not in the standard, but part of the library `ws`. With this method, a paused channel slows the sender down. */
  pause?(): void;
  resume?(): void;
}

/** Bounds of a channel over a WebSocket. */
export type WebSocketLimits = Partial<ChannelLimits> & {
  /**
   * Maximum size of all messages that wait during a pause, in characters. Each message counts 1 KiB more than its text.
   *
   * @defaultValue 64 MiB
   */
  readonly unread?: number;
};

/** Options of a channel over a WebSocket. */
export type WebSocketOptions = WebSocketLimits & {
  /**
   * Returns the messages of a received text frame, as texts. They are delivered together: a pause begins after the last
   * one.
   *
   * @defaultValue a frame is one message
   * @throws FrameError to close the channel as `frame`
   */
  readonly split?: Split;
};

/**
 * Creates a channel over a WebSocket, for either side, in any runtime. The channel owns the socket. One text frame is
 * one message. Binary frames are ignored, and the first one is reported. While the socket is connecting, messages wait until it is open.
 *
 * - From 256 KiB of unsent messages on, `send` returns a promise of room. Above 64 MiB the channel closes as
 *   `overflow`.
 * - The standard has no way to slow the sender down. Messages that arrive during a pause are stored. Above 64 MiB of
 *   them the channel closes as `overflow`.
 * - If the other side ends the connection, the reason is `remote` for the codes 1000, 1001 and 1005 (no code). For all
 *   other codes it is `failed`.
 *
 * @throws AcpError `state` if the socket has an open channel
 *
 * @example
 * const channel = createWebSocketChannel(new WebSocket("wss://agents.example/acp"));
 */
export function createWebSocketChannel(socket: WebSocketLike, options: WebSocketOptions = {}): Channel {
  const remedy = "pass a WebSocket, such as new WebSocket(url), or the socket of a connection event of the library ws";
  const isSocket = typeof socket?.addEventListener === "function" && typeof socket.send === "function";
  checkArgument(isSocket, "createWebSocketChannel", { got: socket, remedy });
  const isObject = typeof options === "object" && options !== null;
  checkArgument(isObject, "createWebSocketChannel limits", { got: options, remedy: "pass an object" });
  const { split, ...limits } = options;
  checkLimits("createWebSocketChannel", limits, { unread: "number" });
  return soleChannel("WebSocket", socket, () => new WebSocketChannel(socket, options));
}

const connecting = 0;
const open = 1;
const gone = 3;
/** First and longest interval at which a socket is polled for room, in milliseconds. Sockets have no event for room. */
const looks = { first: 10, last: 250 };
/** Code that the runtime reports for a connection that was lost or never opened. This code is never sent. */
const torn = 1006;
/**
 * Close code for faults. Programs may use codes from 4000 on. The reason of the close frame contains the kind of the
 * fault.
 */
const faultCode = 4000;

class WebSocketChannel implements Channel {
  readonly closed: Promise<CloseReason>;
  readonly #socket: WebSocketLike;
  readonly #limits: Required<WebSocketLimits>;
  readonly #texts: TextQueue;
  readonly #reading: Delivery<string | null>;
  /** Texts that wait for the socket to open. */
  #early: string[] = [];
  #earlyLength = 0;
  #wasOpen: boolean;
  /** `true` after a binary frame. Only the first one is reported, because a peer can send many. */
  #hadBinary = false;
  #fault: unknown;
  readonly #room = new PendingRoom();
  #look: ReturnType<typeof setTimeout> | undefined;
  readonly #closing = new Closing((reason) => this.#shutDown(reason));
  /** Continues a close that waits for the socket to open or close. */
  #onChange = () => {};
  readonly #listeners = {
    open: () => this.#onOpen(),
    message: (event: unknown) => this.#onMessage((event as { readonly data?: unknown }).data),
    error: (event: unknown) => {
      this.#fault = (event as { readonly error?: unknown }).error ?? event;
    },
    close: (event: unknown) => this.#onClose(event as { readonly code?: number; readonly reason?: string }),
  };

  constructor(socket: WebSocketLike, { split, ...limits }: WebSocketOptions) {
    this.#socket = socket;
    this.#texts = new TextQueue(split);
    this.#reading = new Delivery(this.#texts, (reason) => void this.#closing.begin(reason), { rests: false });
    this.#limits = { ...allLimits(limits), unread: limits.unread ?? unsentLimit };
    this.#wasOpen = socket.readyState !== connecting;
    this.closed = this.#closing.closed;
    for (const type of listened) socket.addEventListener(type, this.#listeners[type]);
    if (socket.readyState === gone) {
      this.#reading.end({ kind: "failed", message: "The WebSocket was closed before the channel was made." });
    }
  }

  start(receiver: Receiver): void {
    this.#reading.start(receiver);
  }

  send(message: Message): Room {
    const { readyState } = this.#socket;
    if (this.#closing.hasBegun || readyState > open) return undefined;
    const text = serialise(message);
    const limit = this.#limits.message;
    if (!isSurelyWithin(text, limit)) checkSize(message, encoder.encode(text).length, limit);
    const before = this.#unsent();
    if (before > 0 && before + text.length > this.#limits.unsent) {
      void this.#closing.begin(overflowReason(this.#limits.unsent));
      return undefined;
    }
    if (readyState === connecting) {
      this.#early.push(text);
      this.#earlyLength += text.length;
    } else this.#sendText(text);
    return this.#unsent() < this.#limits.highWater ? undefined : this.#whenRoom();
  }

  pause(): void {
    if (this.#closing.hasBegun) return;
    this.#reading.pause();
    this.#socket.pause?.();
  }

  resume(): void {
    if (this.#closing.hasBegun) return;
    this.#reading.resume();
    if (!this.#reading.isPaused) this.#socket.resume?.();
  }

  close(reason: CloseReason = { kind: "local", message: "This side closed the WebSocket." }): Promise<void> {
    return this.#closing.begin(reason);
  }

  #unsent(): number {
    return this.#socket.bufferedAmount + this.#earlyLength;
  }

  #sendText(text: string): void {
    try {
      this.#socket.send(text);
    } catch (cause) {
      void this.#closing.begin(failedReason("Sending to", cause));
    }
  }

  #whenRoom(): Room {
    if (this.#closing.hasBegun) return undefined;
    if (!this.#room.isAwaited) this.#lookForRoom(looks.first);
    return this.#room.wait();
  }

  #lookForRoom(afterMs: number): void {
    this.#look = setTimeout(() => {
      if (this.#unsent() < this.#limits.highWater) this.#openRoom();
      else this.#lookForRoom(Math.min(afterMs * 2, looks.last));
    }, afterMs);
  }

  #openRoom(): void {
    clearTimeout(this.#look);
    this.#room.open();
  }

  #onOpen(): void {
    this.#wasOpen = true;
    for (const text of this.#early.splice(0)) this.#sendText(text);
    this.#earlyLength = 0;
    this.#onChange();
  }

  #onMessage(data: unknown): void {
    if (this.#closing.hasBegun) return;
    if (typeof data !== "string") {
      if (!this.#hadBinary) this.#reading.push(null);
      this.#hadBinary = true;
      return;
    }
    const { frame, unread } = this.#limits;
    if (data.length > frame) {
      const message = `A message of more than ${frame} characters arrived; raise the limit if the other side needs longer messages.`;
      return this.#reading.end({ kind: "frame", message, cause: new FrameError(message) });
    }
    this.#reading.push(data);
    if (!this.#texts.exceed(unread)) return;
    const message = `More than ${unread} bytes arrived while this side did not read.`;
    void this.#closing.begin({ kind: "overflow", message });
  }

  #onClose({ code = 1005, reason = "" }: { readonly code?: number; readonly reason?: string }): void {
    this.#openRoom();
    this.#onChange();
    const words = reason || faultText(this.#fault);
    const message = asSentence(`${this.#closedText(code)}${words === "" ? "" : `: ${words}`}`);
    if ([1000, 1001, 1005].includes(code)) this.#reading.end({ kind: "remote", message });
    else this.#reading.end({ kind: "failed", message, ...(this.#fault === undefined ? {} : { cause: this.#fault }) });
  }

  #closedText(code: number): string {
    if (code !== torn) return `The other side closed the WebSocket with code ${code}`;
    if (this.#wasOpen) return "The connection of the WebSocket was lost (code 1006)";
    return "The WebSocket could not be opened; check its address and whether the server lets this side in (code 1006)";
  }

  async #shutDown(reason: CloseReason): Promise<void> {
    this.#reading.stop();
    this.#texts.clear();
    this.#openRoom();
    let late = false;
    const patience = setTimeout(() => {
      late = true;
      this.#onChange();
    }, FLUSH_MS);
    const change = () =>
      new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    if (reason.kind === "local" && this.#early.length > 0)
      while (!late && this.#socket.readyState === connecting) await change();
    // A paused socket would not report that the other side has answered the close.
    this.#socket.resume?.();
    const [code, words] = reason.kind === "local" ? [1000] : [faultCode, reason.kind];
    if (this.#socket.readyState !== gone) this.#socket.close(code, words);
    while (!late && this.#socket.readyState !== gone) await change();
    clearTimeout(patience);
    for (const type of listened) this.#socket.removeEventListener(type, this.#listeners[type]);
  }
}

/**
 * Returns the message or the code of a fault. After attempts with several addresses, Node gives only a code. Browsers
 * give neither.
 */
function faultText(fault: unknown): string {
  const { message, code } = (fault instanceof Error ? fault : {}) as { message?: string; code?: string };
  return message || code || "";
}

const listened = ["open", "message", "error", "close"] as const;
