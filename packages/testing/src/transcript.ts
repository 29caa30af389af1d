import { type Channel, type CloseReason, type Contract, checkOptions } from "@turnkit/transport";
import { type TapEvent, tapChannel } from "@turnkit/transport/trace";
import { ExpectationError } from "./expectation-error.js";
import { show } from "./frame.js";
import { afterPatience, usualPatienceMs } from "./patience.js";
import { differenceFrom, type Pattern } from "./pattern.js";
import { EntryMaker, type Side, type TranscriptEntry } from "./transcript-entry.js";
import { faultOf } from "./transcript-validity.js";

/** Label of an entry, or a pattern of its members, such as `{ by: "agent", frame: { params: { sessionId: "s-1" } } }`. */
export type EntryPattern = string | Pattern;

/** Bounds of a {@link Transcript}. */
export type TranscriptOptions = {
  /**
   * Maximum number of entries. After a further entry, every expectation fails with `overflow`.
   *
   * @defaultValue 100 000
   */
  readonly limit?: number;
  /**
   * Time after which `when` fails, in milliseconds.
   *
   * @defaultValue 2 000
   */
  readonly patienceMs?: number;
};

/** Messages of a connection, in the order at one of its ends, with expectations about these messages. */
export interface Transcript {
  readonly entries: readonly TranscriptEntry[];
  /** Labels of the entries. */
  readonly labels: readonly string[];
  /**
   * Records one end of a connection. `side` is the side that uses this end. Use the returned channel instead of `channel`.
   */
  record<C extends Channel>(channel: C, side: Side): C;
  /** Returns the first matching entry, recorded earlier or later. */
  when(pattern: EntryPattern): Promise<TranscriptEntry>;
  /** Expects entries in this order. Other entries may stand between them. */
  expectInOrder(...patterns: readonly EntryPattern[]): void;
  /** Expects exactly these entries. */
  expectExactly(...patterns: readonly EntryPattern[]): void;
  /** Expects no matching entry. */
  expectNever(pattern: EntryPattern): void;
  /**
   * Expects all messages of one side, or of both sides, to follow a contract. Each message must have a known method in the
   * right direction, with valid params and results. Extension methods, whose names begin with `_`, are not checked.
   */
  expectValid(contract: Contract, side?: Side): void;
}

/** Creates an empty transcript. If an expectation fails, it throws an `ExpectationError` that shows the actual messages. */
export function createTranscript(options: TranscriptOptions = {}): Transcript {
  checkOptions("createTranscript", options, { limit: "number", patienceMs: "number" });
  return new WrittenTranscript(options);
}

const usualLimit = 100_000;
const shownEntries = 12;

type Wait = {
  readonly pattern: EntryPattern;
  readonly resolve: (entry: TranscriptEntry) => void;
  readonly reject: (error: ExpectationError) => void;
};

class WrittenTranscript implements Transcript {
  readonly entries: TranscriptEntry[] = [];
  readonly #maker = new EntryMaker();
  readonly #waits = new Set<Wait>();
  readonly #limit: number;
  readonly #patienceMs: number;
  #overflown = false;
  #closed: CloseReason | undefined;

  constructor({ limit = usualLimit, patienceMs = usualPatienceMs }: TranscriptOptions) {
    this.#limit = limit;
    this.#patienceMs = patienceMs;
  }

  get labels(): readonly string[] {
    return this.entries.map(({ label }) => label);
  }

  record<C extends Channel>(channel: C, side: Side): C {
    const otherSide = side === "agent" ? "client" : "agent";
    void channel.closed.then((reason) => this.#close(reason));
    const write = (event: TapEvent) => {
      // This recording is never redacted, so it leaves out no messages.
      if ("leftOut" in event) return;
      const by = event.direction === "sent" ? side : otherSide;
      this.#write(
        "invalidLine" in event ? this.#maker.invalidLine(by, event.invalidLine) : this.#maker.entry(by, event.message),
      );
    };
    return tapChannel(channel, write, { secrets: "show" });
  }

