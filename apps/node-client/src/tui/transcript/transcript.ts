import { diffStates, type Entry, type PersistentList, type SessionState } from "@turnkit/session";
import { endingLines } from "../../render/ending.js";
import { type Line, lineWidth } from "../../render/line.js";
import { growingThought } from "../../render/message.js";
import { wrap } from "../../render/wrap.js";
import { isFinished, isResting, saysMore, seenItems } from "./entry-life.js";
import { entryLines } from "./entry-lines.js";
import { createMessageView, type MessageView } from "./message-view.js";

/**
 * The conversation as it goes by: what cannot change any more is printed once, in the order of the timeline, and what
 * still grows is drawn anew with every frame. Costs as much as has changed, however long the session is.
 */
export interface Transcript {
  /** Looks at the newest state. */
  update(state: SessionState): void;
  /** Nothing more is seen of the session: the next `update` prints what still changes as it stands. */
  end(): void;
  /** Says something on behalf of this program, after what is printed so far. */
  note(lines: readonly Line[]): void;
  /** What is to be printed for good; each call takes what came since the one before. */
  take(): readonly Line[];
  /** Whether `take` has not had all yet of a long session: `update` goes on with it. */
  readonly hasMore: boolean;
  /** What still changes; without the entry of that key, which is shown elsewhere. */
  live(without?: string): readonly Line[];
}

/** How a transcript is drawn. */
export type TranscriptOptions = { readonly width: () => number; readonly directory: string };

/** Lines that are made at once: a restored session is printed in steps, so that it never takes the screen long. */
const MAX_OUT = 400;

/** Lines that may wait while nothing is printed; what this program would say then is left out. */
const MAX_WAITING = 5000;

/** Makes a {@link Transcript}. */
export function createTranscript(options: TranscriptOptions): Transcript {
  return new TimelineTranscript(options);
}

class TimelineTranscript implements Transcript {
  readonly #width: () => number;
  readonly #directory: string;
  /** What is on the screen for good, and what it said then. */
  readonly #printed = new Map<string, Entry>();
  readonly #growing = new Map<string, MessageView>();
  /** Entries that changed after they were printed, as they were seen last. */
  readonly #late = new Map<string, Entry>();
  #out: Line[] = [];
  #live: { readonly key: string; readonly lines: readonly Line[] }[] = [];
  #state: SessionState | undefined;
  #next = 0;
  #seenLast: Entry | undefined;
  #before: Entry["type"] | undefined;
  #hasMore = false;
  #isOver = false;
  /** The end that was told last; of turns before the session was opened here none is. */
  #ending: { readonly turn: SessionState["lastTurn"] } | undefined;

  constructor({ width, directory }: TranscriptOptions) {
    this.#width = width;
    this.#directory = directory;
  }

