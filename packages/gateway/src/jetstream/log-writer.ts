import { Deferred } from "@turnkit/agent/driver";
import type { Room } from "@turnkit/transport";
import { EventQueue, type ReadyMessage } from "./event-queue.js";
import { decodeLogMessage, encodeLogMessage, type LogMessageHead } from "./log-message.js";
import { patiently, pause, pauseAfter } from "./retries.js";
import { type Clock, isStoreFault, type Subjects } from "./store.js";

/** Number of unwritten bytes at which `add` returns a promise of room. */
const ROOM_BYTES = 1024 * 1024;

/** Maximum number of unwritten bytes. Above it the writer fails, because the server is too slow. */
const UNWRITTEN_BYTES = 64 * 1024 * 1024;

/** Time for which the append of one message is repeated, in milliseconds. */
const APPEND_MS = 30_000;

/** End of a subject for one writer: the sequence of its last message, and the number of events so far. */
export type End = { readonly after: number; readonly index: number };

/** Parts of a writer. */
export type LogWriterParts = {
  readonly subjects: Subjects;
  readonly clock: Clock;
  readonly subject: string;
  readonly epoch: number;
  readonly end: End;
  /** Returns false if this process no longer owns the session. The writer then sends nothing. */
  readonly mayWrite: () => boolean;
  /**
   * Called once, when the writer can no longer write. `lost` if a newer owner has written, or the session was deleted.
   */
  readonly onEnd: (how: "lost" | "failed", error: Error) => void;
};

type Waiter = { readonly count: number; readonly done: Deferred<Error | undefined> };

/**
 * Appends events to a subject. Each message contains the sequence of the previous message, so that one of two writers
 * fails. While a message has no answer, further events wait, and are sent as one message.
 */
// NATS-02
export class LogWriter {
  readonly #parts: LogWriterParts;
  readonly #queue: EventQueue;
  /**
   * Prefix of the ids of messages. Another writer of this epoch begins after another message, so its prefix differs.
   */
  readonly #run: string;
  #end: End;
  #added = 0;
  #stored = 0;
  #waiters: Waiter[] = [];
  #writing: Promise<void> | undefined;
  #failure: Error | undefined;
  #room: Deferred<void> | undefined;

  constructor(parts: LogWriterParts) {
    this.#parts = parts;
    this.#end = parts.end;
    this.#queue = new EventQueue(parts.subjects.maxBytes);
    this.#run = `${parts.subject}:${parts.epoch}:${parts.end.after}`;
  }

  /** End of the stored messages. */
  get end(): End {
    return this.#end;
  }

