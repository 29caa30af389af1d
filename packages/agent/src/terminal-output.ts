import type { ExitStatus, WireEvent } from "@turnkit/session";
import { toBase64 } from "@turnkit/session/codec";
import type { Room } from "@turnkit/transport";

/**
 * Time between two updates with output, in ms. Many writes are joined within this time. The delay is too short to be
 * noticed.
 */
const OUTPUT_FLUSH_MS = 50;

/** Size at which output is sent without waiting, in bytes. Also the maximum size of a chunk; a snapshot may be larger. */
const CHUNK_BYTES = 64 * 1024;

/** Maximum size of the output that waits for a slow client, in bytes. */
const MAX_WAITING_OUTPUT_BYTES = 256 * 1024;

/** Size of an event as JSON, without its data and the terminal's id, in bytes. */
const AROUND_BYTES = 100;

/** Members of a session's output that {@link TerminalOutput} uses. */
export type OutputOwner = {
  readonly outputs: WaitingOutputs;
  readonly signal: AbortSignal;
  /**
   * `isUnknown` is true while the client does not know the session: only a few events can be held then. `isHeld` is also true
   * during a restore and while a prompt is stored.
   */
  readonly outbox: { readonly isUnknown: boolean; readonly isHeld: boolean };
  /** Maximum size of a stored event, in bytes of JSON. */
  readonly maxEventBytes: number;
  emit(event: WireEvent): Room;
  /** Reports output that could not be sent, if no caller gets the failure. */
  onFault(message: string, error: unknown): void;
};

/**
 * Outputs of terminals with unsent bytes. The session sends these bytes before any other event, so that events stay in
 * order.
 */
export class WaitingOutputs {
  readonly #outputs = new Set<TerminalOutput>();
  #isFlushing = false;

  add(output: TerminalOutput): void {
    this.#outputs.add(output);
  }

  delete(output: TerminalOutput): void {
    this.#outputs.delete(output);
  }

