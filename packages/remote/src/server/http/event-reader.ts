import type { EndCause, OutStream, Reader } from "../out-stream.js";
import { Playback, type PlaybackForm } from "../playback.js";
import type { Settings } from "../settings.js";
import { atTurnEnd } from "../turn-end.js";

const encoder = new TextEncoder();

/** Number of characters of messages in one write. */
const BATCH = 64 * 1024;

/** Form of an event stream. `opening` is written first. */
export type EventForm = PlaybackForm & { readonly opening: string };

/** Reader that writes messages as server-sent events. */
export class EventReader implements Reader {
  readonly body: ReadableStream<Uint8Array>;
  readonly #stream: OutStream;
  readonly #playback: Playback;
  readonly #settings: Settings;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #opening: string;
  #isOver = false;
  #hasLeft = false;
  #wake = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(stream: OutStream, form: EventForm, settings: Settings) {
    this.#stream = stream;
    this.#settings = settings;
    this.#opening = form.opening;
    this.#playback = new Playback(stream, this, form);
    this.body = new ReadableStream(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: (controller) => this.#pull(controller),
        cancel: () => this.#leave(),
      },
      // A message is taken when it can be written.
      { highWaterMark: 0 },
    );
    stream.attach(this);
  }

  wake(): void {
    this.#wake();
  }

  end(cause?: EndCause): void {
    this.#isOver = true;
    if (cause?.isCut && !this.#hasLeft) this.#cut();
    this.#wake();
  }

  replaced(): void {
    this.end();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    clearTimeout(this.#timer);
    this.#stream.writes(this, 0);
    let text = this.#next();
    while (text === "") {
      if (this.#isOver) {
        controller.close();
        return this.#leave();
      }
      const isSilent = await this.#untilWoken();
      // All messages of a turn of the event loop leave together.
      if (this.#playback.isPacked && !isSilent) await new Promise<void>(atTurnEnd);
      if (this.#hasLeft) return;
      // REM-15
      text = this.#next() || (isSilent ? ":\n\n" : "");
    }
    controller.enqueue(encoder.encode(text));
    this.#stream.writes(this, text.length);
    // At the bound of the principal, the stream may have ended.
    if (this.#hasLeft) return;
    // REM-45: a client that takes nothing for this time counts as gone.
    this.#timer = setTimeout(() => this.#cut(), this.#settings.deadMs);
  }

  /** Waits for a message. Resolves to `true` after the interval of keep-alive. */
  #untilWoken(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = () => {};
        clearTimeout(this.#timer);
        resolve(false);
      };
      this.#timer = setTimeout(resolve, this.#settings.keepAliveMs, true);
    });
  }

  #cut(): void {
    this.#controller?.error(new Error("The client did not read."));
    this.#leave();
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
      const frame = this.#playback.next();
      if (frame === undefined) break;
      text += frame.cursor === undefined ? "" : `id: ${frame.cursor}\n`;
      text += `data: ${frame.texts.join("\ndata: ")}\n\n`;
    }
    return text;
  }
}
