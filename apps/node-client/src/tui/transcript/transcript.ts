import { diffStates, type Entry, type PersistentList, type SessionState } from "@turnkit/session";
import type { RenderContext } from "../../render/context.js";
import { endingLines } from "../../render/ending.js";
import type { Line } from "../../render/line.js";
import { growingThought } from "../../render/message.js";
import { lineWidth, screenLayout, wrap } from "../../render/wrap.js";
import { entryLines, isFinished, isResting, saysMore, seenItems } from "./entry-lines.js";
import { lettersOf } from "./letters.js";
import { createMessageView, type MessageView } from "./message-view.js";

/**
 * Maximum number of lines that are printed in one step. A restored session is printed in steps, so the screen stays
 * usable.
 */
const MAX_OUT = 400;

/** Maximum number of lines that wait to be printed. Further notes are dropped. */
const MAX_WAITING = 5000;

/**
 * Conversation on the screen. A final entry is printed once, in the order of the timeline. An unfinished entry is drawn
 * with each frame. The cost of a frame depends on the changes, not on the length of the session.
 */
export class Transcript {
  readonly #width: () => number;
  readonly #place: Pick<RenderContext, "directory" | "files">;
  /** Printed entries in the version that was printed. */
  readonly #printed = new Map<string, Entry>();
  readonly #growing = new Map<string, MessageView>();
  /** Last versions of entries that changed after they were printed. */
  readonly #late = new Map<string, Entry>();
  #out: Line[] = [];
  #live: { readonly key: string; readonly lines: readonly Line[] }[] = [];
  /** Lines of the unfinished entries in the last frame. */
  #shown: readonly { readonly key: string; readonly lines: readonly Line[] }[] = [];
  #state: SessionState | undefined;
  #next = 0;
  #seenLast: Entry | undefined;
  #before: Entry["type"] | undefined;
  #hasMore = false;
  #isOver = false;
  /** Last printed end of a turn. A session that is opened shows the end of its last turn too. */
  #ending: SessionState["lastTurn"];

  constructor({ width, ...place }: { readonly width: () => number } & Pick<RenderContext, "directory" | "files">) {
    this.#width = width;
    this.#place = place;
  }

