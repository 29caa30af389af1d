import { ByteLines, readLine } from "./byte-lines.js";
import { Conversation } from "./conversation.js";
import type { Entry, Side } from "./entry.js";
import { settlesWithin } from "./patience.js";

const encoder = new TextEncoder();

/** Largest output of a program in one conversation, in MiB. A conversation needs less than a hundredth of it. */
const FLOOD_MIB = 64;

/** Most lines of a program in one conversation. A line of one byte takes some hundred bytes of memory. */
const FLOOD_LINES = 20_000;

/** Output of a program that ends a conversation, as words. */
export const FLOOD = `${FLOOD_MIB} MiB or ${FLOOD_LINES} lines`;

/** Two streams of bytes with one JSON message a line, to a program that is checked. */
export type PeerPipe = {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  kill?(): Promise<void>;
};

/** Lines between the runner and a program that is checked, in both directions, with a record of them. */
export class PeerLine {
  readonly talk = new Conversation();
  /** Settles when the output of the program has ended. */
  readonly ended: Promise<void>;
  readonly pipe: PeerPipe;
  /** Receives the entries of the program. */
  onEntry: (entry: Entry) => void = () => {};
  readonly #own: Side;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #isOpen = true;
  #reading: Promise<void> = Promise.resolve();
  #read = () => {};
  #stop = () => {};

  /** `own` is the side of the runner. */
  constructor(pipe: PeerPipe, own: Side) {
    this.pipe = pipe;
    this.#own = own;
    this.#writer = pipe.writable.getWriter();
    this.#writer.closed.catch(() => {});
    this.ended = this.#listen().finally(() => this.talk.end());
  }

  /** Writes one message. */
  frame(frame: unknown, deliberate?: true): Entry {
    const entry = this.talk.add({ by: this.#own, frame, ...(deliberate && { deliberate }) });
    this.#write(encoder.encode(`${JSON.stringify(frame)}\n`));
    return entry;
  }

  /** Writes text unchanged, in pieces of the given sizes in bytes. The last piece has the rest. */
  text(text: string, sizes: readonly number[] = []): readonly Entry[] {
    const entries = this.#add(text);
    for (const piece of piecesOf(text, sizes)) this.#write(piece);
    return entries;
  }

  /** Like {@link text}, with a pause of `ms` milliseconds after each piece. A pipe would join the pieces otherwise. */
  async slowly(text: string, sizes: readonly number[], ms: number): Promise<readonly Entry[]> {
    const entries = this.#add(text);
    for (const piece of piecesOf(text, sizes)) {
      this.#write(piece);
      await settlesWithin(this.ended, ms);
    }
    return entries;
  }

  /** Stops reading the output of the program, until the returned function is called. */
  pause(): () => void {
    this.#reading = new Promise((resolve) => {
      this.#read = resolve;
    });
    return this.#read;
  }

  /** Closes the input of the program. Returns `true` if its output ends within `ms` milliseconds. */
  async end(ms: number): Promise<boolean> {
    if (this.#isOpen) {
      this.#isOpen = false;
      this.#writer.close().catch(() => {});
    }
    return settlesWithin(this.ended, ms);
  }

  /** Ends the program, gently at first. */
  async close(ms: number): Promise<void> {
    this.#read();
    await this.end(ms);
    await this.pipe.kill?.();
    if (!(await settlesWithin(this.ended, ms))) this.#stop();
  }

  #add(text: string): readonly Entry[] {
    const lines = new ByteLines();
    const read = [...lines.add(encoder.encode(text)), ...lines.end()].flatMap((line) => readLine(line) ?? []);
    return read.map((line) => this.talk.add({ by: this.#own, ...line, deliberate: true }));
  }

  #write(bytes: Uint8Array): void {
    if (this.#isOpen) this.#writer.write(bytes).catch(() => {});
  }

  async #listen(): Promise<void> {
    const reader = this.pipe.readable.getReader();
    // A daemon may have inherited the output, and keep it open.
    this.#stop = () => void reader.cancel().catch(() => {});
    const lines = new ByteLines();
    let [bytesLeft, linesLeft] = [FLOOD_MIB * 1024 * 1024, FLOOD_LINES];
    try {
      while (true) {
        await this.#reading;
        const { done, value } = await reader.read();
        const found = done ? lines.end() : lines.add(value);
        bytesLeft -= value?.length ?? 0;
        linesLeft -= found.length;
        if (bytesLeft < 0 || linesLeft < 0) {
          this.talk.flood();
          this.#stop();
          return;
        }
        for (const line of found) this.#take(line);
        if (done) return;
      }
    } catch {
      // An output that breaks has ended.
    }
  }

  #take(bytes: Uint8Array): void {
    const line = readLine(bytes);
    if (line !== undefined) this.onEntry(this.talk.add({ by: this.#own === "agent" ? "client" : "agent", ...line }));
  }
}

function piecesOf(text: string, sizes: readonly number[]): readonly Uint8Array[] {
  const bytes = encoder.encode(text);
  let from = 0;
  const pieces = sizes.map((size) => {
    from += size;
    return bytes.subarray(from - size, from);
  });
  return [...pieces, bytes.subarray(from)].filter(({ length }) => length > 0);
}
