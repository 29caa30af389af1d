import type { WireEvent } from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import { base64 } from "./base64.js";

/** How long output waits for more of it, in ms: long enough to make few updates of many writes, too short to be seen. */
const OUTPUT_FLUSH_MS = 50;

/** So much output is sent at once, in bytes, however soon it came; also the most of one update. */
const CHUNK_BYTES = 64 * 1024;

/** How many bytes wait for a client that does not read. */
const MAX_WAITING_OUTPUT_BYTES = 256 * 1024;

/** What output needs of its session. */
export type OutputOwner = {
  /** Outputs with unsent bytes: the session flushes them before it says anything else, so that the order stays. */
  readonly outputs: Set<TerminalOutput>;
  readonly signal: AbortSignal;
  emit(event: WireEvent): Room;
  /** Output could not be said, at a moment when nobody's call can fail by it. */
  onFault(message: string, error: unknown): void;
};

/**
 * Output of one terminal on its way to the client: many writes become few updates. While the client does not read, the
 * oldest bytes are dropped; then a snapshot of what is left replaces what the client has, since nothing may be missing
 * in the middle (V2-TERM-14).
 */
export class TerminalOutput {
  readonly #owner: OutputOwner;
  readonly #terminalId: string;
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #dropped = false;
  #room: Room;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(owner: OutputOwner, terminalId: string) {
    this.#owner = owner;
    this.#terminalId = terminalId;
  }

  /** Takes bytes; what is returned asks to wait for the client. */
  write(bytes: Uint8Array): Room {
    if (bytes.length === 0 || this.#owner.signal.aborted) return this.#room;
    // A copy: the writer may use its buffer again.
    this.#waiting.push(bytes.slice());
    this.#bytes += bytes.length;
    this.#owner.outputs.add(this);
    if (this.#room === undefined && this.#bytes >= CHUNK_BYTES) return this.flush();
    while (this.#bytes > MAX_WAITING_OUTPUT_BYTES) this.#dropOldest();
    this.#timer ??= setTimeout(() => this.#due(), OUTPUT_FLUSH_MS);
    return this.#room;
  }

  /** Sends what waits, now. */
  flush(): Room {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#owner.outputs.delete(this);
    const bytes = concat(this.#waiting, this.#bytes);
    const dropped = this.#dropped;
    this.#forget();
    if (this.#owner.signal.aborted) return undefined;
    if (dropped) return this.#send({ type: "terminal_update", output: { data: base64(fromCharacter(bytes)) } });
    for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
      const data = base64(bytes.subarray(from, from + CHUNK_BYTES));
      this.#send({ type: "terminal_output_chunk", data });
    }
    return this.#room;
  }

  #due(): void {
    this.#timer = undefined;
    if (this.#room !== undefined || this.#bytes === 0) return;
    try {
      this.flush();
    } catch (error) {
      this.#owner.onFault("Output of a terminal could not be sent.", error);
    }
  }

  #send(event: Said): Room {
    const room = this.#owner.emit({ ...event, terminalId: this.#terminalId });
    if (room === undefined) return undefined;
    this.#room = room;
    void room.then(() => {
      if (this.#room !== room) return;
      this.#room = undefined;
      this.#due();
    });
    return room;
  }

  #dropOldest(): void {
    const [oldest] = this.#waiting;
    if (oldest === undefined) return;
    const excess = this.#bytes - MAX_WAITING_OUTPUT_BYTES;
    if (oldest.length <= excess) this.#waiting.shift();
    else this.#waiting[0] = oldest.subarray(excess);
    this.#bytes -= Math.min(oldest.length, excess);
    this.#dropped = true;
  }

  #forget(): void {
    this.#waiting = [];
    this.#bytes = 0;
    this.#dropped = false;
  }
}

type Said =
  | { readonly type: "terminal_output_chunk"; readonly data: string }
  | { readonly type: "terminal_update"; readonly output: { readonly data: string } };

/** Removes the rest of a UTF-8 character whose beginning was dropped. */
function fromCharacter(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}

function concat(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