  /**
   * Marks all entries of a state as printed, because an earlier connection to the agent has printed them. `ending` is
   * the last printed end of a turn.
   */
  skip(state: SessionState, ending: SessionState["lastTurn"]): void {
    this.#state = state;
    for (const entry of state.timeline) this.#printed.set(entry.key, entry);
    this.#next = state.timeline.length;
    this.#seenLast = state.timeline.at(-1);
    this.#ending = isSameEnd(ending, state.lastTurn) ? state.lastTurn : ending;
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
      // Trimmed entries of a long session are already on the screen, so the note about them is not printed.
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
    const { lastTurn } = state;
    if (lastTurn !== undefined && lastTurn !== this.#ending) this.#out.push(...endingLines(lastTurn, this.#context()));
    this.#ending = lastTurn;
  }

  /** Ends the transcript. The next `update` prints unfinished entries in their current form. */
  end(): void {
    this.#isOver = true;
  }

  /** Adds lines with a message of this program after all printed lines. */
  note(lines: readonly Line[]): void {
    if (this.#out.length > MAX_WAITING) return;
    this.#out.push([], ...lines);
    this.#before = undefined;
  }

  /** Counts rows of unfinished entries as printed, because they are in the history of the terminal. */
  addPrinted(rows: readonly Line[]): void {
    let letters = lettersOf(rows);
    for (const { key, lines } of this.#shown) {
      const own = lettersOf(lines);
      const seen = letters.startsWith(own) ? own : letters;
      if (!own.startsWith(seen)) return;
      this.#growing.get(key)?.leaveOut(seen);
      letters = letters.slice(seen.length);
      if (letters === "") return;
    }
  }

  /** Returns the lines to print since the last call. */
  take(): readonly Line[] {
    const taken = fit(this.#out, this.#width());
    this.#out = [];
    return taken;
  }

  /** `true` if more entries wait to be printed. Each `update` prints some of them. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /**
   * Returns the lines of the unfinished entries, without the entry whose key is `without`. If they have more than `room`
   * rows, their first rows are printed, so exactly `room` rows stay. A row that is neither printed nor returned would be
   * missing above the rows that the terminal moves into its history, and these could not be found again.
   */
  live(without?: string, room = Number.POSITIVE_INFINITY): readonly Line[] {
    const rowsOf = () => {
      const entries = this.#live.filter(({ key }) => key !== without);
      this.#shown = entries.map(({ key, lines }) => ({ key, lines: fit(lines, this.#width()) }));
      return this.#shown.flatMap(({ lines }) => lines);
    };
    let rows = rowsOf();
    while (rows.length > room && this.#printFirst(rows.length - room, without)) rows = rowsOf();
    return rows;
  }

  /**
   * Prints at least `count` rows of the first unfinished entry, or a whole entry that an unfinished message follows.
   * Returns `false` if nothing can be printed.
   */
  #printFirst(count: number, without: string | undefined): boolean {
    const [first, ...others] = this.#live;
    if (first === undefined || first.key === without) return false;
    const view = this.#growing.get(first.key);
    const rows = fit(first.lines, this.#width());
    if (view === undefined || rows.length === 0) {
      const entry = this.#state?.timeline.get(first.key);
      if (entry === undefined || !others.some(({ key }) => this.#growing.has(key))) return false;
      // A later change of the entry is printed below the message.
      if (view === undefined) this.#print(entry, this.#state as SessionState);
      this.#live = others;
      return true;
    }
    const most = rows.length - view.heldLines();
    // The view finds the printed rows by their letters. Rows without letters at the end would be shown again.
    let end = Math.min(count, most);
    while (end < most && lettersOf(rows.slice(end - 1, end)) === "") end += 1;
    const printed = rows.slice(0, end);
    const letters = lettersOf(printed);
    if (letters === "") return false;
    this.#out.push(...printed);
    view.leaveOut(letters);
    const rest = view.shown();
    this.#live = [{ key: first.key, lines: rest }, ...others];
    return fit(rest, this.#width()).length < rows.length;
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

  /** Draws an unfinished entry. If no other unfinished entry precedes this entry, its finished lines are printed. */
  #draw(entry: Entry, state: SessionState, isBehind: boolean): void {
    if (entry.type === "message" && entry.role === "agent") {
      const view = this.#growing.get(entry.key) ?? createMessageView(this.#width, this.#place.files);
      this.#growing.set(entry.key, view);
      view.update(entry);
      if (!isBehind) {
        const finished = view.take();
        this.#out.push(...finished);
        if (finished.length > 0) this.#before = entry.type;
      }
      this.#live.push({ key: entry.key, lines: view.shown() });
    } else if (entry.type === "message" && entry.role === "thought") {
      this.#live.push({ key: entry.key, lines: [[], ...growingThought(entry, this.#context())] });
    } else this.#live.push({ key: entry.key, lines: [...this.#gap(entry), ...this.#lines(entry, state)] });
  }

  /**
   * Returns `true` if the last entry is final while the agent rests. Some agents continue their last message after the
   * end of a turn. Such a message is final if it was unchanged for one frame.
   */
  #isQuiet(entry: Entry, isLast: boolean): boolean {
    if (this.#isOver || !isLast || entry.type !== "message" || entry === this.#seenLast) return true;
    this.#hasMore = true;
    return false;
  }

  #lines(entry: Entry, state: SessionState): readonly Line[] {
    return entryLines(entry, state, this.#context());
  }

  #context(): RenderContext {
    return { ...this.#place, width: this.#width(), detail: "short", layout: screenLayout };
  }

  /** Returns an empty line before an entry. Between two tool calls there is none. */
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

  /**
   * Prints entries that changed after they were printed. They must be unchanged for one frame while the agent rests.
   */
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

  /** Returns the lines of the new content of a message. For other entries, returns all lines. */
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

function tailOf<T>(sequence: PersistentList<T>, from: number): PersistentList<T> {
  const items = sequence.toArray().slice(from);
  return Object.assign(items, { toArray: () => items, toJSON: () => items });
}

/** Wraps lines again if they were made for a wider screen. */
function fit(lines: readonly Line[], width: number): readonly Line[] {
  return lines.flatMap((line) => (lineWidth(line) <= width ? [line] : wrap(line, width, { at: "width" })));
}

function isSameEnd(one: SessionState["lastTurn"], other: SessionState["lastTurn"]): boolean {
  return one?.stopReason === other?.stopReason && one?.error?.message === other?.error?.message;
}
