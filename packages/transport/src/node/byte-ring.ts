import { Buffer } from "node:buffer";

/**
 * Buffer for the newest `limit` bytes of a stream of UTF-8. Its memory grows with the content, up to the limit. If
 * every appended piece begins and ends between two characters, the text does too.
 */
export class ByteRing {
  readonly limit: number;
  #bytes = Buffer.alloc(0);
  /** Position of the oldest byte in the buffer. `#length` is the number of bytes. */
  #start = 0;
  #length = 0;
  #truncated = false;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** `true` if bytes were dropped since the buffer was created. */
  get truncated(): boolean {
    return this.#truncated;
  }

  append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.limit) this.#truncated = true;
    const kept = bytes.length > this.limit ? bytes.subarray(bytes.length - this.limit) : bytes;
    if (kept.length === 0) return;
    this.#reserve(this.#length + kept.length);
    const capacity = this.#bytes.length;
    const at = (this.#start + this.#length) % capacity;
    const first = Math.min(kept.length, capacity - at);
    this.#bytes.set(kept.subarray(0, first), at);
    this.#bytes.set(kept.subarray(first), 0);
    const overwritten = Math.max(0, this.#length + kept.length - capacity);
    this.#start = (this.#start + overwritten) % capacity;
    this.#length += kept.length - overwritten;
  }

  /** Returns the bytes as text. If the first bytes of a character were dropped, its other bytes are left out. */
  text(): string {
    const bytes = this.#linear(this.#bytes.length);
    return bytes.toString("utf8", this.#truncated ? firstCharacter(bytes) : 0);
  }

  /** Drops all bytes and frees the memory. */
  clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.#start = 0;
    this.#length = 0;
  }

  #reserve(length: number): void {
    const capacity = this.#bytes.length;
    const wanted = Math.min(length, this.limit);
    if (wanted <= capacity) return;
    const grown = Buffer.alloc(Math.min(this.limit, Math.max(wanted, capacity * 2, 1024)));
    this.#linear(capacity).copy(grown);
    this.#bytes = grown;
    this.#start = 0;
  }

  #linear(capacity: number): Buffer {
    const end = this.#start + this.#length;
    if (end <= capacity) return this.#bytes.subarray(this.#start, end);
    return Buffer.concat([this.#bytes.subarray(this.#start), this.#bytes.subarray(0, end - capacity)]);
  }
}

function firstCharacter(bytes: Uint8Array): number {
  let at = 0;
  // Bytes of the form 10xxxxxx continue a character. At most three of them follow its first byte.
  while (at < 3 && at < bytes.length && ((bytes[at] as number) & 0xc0) === 0x80) at++;
  return at;
}
