import { AcpError, type CloseReason, type Message, type Room } from "@turnkit/transport";
import { serialise } from "@turnkit/transport/channels";
import { MAX_BODY_BYTES, MESSAGE_OVERHEAD } from "../wire/limits.js";

/** Maximum number of bytes that UTF-8 needs for a character. */
const MOST_BYTES = 3;
const encoder = new TextEncoder();

/** Number of waiting characters from which `send` returns a promise of room. */
const HIGH_WATER = 256 * 1024;
/** Number of waiting characters above which the channel closes. */
const MOST = 64 * 1024 * 1024;

/** A message that waits to be sent, or to be confirmed. */
export type Outgoing = { readonly message: Message; readonly text: string; readonly size: number };

/** Counter of the messages that wait to be sent, and of their sizes. */
export class Outbox {
  #size = 0;
  #room: Promise<void> | undefined;
  #open = () => {};
  readonly #overflow: (reason: CloseReason) => void;

  constructor(overflow: (reason: CloseReason) => void) {
    this.#overflow = overflow;
  }

  /**
   * Serialises a message and counts it as waiting. Returns `undefined` above the bound, after the end of the channel.
   *
   * @throws AcpError `too_large` for a message of more than 16 MiB
   * @throws TypeError if JSON cannot express the message
   */
  add(message: Message): Outgoing | undefined {
    const text = serialise(message);
    const bytes = text.length * MOST_BYTES <= MAX_BODY_BYTES ? 0 : encoder.encode(text).length;
    if (bytes > MAX_BODY_BYTES) {
      const what = "method" in message ? message.method : "An answer";
      const sizes = `it takes ${bytes} bytes, and ${MAX_BODY_BYTES} is the most`;
      throw new AcpError("too_large", `${what} was not sent: ${sizes}. Send less, or in pieces.`);
    }
    const size = text.length + MESSAGE_OVERHEAD;
    if (this.#size > 0 && this.#size + size > MOST) {
      this.#overflow({ kind: "overflow", message: `The server did not read: more than ${MOST} bytes waited.` });
      return undefined;
    }
    this.#size += size;
    return { message, text, size };
  }

  /** Subtracts a message that no longer waits. */
  done({ size }: Outgoing): void {
    this.#size -= size;
    if (this.#size < HIGH_WATER) this.open();
  }

  /** Returns a promise of room if the waiting messages exceed the bound. */
  room(): Room {
    if (this.#size < HIGH_WATER) return undefined;
    this.#room ??= new Promise((resolve) => {
      this.#open = resolve;
    });
    return this.#room;
  }

  /** Lets all waiting senders continue. */
  open(): void {
    this.#open();
    this.#room = undefined;
  }
}
