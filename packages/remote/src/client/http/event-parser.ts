import { FrameError } from "@turnkit/transport";
import { TextPieces } from "../../wire/text-pieces.js";

/** One event of a stream. `data` is absent if the event only moves the cursor. */
export type StreamEvent = { readonly data?: string; readonly id?: string };

/**
 * Parser of server-sent events that arrive in chunks of bytes. Lines end with LF, CRLF or CR. Events of another type
 * than `message` are dropped. An incomplete event at the end of the stream is dropped too. The time is linear in the
 * bytes, for chunks of any size.
 */
export class EventParser {
  readonly #limit: number;
  readonly #decoder = new TextDecoder();
  /** Start of the line that has not ended. */
  readonly #rest = new TextPieces();
  #follows = false;
  #data: TextPieces | undefined;
  #type = "";
  #id: string | undefined;
  /** Number of bytes since the end of the last event. */
  #bytes = 0;

  /** Creates a parser. `limit` is the longest line and the longest data in characters, and the largest event in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Returns the events that a chunk completes.
   *
   * @throws FrameError if a line, the data of an event or an event is longer than the limit
   */
  push(chunk: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = [];
    const text = this.#decoder.decode(chunk, { stream: true });
    this.#bytes += chunk.length;
    let start = 0;
    let at = this.#follows && text.startsWith("\n") ? 1 : 0;
    if (text !== "") this.#follows = false;
    let feed = text.indexOf("\n", at);
    let back = text.indexOf("\r", at);
    while (feed >= 0 || back >= 0) {
      const end = feed < 0 || (back >= 0 && back < feed) ? back : feed;
      this.#check(this.#rest.length + end - at);
      const line = this.#rest.takeWith(text.slice(at, end));
      const event = this.#takeLine(line);
      if (event !== undefined) events.push(event);
      at = end + (end === back && feed === end + 1 ? 2 : 1);
      if (line === "") start = at;
      this.#follows = end === back && at === text.length && feed !== end + 1;
      if (feed >= 0 && feed < at) feed = text.indexOf("\n", at);
      if (back >= 0 && back < at) back = text.indexOf("\r", at);
    }
    this.#rest.add(text.slice(at));
    this.#check(this.#rest.length);
    if (start > 0) this.#bytes = bytesOf(text, start, chunk.length);
    if (this.#isIdle) this.#bytes = 0;
    // Names of fields count too, because an event of empty lines would have no bound.
    if (this.#bytes > this.#limit + MAX_NAMES) throw tooLarge(this.#limit);
    return events;
  }

  /** Size of the event that has not ended, in bytes. */
  get pending(): number {
    return this.#bytes;
  }

  get #isIdle(): boolean {
    return this.#rest.length === 0 && this.#data === undefined && this.#id === undefined && this.#type === "";
  }

  #takeLine(line: string): StreamEvent | undefined {
    if (line === "" || line === "\ufeff") return this.#takeEvent();
    const start = line.charCodeAt(0) === 0xfeff ? 1 : 0;
    const colon = line.indexOf(":", start);
    const name = colon < 0 ? line.slice(start) : line.slice(start, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") {
      this.#check((this.#data?.length ?? 0) + value.length + 1);
      if (this.#data === undefined) this.#data = new TextPieces();
      else this.#data.add("\n");
      this.#data.add(value);
    } else if (name === "event") this.#type = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    return undefined;
  }

  #takeEvent(): StreamEvent | undefined {
    const isMessage = this.#type === "" || this.#type === "message";
    const data = (isMessage && this.#data?.takeWith("")) || undefined;
    const id = this.#id || undefined;
    this.#data = undefined;
    this.#id = undefined;
    this.#type = "";
    return data === undefined && id === undefined ? undefined : { data, id };
  }

  #check(length: number): void {
    if (length > this.#limit + "data: ".length) throw tooLarge(this.#limit);
  }
}

/** Maximum number of bytes for the names of the fields of an event, in addition to its data. */
const MAX_NAMES = 64 * 1024;

const encoder = new TextEncoder();

/** Returns the size in bytes of the last part of a text of `all` bytes. */
function bytesOf(text: string, start: number, all: number): number {
  return text.length === all ? all - start : encoder.encode(text.slice(start)).length;
}

const tooLarge = (limit: number): FrameError => new FrameError(`An event of more than ${limit} bytes arrived.`);
