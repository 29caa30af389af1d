import type { OutStream, Reader } from "../out-stream.js";

const encoder = new TextEncoder();

/** Number of characters of messages that are written at once. */
const BATCH = 64 * 1024;

/** Reader that writes messages as server-sent events. */
export class EventReader implements Reader {
  readonly body: ReadableStream<Uint8Array>;
  readonly #stream: OutStream;
  #opening: string;
  #isOver = false;
  #wake = () => {};

  /** Creates a reader. `opening` is written first. */
  constructor(stream: OutStream, opening: string) {
    this.#stream = stream;
    this.#opening = opening;
    this.body = new ReadableStream(
      { pull: (controller) => this.#pull(controller), cancel: () => this.#stream.detach(this) },
      { highWaterMark: 0 },
    );
    stream.attach(this);
  }

  wake(): void {
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  replaced(): void {
    this.end();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (;;) {
      const text = this.#next();
      if (text !== "") return controller.enqueue(encoder.encode(text));
      if (this.#isOver) return controller.close();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #next(): string {
    let text = this.#opening;
    this.#opening = "";
    while (text.length < BATCH) {
      const entry = this.#stream.take();
      if (entry === undefined) break;
      text += `data: ${entry.item.text}\n\n`;
    }
    return text;
  }
}
