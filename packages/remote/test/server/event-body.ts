import { EventParser, type StreamEvent } from "../../src/client/http/event-parser.js";
import type { Frame } from "../client/raw-server.js";

/** Reader of the body of an event stream, one event after the other. */
export class EventBody {
  readonly response: Response;
  /** Comments that have arrived. */
  comments = 0;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #parser = new EventParser(64 * 1024 * 1024);
  readonly #events: StreamEvent[] = [];

  constructor(response: Response) {
    this.response = response;
    this.#reader = (response.body as ReadableStream<Uint8Array>).getReader();
  }

  /** Reads one chunk. Returns `false` at the end. */
  async read(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (done) return false;
    this.comments += (new TextDecoder().decode(value).match(/^:/gm) ?? []).length;
    this.#events.push(...this.#parser.push(value));
    return true;
  }

  /** The next event, or `undefined` at the end. */
  async event(): Promise<StreamEvent | undefined> {
    while (this.#events.length === 0) if (!(await this.read())) return undefined;
    return this.#events.shift();
  }

  /** The next message, or `undefined` at the end. */
  async next(): Promise<Frame | undefined> {
    for (let event = await this.event(); event !== undefined; event = await this.event())
      if (event.data !== undefined) return JSON.parse(event.data) as Frame;
    return undefined;
  }

  /** All messages until the end. */
  async rest(): Promise<Frame[]> {
    const frames: Frame[] = [];
    for (let frame = await this.next(); frame !== undefined; frame = await this.next()) frames.push(frame);
    return frames;
  }

  /** Goes away, as a client whose connection was cut. */
  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }
}