  /** Sends all unsent bytes. Never throws. */
  flush(): void {
    // The first output that is sent is an event itself.
    if (this.#outputs.size === 0 || this.#isFlushing) return;
    this.#isFlushing = true;
    // The loop uses a copy, because an output that must wait is added to the set again.
    for (const output of [...this.#outputs]) output.flush();
    this.#isFlushing = false;
  }
}

// V2-TERM-14: no bytes may be missing in the middle.
/**
 * Unsent output of one terminal. Many writes become few updates. While the client does not read, the oldest bytes are
 * dropped. After such a loss, a snapshot with the remaining bytes replaces the client's text.
 */
export class TerminalOutput {
  readonly #owner: OutputOwner;
  readonly #terminalId: string;
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #dropped = false;
  #end: Said | undefined;
  #isFailing = false;
  /** True if the outbox had no room for this output. */
  #isKept = false;
  #room: Room;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(owner: OutputOwner, terminalId: string) {
    this.#owner = owner;
    this.#terminalId = terminalId;
  }

  /** True while the outbox has no room for this output. */
  get #mustWait(): boolean {
    const { isUnknown, isHeld } = this.#owner.outbox;
    return isUnknown || (this.#isKept && isHeld);
  }

  /** Takes bytes. If a promise is returned, await it before the next write. Never throws. */
  write(bytes: Uint8Array): Room {
    if (bytes.length === 0 || this.#owner.signal.aborted) return this.#room;
    // The bytes are copied, because the writer may reuse its buffer.
    this.#waiting.push(bytes.slice());
    this.#bytes += bytes.length;
    this.#owner.outputs.add(this);
    if (this.#room === undefined && this.#bytes >= CHUNK_BYTES && !this.#mustWait) return this.flush();
    while (this.#bytes > MAX_WAITING_OUTPUT_BYTES) this.#dropOldest();
    this.#timer ??= setTimeout(() => this.#due(), OUTPUT_FLUSH_MS);
    return this.#room;
  }

  /** Sends all output, then the last event of the terminal. Never throws. */
  end(event: Said): Room {
    this.#end = event;
    return this.flush();
  }

  /**
   * Sends the waiting output. Never throws. If the outbox cannot hold the output yet, the output waits. After any other
   * failure, the output is dropped and reported.
   */
  flush(): Room {
    // The outbox has refused this output, and still has no room.
    if (this.#isKept && this.#owner.outbox.isHeld) return undefined;
    this.#isKept = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#owner.outputs.delete(this);
    const end = this.#end;
    const whole = concat(this.#waiting, this.#bytes);
    const bytes = this.#dropped ? fromCharacter(whole) : whole;
    this.#forget();
    if (this.#owner.signal.aborted) return undefined;
    for (let from = 0; from < bytes.length; ) {
      const size = this.#partBytes;
      const data = toBase64(bytes.subarray(from, from + size));
      const isSaid = this.#say(
        this.#dropped ? { type: "terminal_update", output: { data } } : { type: "terminal_output_chunk", data },
      );
      if (!isSaid && this.#owner.outbox.isHeld) {
        this.#keep(bytes.subarray(from), end);
        return undefined;
      }
      // After a loss, the next part is a snapshot that replaces the earlier text.
      this.#dropped = !isSaid;
      from += size;
    }
    if (end !== undefined && !this.#say(end) && this.#owner.outbox.isHeld) this.#keep(new Uint8Array(), end);
    return this.#room;
  }

  /** Returns the size of the next part in bytes. A snapshot is a single part if the log can store it. */
  get #partBytes(): number {
    const most = this.#dropped ? MAX_WAITING_OUTPUT_BYTES : CHUNK_BYTES;
    const stored = Math.floor((this.#owner.maxEventBytes - AROUND_BYTES - this.#terminalId.length) / 4) * 3;
    return Math.max(3, Math.min(most, stored));
  }

  /** Holds output until the outbox has sent its updates. */
  #keep(bytes: Uint8Array, end: Said | undefined): void {
    this.#isKept = true;
    this.#waiting = bytes.length === 0 ? [] : [bytes];
    this.#bytes = bytes.length;
    this.#end = end;
    this.#owner.outputs.add(this);
    while (this.#bytes > MAX_WAITING_OUTPUT_BYTES) this.#dropOldest();
    this.#timer ??= setTimeout(() => this.#due(), OUTPUT_FLUSH_MS);
  }

  #due(): void {
    this.#timer = undefined;
    if ((this.#bytes === 0 && this.#end === undefined) || this.#owner.signal.aborted) return;
    if (this.#mustWait) this.#timer = setTimeout(() => this.#due(), OUTPUT_FLUSH_MS);
    else if (this.#room === undefined) this.flush();
  }

  /**
   * Returns true if the event was sent. Of several successive failures, only the first is reported. Output that waits
   * is not reported.
   */
  #say(event: Said): boolean {
    try {
      this.#send(event);
      this.#isFailing = false;
      return true;
    } catch (error) {
      if (this.#owner.outbox.isHeld) return false;
      if (!this.#isFailing) this.#owner.onFault("Output of a terminal could not be sent.", error);
      this.#isFailing = true;
      return false;
    }
  }

  #send(event: Said): void {
    const room = this.#owner.emit({ ...event, terminalId: this.#terminalId });
    if (room === undefined) return;
    this.#room = room;
    void room.then(() => {
      if (this.#room !== room) return;
      this.#room = undefined;
      this.#due();
    });
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
    this.#end = undefined;
  }
}

type Said =
  | { readonly type: "terminal_output_chunk"; readonly data: string }
  | {
      readonly type: "terminal_update";
      readonly output?: { readonly data: string };
      readonly exitStatus?: ExitStatus;
      readonly capabilities?: null;
    };

/** Returns the bytes from the first complete UTF-8 character on. */
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
