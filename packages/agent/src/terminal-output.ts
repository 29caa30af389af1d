import type { ExitStatus, WireEvent } from "@turnkit/session";
import { toBase64 } from "@turnkit/session/codec";
import type { Room } from "@turnkit/transport";

/** Time for which output is collected, in ms: long enough to join many writes, too short to be noticed. */
const OUTPUT_FLUSH_MS = 50;

/** Size of output that is sent without waiting, and of the largest chunk, in bytes. A snapshot may be larger. */
const CHUNK_BYTES = 64 * 1024;

/** Most bytes that wait for a client that does not read. */
const MAX_WAITING_OUTPUT_BYTES = 256 * 1024;

/** Bytes of an event as JSON, without its data and the terminal's id. */
const AROUND_BYTES = 100;

/** Members of a session's output that the output of terminals uses. */
export type OutputOwner = {
  /** Outputs with unsent bytes. The session flushes them before any other event, so that events stay in order. */
  readonly outputs: Set<TerminalOutput>;
  readonly signal: AbortSignal;
  /** `isHeld` is true while the client does not know the session. Only few events can be held until then. */
  readonly outbox: { readonly isHeld: boolean };
  /** Largest event that can be stored, as JSON in bytes. */
  readonly maxEventBytes: number;
  emit(event: WireEvent): Room;
  /** Reports output that could not be sent and fails no call. */
  onFault(message: string, error: unknown): void;
};

// V2-TERM-14: no bytes may be missing in the middle.
/**
 * Output of one terminal on its way to the client. Many writes become few updates. While the client does not read, the oldest
 * bytes are dropped; a snapshot of the rest then replaces the client's text.
 */
export class TerminalOutput {
  readonly #owner: OutputOwner;
  readonly #terminalId: string;
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #dropped = false;
  #end: Said | undefined;
  #isFailing = false;
  /** True once no more updates can be held for a client that does not know the session. */
  #isKept = false;
  #room: Room;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(owner: OutputOwner, terminalId: string) {
    this.#owner = owner;
    this.#terminalId = terminalId;
  }

  /** Takes bytes. A returned promise asks to wait for the client. Never throws. */
  write(bytes: Uint8Array): Room {
    if (bytes.length === 0 || this.#owner.signal.aborted) return this.#room;
    // A copy: the writer may use its buffer again.
    this.#waiting.push(bytes.slice());
    this.#bytes += bytes.length;
    this.#owner.outputs.add(this);
    if (this.#room === undefined && this.#bytes >= CHUNK_BYTES && !this.#owner.outbox.isHeld) return this.flush();
    while (this.#bytes > MAX_WAITING_OUTPUT_BYTES) this.#dropOldest();
    this.#timer ??= setTimeout(() => this.#due(), OUTPUT_FLUSH_MS);
    return this.#room;
  }

  /** Sends all output, then a last event. Never throws. */
  end(event: Said): Room {
    this.#end = event;
    return this.flush();
  }

  /** Sends waiting output. Never throws: output that cannot be held yet is kept; any other failure drops and reports it. */
  flush(): Room {
    // An earlier attempt failed, and there is no more room since.
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
      // After a loss the next part is a snapshot that replaces the earlier text.
      this.#dropped = !isSaid;
      from += size;
    }
    if (end !== undefined && !this.#say(end) && this.#owner.outbox.isHeld) this.#keep(new Uint8Array(), end);
    return this.#room;
  }

  /** Returns the size of the next part. A snapshot is one part if the log can hold it. */
  get #partBytes(): number {
    const most = this.#dropped ? MAX_WAITING_OUTPUT_BYTES : CHUNK_BYTES;
    const stored = Math.floor((this.#owner.maxEventBytes - AROUND_BYTES - this.#terminalId.length) / 4) * 3;
    return Math.max(3, Math.min(most, stored));
  }

  /** Keeps output until the client knows the session. */
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
    if (this.#owner.outbox.isHeld) this.#timer = setTimeout(() => this.#due(), OUTPUT_FLUSH_MS);
    else if (this.#room === undefined) this.flush();
  }

  /** Returns true if an event was sent. The first failure in a row is reported, unless the event is kept. */
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

/** Returns bytes without the rest of a UTF-8 character whose beginning was dropped. */
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
