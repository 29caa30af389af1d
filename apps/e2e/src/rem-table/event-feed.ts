import type { Readable } from "node:stream";
import type { Frame } from "@turnkit/testing";

/** One event of a stream. A comment has no fields. */
export type RawEvent = { readonly id?: string; readonly event?: string; readonly data?: string };

/** The body of an answer, as text and as events. */
export class EventFeed {
  text = "";
  isOver = false;
  /** `true` if the body ended in good order. */
  isWhole = false;
  readonly ended: Promise<void>;
  readonly #patience: number;
  #events: RawEvent[] = [];
  #taken = 0;
  #wake: () => void = () => {};

  /** `patience` is the longest wait for something that should come, in milliseconds. */
  constructor(body: Readable, patience: number) {
    this.#patience = patience;
    body.setEncoding("utf8");
    body.on("data", (text: string) => {
      this.text += text;
      this.#events = this.text.split("\n\n").slice(0, -1).map(eventOf);
      this.#wake();
    });
    this.ended = new Promise((resolve) => {
      body.once("end", () => {
        this.isWhole = true;
        resolve();
      });
      body.on("error", () => resolve());
      body.once("close", () => resolve());
    });
    void this.ended.then(() => {
      this.isOver = true;
      this.#wake();
    });
  }

  /** The next event, or `undefined` at the end of the body or of the wait. */
  async event(ms = this.#patience): Promise<RawEvent | undefined> {
    const until = performance.now() + ms;
    while (this.#taken >= this.#events.length && !this.isOver && performance.now() < until)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, until - performance.now());
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    const event = this.#events[this.#taken];
    if (event !== undefined) this.#taken += 1;
    return event;
  }

  /** The next message, with the fields of its event. */
  async message(ms = this.#patience): Promise<(RawEvent & { readonly frame: Frame }) | undefined> {
    const until = performance.now() + ms;
    for (;;) {
      const event = await this.event(until - performance.now());
      if (event === undefined) return undefined;
      const frame = event.data ? JSON.parse(event.data) : {};
      if (frame.jsonrpc !== undefined) return { ...event, frame };
    }
  }

  /** The next messages: texts of updates, and `answer` for an answer. Ends early if nothing comes. */
  async words(count: number, ms = this.#patience): Promise<string[]> {
    const words: string[] = [];
    while (words.length < count) {
      const message = await this.message(ms);
      if (message === undefined) return words;
      words.push(wordOf(message.frame));
    }
    return words;
  }
}

/** Returns the text of an update, the method of a call, or `answer`. */
export function wordOf({ method, params }: Frame): string {
  return params?.update?.content?.text ?? method ?? "answer";
}

function eventOf(text: string): RawEvent {
  const fields = text
    .split("\n")
    .map((line) => /^([a-z]+): ?(.*)$/.exec(line))
    .filter((match) => match !== null);
  return Object.fromEntries(fields.map(([, name, value]) => [name, value]));
}
