import type { Receiver } from "../channel.js";
import { Fifo } from "../fifo.js";
import type { Arrivals } from "./delivery.js";
import { LineParser } from "./line-parser.js";
import { type Decode, LineReader } from "./line-reader.js";

/** Newline-delimited JSON that arrives in chunks of bytes. */
export class LineArrivals implements Arrivals<Uint8Array> {
  readonly #reader: LineReader;
  readonly #parser = new LineParser();

  constructor(limit: number, decode: Decode) {
    this.#reader = new LineReader(limit, decode);
  }

  push(chunk: Uint8Array): void {
    this.#reader.push(chunk);
  }

  end(): void {
    this.#reader.end();
  }

  deliverNext(receiver: Receiver): boolean {
    const line = this.#reader.next();
    if (line === undefined) return false;
    deliverLine(line, this.#reader.bytes, receiver, this.#parser);
    return true;
  }
}

/** Cost of a kept text beyond its characters. Without it, empty texts would cost nothing. */
const OVERHEAD = 1024;

/** Texts of JSON that arrive one by one, and are kept during a pause. */
export class TextArrivals implements Arrivals<string> {
  readonly #texts = new Fifo<string>();
  readonly #parser = new LineParser();
  #size = 0;

  push(text: string): void {
    this.#texts.push(text);
    this.#size += text.length + OVERHEAD;
  }

  deliverNext(receiver: Receiver): boolean {
    const text = this.#texts.shift();
    if (text === undefined) return false;
    this.#size -= text.length + OVERHEAD;
    deliverLine(text, text.length, receiver, this.#parser);
    return true;
  }

  /** Returns true if the waiting texts are larger than `limit` together. A single larger text is within it. */
  exceed(limit: number): boolean {
    return this.#texts.length > 1 && this.#size > limit;
  }

  clear(): void {
    this.#texts.clear();
    this.#size = 0;
  }
}

const OPEN_BRACE = 0x7b;

/** First characters of JSON: objects, arrays, and values that fit in whole. Behind a byte order mark and blanks. */
const mayBeJson = /^\ufeff?[ \t\r]*(?:[{[]|(?:-?\d[\d.eE+-]*|true|false|null|".*")[ \t\r]*$)/s;

/** Delivers one line: as a message, as an invalid line, or, if it is blank, not at all. */
function deliverLine(line: string, bytes: number, receiver: Receiver, parser: LineParser): void {
  // A `SyntaxError` costs 5 µs, so a flood of blank lines and log lines must not make any.
  if (line === "" || (line.charCodeAt(0) !== OPEN_BRACE && !mayBeJson.test(line)))
    return deliverInvalid(line, receiver);
  let message: unknown;
  try {
    message = parser.parse(line);
  } catch {
    return deliverInvalid(line, receiver);
  }
  receiver.message(message, bytes);
}

function deliverInvalid(line: string, receiver: Receiver): void {
  if (line.trim() !== "") receiver.invalidLine(line.slice(0, 200).trimEnd());
}