  /** Takes an event as JSON. If a promise is returned, await it before the next event. */
  add(event: Uint8Array): Room {
    if (this.#failure !== undefined) return undefined;
    this.#queue.add(event);
    this.#added += 1;
    if (this.#queue.bytes > UNWRITTEN_BYTES) {
      this.#fail("failed", new Error("too many bytes wait to be written"));
      return undefined;
    }
    // The events of one step of the program become one message.
    this.#writing ??= Promise.resolve().then(() => this.#write());
    if (this.#queue.bytes < ROOM_BYTES) return undefined;
    this.#room ??= new Deferred();
    return this.#room.promise;
  }

  /** Settles when all earlier events are stored. Rejects if they cannot be stored. */
  async stored(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#stored === this.#added) return;
    const done = new Deferred<Error | undefined>();
    this.#waiters.push({ count: this.#added, done });
    const failure = await done.promise;
    if (failure !== undefined) throw failure;
  }

  /** Stops writing, and drops waiting events. */
  stop(error: Error): void {
    this.#failure ??= error;
    this.#drop();
  }

  async #write(): Promise<void> {
    try {
      while (!this.#queue.isEmpty && this.#failure === undefined) {
        const message = this.#queue.take({ epoch: this.#parts.epoch, index: this.#end.index });
        const sequence = await this.#store(message);
        this.#end = { after: sequence, index: message.head.index + message.head.count };
        this.#stored += message.head.count;
        this.#settle();
      }
    } catch (error) {
      this.#fail(error instanceof Lost ? "lost" : "failed", error as Error);
    } finally {
      this.#writing = undefined;
    }
  }

  #settle(): void {
    while (this.#waiters[0] !== undefined && this.#waiters[0].count <= this.#stored)
      this.#waiters.shift()?.done.resolve(undefined);
    if (this.#queue.bytes >= ROOM_BYTES) return;
    this.#room?.resolve(undefined);
    this.#room = undefined;
  }

  /** Stores a message once, and returns its sequence. A message without an answer is sent again. */
  async #store({ head, data }: ReadyMessage): Promise<number> {
    const { subjects, subject, clock } = this.#parts;
    const { after } = this.#end;
    const id = `${this.#run}:${head.index}:${head.part ?? ""}`;
    const until = clock.now() + APPEND_MS;
    for (let failures = 1; ; failures += 1) {
      if (this.#failure !== undefined) throw this.#failure;
      if (!this.#parts.mayWrite()) throw new Lost("the time without a renewal has passed");
      try {
        return await subjects.append(subject, data, { id, after });
      } catch (error) {
        const found = isStoreFault(error, "refused") ? await this.#found(head) : undefined;
        if (found !== undefined) return found;
        if (isStoreFault(error, "final") || clock.now() >= until) throw error;
      }
      await pause(clock, pauseAfter(failures));
    }
  }

  /**
   * Searches for a refused message at the end of the subject. If the message was stored and only the answer was lost,
   * returns its sequence. If the end has not changed, returns `undefined`; the message can then be sent again.
   */
  async #found(head: LogMessageHead): Promise<number | undefined> {
    const { subjects, subject, clock } = this.#parts;
    const last = await patiently(clock, () => subjects.last(subject));
    const { after } = this.#end;
    if (last === undefined && after > 0) throw new Lost("it was deleted");
    if (last === undefined || last.sequence <= after) return undefined;
    const theirs = decodeLogMessage(last.data).head;
    if (theirs.epoch > head.epoch) throw new Lost("another owner has written");
    if (isSame(theirs, head)) return last.sequence;
    throw new Error(`the end of ${subject} has an unknown message`);
  }

  #fail(how: "lost" | "failed", error: Error): void {
    if (this.#failure === undefined) {
      this.#failure = error;
      this.#parts.onEnd(how, error);
    }
    this.#drop();
  }

  #drop(): void {
    this.#queue.clear();
    for (const { done } of this.#waiters.splice(0)) done.resolve(this.#failure);
    this.#room?.resolve(undefined);
    this.#room = undefined;
  }
}

/** Failure of a writer whose session has another owner. */
class Lost extends Error {}

const isSame = (one: LogMessageHead, other: LogMessageHead): boolean =>
  one.epoch === other.epoch && one.index === other.index && one.part === other.part && one.count === other.count;

/** Returns the end of a subject after its last message. The index is at least `atLeast`. */
export async function endOf(
  subjects: Subjects,
  subject: string,
  atLeast: number,
): Promise<End & { readonly epoch: number }> {
  const last = await subjects.last(subject);
  if (last === undefined) return { after: 0, index: atLeast, epoch: 0 };
  const { epoch, index, count } = decodeLogMessage(last.data).head;
  return { after: last.sequence, index: Math.max(atLeast, index + count), epoch };
}

/**
 * Marks the beginning of an epoch in a subject. From then on, writers of older epochs fail. Returns the new end, or `undefined`
 * if a newer owner has written already.
 */
export async function markEpoch(
  { subjects, clock, subject, epoch }: Pick<LogWriterParts, "subjects" | "clock" | "subject" | "epoch">,
  atLeast: number,
): Promise<End | undefined> {
  const mark = async (): Promise<End | "again" | undefined> => {
    const end = await endOf(subjects, subject, atLeast);
    if (end.epoch > epoch) return undefined;
    // The answer to an earlier attempt was lost.
    if (end.epoch === epoch) return end;
    const data = encodeLogMessage({ epoch, index: end.index, count: 0 }, []);
    try {
      const after = await subjects.append(subject, data, {
        id: `${subject}:${epoch}:${end.after}:mark`,
        after: end.after,
      });
      return { after, index: end.index };
    } catch (error) {
      if (isStoreFault(error, "refused")) return "again";
      throw error;
    }
  };
  for (;;) {
    const end = await patiently(clock, mark);
    if (end !== "again") return end;
  }
}
