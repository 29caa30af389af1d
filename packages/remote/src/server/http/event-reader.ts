import { withCursor } from "../cursor-text.js";
import type { OutStream, Reader } from "../out-stream.js";
import type { Settings } from "../settings.js";

const encoder = new TextEncoder();

/** Number of characters of messages that are written at once. */
const BATCH = 64 * 1024;

/** Form of an event stream. */
export type EventForm = {
  /** Text that is written first. */
  readonly opening: string;
  /** `true` on a resumable connection. */
  readonly hasCursors?: boolean;
  /** Messages without cursors between the messages that wait now, and later ones. */
  readonly afterReplay?: readonly string[];
};

/** Reader that writes messages as server-sent events. */
export class EventReader implements Reader {
  readonly body: ReadableStream<Uint8Array>;
  readonly #stream: OutStream;
  readonly #form: EventForm;
  readonly #settings: Settings;
  /** Number of messages that wait before `afterReplay`. */
  #replay: number;
  #opening: string;
  #isOver = false;
  #hasLeft = false;
  #wake = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(stream: OutStream, form: EventForm, settings: Settings) {
    this.#stream = stream;
    this.#form = form;
    this.#settings = settings;
    this.#opening = form.opening;
    this.#replay = stream.log.waiting;
    this.body = new ReadableStream(
      { pull: (controller) => this.#pull(controller), cancel: () => this.#leave() },
      // A message is taken when it can be written.
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
    clearTimeout(this.#timer);
    let text = this.#next();
    while (text === "") {
      if (this.#isOver) {
        controller.close();
        return this.#leave();
      }
      const isSilent = await this.#untilWoken();
      if (this.#hasLeft) return;
      // REM-15
      text = this.#next() || (isSilent ? ":\n\n" : "");
    }
    controller.enqueue(encoder.encode(text));
    // REM-45: whoever takes nothing for so long is gone.
    this.#timer = setTimeout(() => {
      controller.error(new Error("The client did not read."));
      this.#leave();
    }, this.#settings.deadMs);
  }

  /** Waits for a message. Resolves to `true` after the interval of keep-alive. */
  #untilWoken(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#wake = () => {
        clearTimeout(this.#timer);
        resolve(false);
      };
      this.#timer = setTimeout(resolve, this.#settings.keepAliveMs, true);
    });
  }

  #leave(): void {
    this.#hasLeft = true;
    this.#wake();
    clearTimeout(this.#timer);
    this.#stream.detach(this);
  }

  #next(): string {
    let text = this.#opening;
    this.#opening = "";
    while (text.length < BATCH) {
      if (this.#replay === 0) text += this.#takeStates();
      const entry = this.#stream.take(this);
      if (entry === undefined) break;
      this.#replay -= 1;
      const { cursor, item } = entry;
      text += this.#form.hasCursors ? `id: ${cursor}\ndata: ${withCursor(item, cursor)}\n\n` : `data: ${item.text}\n\n`;
    }
    return text;
  }

  #takeStates(): string {
    this.#replay = -1;
    return (this.#form.afterReplay ?? []).map((state) => `data: ${state}\n\n`).join("");
  }
}