  when(pattern: EntryPattern): Promise<TranscriptEntry> {
    const known = this.entries.find((entry) => differenceOf(pattern, entry) === undefined);
    if (known !== undefined) return Promise.resolve(known);
    if (this.#overflown) return Promise.reject(this.#overflow());
    if (this.#closed !== undefined) return Promise.reject(this.#closedBefore(pattern, this.#closed));
    return new Promise((resolve, reject) => {
      const giveUp = afterPatience(this.#patienceMs, () => {
        const text = `expected ${name(pattern)} within ${this.#patienceMs} ms, got ${listed(this.entries)}`;
        wait.reject(new ExpectationError("timeout", text, { expected: pattern, actual: this.labels }));
      });
      const settling = <T>(settle: (value: T) => void) => {
        return (value: T) => {
          giveUp();
          this.#waits.delete(wait);
          settle(value);
        };
      };
      const wait: Wait = { pattern, resolve: settling(resolve), reject: settling(reject) };
      this.#waits.add(wait);
    });
  }

  expectInOrder(...patterns: readonly EntryPattern[]): void {
    this.#expectAll();
    let from = 0;
    for (const [index, pattern] of patterns.entries()) {
      const found = this.entries.findIndex((entry, at) => at >= from && differenceOf(pattern, entry) === undefined);
      if (found < 0) {
        const after = index === 0 ? "" : ` after ${name(patterns[index - 1])}`;
        const text = `expected ${name(pattern)}${after}, got ${listed(this.entries.slice(from))}`;
        throw new ExpectationError("mismatch", text, { expected: patterns.map(name), actual: this.labels });
      }
      from = found + 1;
    }
  }

  expectExactly(...patterns: readonly EntryPattern[]): void {
    this.#expectAll();
    const { entries } = this;
    for (let at = 0; at < Math.max(patterns.length, entries.length); at++) {
      const entry = entries[at];
      const wanted = at < patterns.length ? name(patterns[at]) : "nothing more";
      const difference = entry !== undefined && at < patterns.length ? differenceOf(patterns[at], entry) : "";
      if (difference === undefined) continue;
      const after = at === 0 ? "" : ` after ${entries[at - 1]?.label}`;
      const details = difference === "" ? "" : ` (${difference})`;
      const text = `expected ${wanted}${after}, got ${listed(entries.slice(at))}${details}`;
      throw new ExpectationError("mismatch", text, { expected: patterns.map(name), actual: this.labels });
    }
  }

  expectNever(pattern: EntryPattern): void {
    this.#expectAll();
    const at = this.entries.findIndex((entry) => differenceOf(pattern, entry) === undefined);
    if (at < 0) return;
    const entry = this.entries[at] as TranscriptEntry;
    const after = at === 0 ? "" : ` after ${this.entries[at - 1]?.label}`;
    const text = `expected never ${name(pattern)}, got ${entry.label}${after}: ${show(entry.frame)}`;
    throw new ExpectationError("unexpected", text, { actual: entry.frame });
  }

  expectValid(contract: Contract, side?: Side): void {
    this.#expectAll();
    for (const [at, entry] of this.entries.entries()) {
      const fault = side === undefined || side === entry.by ? faultOf(entry, contract) : undefined;
      if (fault === undefined) continue;
      const text = `entry ${at + 1}, ${entry.label}: ${fault} in ${show(entry.frame)}`;
      throw new ExpectationError("invalid", text, { actual: entry.frame });
    }
  }

  #write(entry: TranscriptEntry): void {
    if (this.entries.length >= this.#limit) {
      this.#overflown = true;
      for (const wait of [...this.#waits]) wait.reject(this.#overflow());
      return;
    }
    this.entries.push(entry);
    for (const wait of this.#waits) {
      if (differenceOf(wait.pattern, entry) !== undefined) continue;
      wait.resolve(entry);
    }
  }

  #close(reason: CloseReason): void {
    this.#closed = reason;
    for (const wait of [...this.#waits]) wait.reject(this.#closedBefore(wait.pattern, reason));
  }

  #closedBefore(pattern: EntryPattern, { message, cause }: CloseReason): ExpectationError {
    const text = `expected ${name(pattern)}, but the channel closed: ${message} Said was ${listed(this.entries)}`;
    return new ExpectationError("closed", text, { expected: pattern, actual: this.labels, cause });
  }

  #expectAll(): void {
    if (this.#overflown) throw this.#overflow();
  }

  #overflow(): ExpectationError {
    const text = `The transcript has more than ${this.#limit} entries. Raise its limit.`;
    return new ExpectationError("overflow", text);
  }
}

function differenceOf(pattern: EntryPattern, entry: TranscriptEntry): string | undefined {
  return differenceFrom(typeof pattern === "string" ? { label: pattern } : pattern, entry);
}

function name(pattern: EntryPattern): string {
  return typeof pattern === "string" ? pattern : show(pattern);
}

function listed(entries: readonly TranscriptEntry[]): string {
  if (entries.length === 0) return "nothing";
  const more = entries.length - shownEntries;
  const labels = entries.slice(0, shownEntries).map(({ label }) => label);
  return `${labels.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
