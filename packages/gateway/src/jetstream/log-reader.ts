import { decodeLogMessage, joined, type LogMessage, linesOf, parsed } from "./log-message.js";
import { patiently } from "./retries.js";
import type { Clock, StoredMessage, Subjects } from "./store.js";

/** Range of a subject that is read. */
export type ReadRange = {
  readonly subject: string;
  /** Sequences of the first and the last message that may belong to the range. */
  readonly from: number;
  readonly to: number;
  /** Number of events before the range. */
  readonly index: number;
  /** True if the beginning may be missing, because the server drops old messages. */
  readonly mayBeCut: boolean;
};

/** Yields the messages of a subject, each once, in the order of their sequences. */
async function* messagesOf(
  subjects: Subjects,
  clock: Clock,
  { subject, from, to, mayBeCut }: ReadRange,
): AsyncGenerator<StoredMessage> {
  for (let next = from; next <= to; ) {
    const at = next;
    const message = await patiently(clock, () => subjects.next(subject, at));
    if (message === undefined || message.sequence > to) {
      // The last message existed when the read began.
      if (!mayBeCut) throw missing(subject);
      return;
    }
    yield message;
    next = message.sequence + 1;
  }
}

/**
 * Yields the events of a range. One message is in memory at a time, and the parts of one large event.
 *
 * @throws Error if events are missing in the middle
 */
export async function* eventsOf(subjects: Subjects, clock: Clock, range: ReadRange): AsyncGenerator<object> {
  const assembly = new Assembly(range);
  for await (const { data } of messagesOf(subjects, clock, range)) yield* assembly.add(decodeLogMessage(data));
}

/** Events of messages in the order of the log. */
class Assembly {
  readonly #range: ReadRange;
  #epoch = 0;
  #index: number;
  #parts: Uint8Array[] = [];
  #hasBegun = false;

  constructor(range: ReadRange) {
    this.#range = range;
    this.#index = range.index;
  }

  // NATS-04
  *add({ head, body }: LogMessage): Generator<object> {
    // A message of an owner that had already lost the session.
    if (head.epoch < this.#epoch) return;
    if (head.epoch > this.#epoch) this.#parts = [];
    this.#epoch = head.epoch;
    if (head.index > this.#index) this.#skipTo(head.index);
    this.#hasBegun = true;
    if (head.part !== undefined) return yield* this.#addPart(head.part, head.count, body);
    const known = this.#index - head.index;
    if (head.count <= known) return;
    this.#index = head.index + head.count;
    yield* linesOf(body, known);
  }

  *#addPart(part: number, count: number, body: Uint8Array): Generator<object> {
    if (part !== this.#parts.length) {
      if (!this.#range.mayBeCut) throw missing(this.#range.subject);
      if (count > 0) this.#index += count;
      return;
    }
    this.#parts.push(body);
    if (count === 0) return;
    const event = joined(this.#parts);
    this.#parts = [];
    this.#index += 1;
    yield parsed(event);
  }

  #skipTo(index: number): void {
    if (this.#hasBegun || !this.#range.mayBeCut) throw missing(this.#range.subject);
    this.#index = index;
  }
}

const missing = (subject: string): Error =>
  new Error(`events of ${subject} are missing; they may have been replaced by a snapshot`);
