import { type Entry, isObject, type Line, type Side, textOf } from "./entry.js";
import { afterPatience } from "./patience.js";

type Wait = { readonly fits: (entry: Entry) => boolean; readonly settle: (entry: Entry | undefined) => void };

/** Number of entries that are kept at the start and at the end of a flood. */
const KEPT = 100;

/** Record of both directions of one connection, in the order of the runner. */
export class Conversation {
  readonly entries: Entry[] = [];
  /** `true` when the other side has closed its output. */
  ended = false;
  /** `true` when the other side has sent more than a conversation may have. */
  flooded = false;
  readonly #began = performance.now();
  readonly #asked = new Map<string, Entry>();
  readonly #waits = new Set<Wait>();

  add(line: Line): Entry {
    const entry: Entry = {
      index: this.entries.length,
      ms: performance.now() - this.#began,
      ...line,
      ...this.#read(line),
    };
    if (entry.kind === "request") this.#asked.set(keyOf(entry.by, (entry.frame as { id: unknown }).id), entry);
    this.entries.push(entry);
    for (const wait of [...this.#waits]) if (wait.fits(entry)) wait.settle(entry);
    return entry;
  }

  /** Ends all waits, because nothing more arrives. */
  end(): void {
    this.ended = true;
    for (const wait of [...this.#waits]) wait.settle(undefined);
  }

  /** Ends the conversation with a side that sends too much. Its first and last entries stay. */
  flood(): void {
    this.flooded = true;
    this.entries.splice(KEPT, Math.max(0, this.entries.length - 2 * KEPT));
    this.end();
  }

  /**
   * Returns the first fitting entry from the place `from` on, which has arrived or will arrive. Returns `undefined` after `ms`
   * milliseconds, and at the end of the other side's output.
   */
  when(fits: (entry: Entry) => boolean, { ms, from = 0 }: { readonly ms: number; readonly from?: number }) {
    const known = this.entries.find((entry) => entry.index >= from && fits(entry));
    if (known !== undefined || this.ended) return Promise.resolve(known);
    return new Promise<Entry | undefined>((resolve) => {
      const stop = afterPatience(ms, () => wait.settle(undefined));
      const wait: Wait = {
        fits,
        settle: (entry) => {
          stop();
          this.#waits.delete(wait);
          resolve(entry);
        },
      };
      this.#waits.add(wait);
    });
  }

  /** Returns the entries of one side from a place on. */
  of(by: Side, from = 0): readonly Entry[] {
    return this.entries.filter((entry) => entry.by === by && entry.index >= from);
  }

  #read({ by, frame }: Line): Pick<Entry, "kind" | "method" | "request"> {
    if (!isObject(frame)) return { kind: "other" };
    if (typeof frame.method === "string")
      return { kind: "id" in frame ? "request" : "notification", method: frame.method };
    if (!("id" in frame) && !("error" in frame)) return { kind: "other" };
    const request = this.#asked.get(keyOf(by === "agent" ? "client" : "agent", frame.id));
    const kind = "error" in frame ? "error" : "result";
    return { kind, ...(request?.method !== undefined && { method: request.method, request }) };
  }
}

/** Returns the key of a request of one side. `1` and `"1"` are different ids. */
function keyOf(by: Side, id: unknown): string {
  return `${by} ${typeof id} ${textOf(id)}`;
}