  update(state: SessionState): void {
    const previous = this.#state;
    this.#state = state;
    if (previous !== undefined) this.#findLate(previous, state);
    this.#live = [];
    this.#hasMore = false;
    const resting = this.#isOver || isResting(state);
    let isOpen = false;
    for (let position = this.#next; position < state.timeline.length; position += 1) {
      const entry = state.timeline.at(position) as Entry;
      // What is trimmed from the state of a long session stands on the screen already.
      if (entry.type === "trimmed" && this.#printed.size > 0) this.#printed.set(entry.key, entry);
      if (this.#printed.has(entry.key)) continue;
      if (this.#out.length >= MAX_OUT) {
        this.#hasMore = true;
        return;
      }
      const isLast = position === state.timeline.length - 1;
      if (!isOpen && (isFinished(entry, isLast) || (resting && this.#isQuiet(entry, isLast)))) {
        this.#print(entry, state);
        this.#next = position + 1;
      } else {
        this.#draw(entry, state, isOpen);
        isOpen = true;
      }
    }
    this.#seenLast = state.timeline.at(-1);
    if (!resting) return;
    this.#printLate(state);
    if (isOpen) return;
    const isNews = this.#ending !== undefined && state.lastTurn !== this.#ending.turn;
    if (isNews && state.lastTurn !== undefined)
      this.#out.push(...endingLines(state.lastTurn, { width: this.#width(), detail: "short" }));
    this.#ending = { turn: state.lastTurn };
  }

  end(): void {
    this.#isOver = true;
  }

  note(lines: readonly Line[]): void {
    if (this.#out.length > MAX_WAITING) return;
    this.#out.push([], ...lines);
    this.#before = undefined;
  }

  take(): readonly Line[] {
    const taken = fit(this.#out, this.#width());
    this.#out = [];
    return taken;
  }

  get hasMore(): boolean {
    return this.#hasMore;
  }

  live(without?: string): readonly Line[] {
    const shown = this.#live.flatMap(({ key, lines }) => (key === without ? [] : lines));
    return fit(shown, this.#width());
  }

  #print(entry: Entry, state: SessionState): void {
    const view = this.#growing.get(entry.key);
    if (view !== undefined && entry.type === "message") {
      view.update(entry);
      view.end();
      this.#out.push(...view.take());
    } else this.#out.push(...this.#gap(entry), ...this.#lines(entry, state));
    this.#growing.delete(entry.key);
    this.#printed.set(entry.key, entry);
    this.#before = entry.type;
  }

  /** An entry that is not finished. The first of them may print what is finished of it. */
  #draw(entry: Entry, state: SessionState, isBehind: boolean): void {
    if (entry.type === "message" && entry.role === "agent") {
      const view = this.#growing.get(entry.key) ?? createMessageView(this.#width);
      this.#growing.set(entry.key, view);
      view.update(entry);
      if (!isBehind) {
        const finished = view.take();
        this.#out.push(...finished);
        if (finished.length > 0) this.#before = entry.type;
      }
      this.#live.push({ key: entry.key, lines: view.shown() });
    } else if (entry.type === "message" && entry.role === "thought") {
      this.#live.push({ key: entry.key, lines: [[], ...growingThought(entry, this.#width())] });
    } else this.#live.push({ key: entry.key, lines: [...this.#gap(entry), ...this.#lines(entry, state)] });
  }

  /** Some agents go on after the end of a turn: their last message is finished when a frame brought nothing more. */
  #isQuiet(entry: Entry, isLast: boolean): boolean {
    if (this.#isOver || !isLast || entry.type !== "message" || entry === this.#seenLast) return true;
    this.#hasMore = true;
    return false;
  }

  #lines(entry: Entry, state: SessionState): readonly Line[] {
    return entryLines(entry, state, { width: this.#width(), directory: this.#directory, detail: "short" });
  }

  /** Calls of tools stand together. */
  #gap(entry: Entry): readonly Line[] {
    return entry.type === "tool_call" && this.#before === "tool_call" ? [] : [[]];
  }

  #findLate(previous: SessionState, state: SessionState): void {
    const { changed, removed, moved } = diffStates(previous, state).timeline;
    for (const key of removed) {
      this.#printed.delete(key);
      this.#growing.delete(key);
    }
    if (removed.length > 0 || moved) this.#next = 0;
    for (const { item } of changed) {
      const printed = this.#printed.get(item.key);
      if (printed !== undefined && saysMore(printed, item)) this.#late.set(item.key, printed);
    }
  }

  /** When the agent rests, and an entry has not changed for one frame, its news are printed. */
  #printLate(state: SessionState): void {
    for (const [key, seen] of this.#late) {
      const entry = state.timeline.get(key);
      const printed = this.#printed.get(key);
      if (entry !== undefined && entry !== seen) {
        this.#late.set(key, entry);
        this.#hasMore = true;
        continue;
      }
      this.#late.delete(key);
      if (entry === undefined || printed === undefined) continue;
      this.#out.push(...this.#news(printed, entry, state));
      this.#printed.set(key, entry);
    }
  }

  /** What a message has more than before; of anything else all of it, as it is now. */
  #news(printed: Entry, entry: Entry, state: SessionState): readonly Line[] {
    if (printed.type === "message" && entry.type === "message") {
      const seen = seenItems(printed, entry);
      if (seen !== undefined && seen < entry.content.length) {
        return [[], ...this.#lines({ ...entry, content: tailOf(entry.content, seen) }, state)];
      }
    }
    return [[], [["dim", "↻ This has changed since:"]], ...this.#lines(entry, state)];
  }
}

/** The items from a position on, as much of a sequence as drawing one needs. */
function tailOf<T>(sequence: PersistentList<T>, from: number): PersistentList<T> {
  const items = sequence.toArray().slice(from);
  return Object.assign(items, { toArray: () => items, toJSON: () => items });
}

/** Lines that were made for a wider screen are broken once more. */
function fit(lines: readonly Line[], width: number): readonly Line[] {
  return lines.flatMap((line) => (lineWidth(line) <= width ? [line] : wrap(line, width, { at: "width" })));
}
