import type { ResumeRefusal } from "../../wire/resumption.js";

/** Bounds of the items that are kept after a reader has taken them. */
export type Retention = { readonly items: number; readonly size: number; readonly ms: number };

/** Sizes of all items of several logs. */
export class LogSizes {
  unread = 0;
  taken = 0;
  readonly #changed: (by: number) => void;

  /** `changed` gets each change of both sizes together. */
  constructor(changed: (by: number) => void = () => {}) {
    this.#changed = changed;
  }

  count(unread: number, taken: number): void {
    this.unread += unread;
    this.taken += taken;
    if (unread + taken !== 0) this.#changed(unread + taken);
  }
}

type Kept<T> = { readonly item: T; readonly size: number; takenAt: number | undefined };

/** Name of a log: a text that is shared by several logs, and a number of its own. */
export type LogName = { readonly family: string; readonly log: number };

/**
 * Ordered log of one stream. A reader takes items in order. Taken items are kept within bounds, so that a reader can
 * continue after any cursor that is still kept. Items that nobody has taken are never dropped by the log itself.
 */
// REM-38, REM-41
export class MessageLog<T> {
  readonly #name: LogName;
  readonly #retention: Retention;
  readonly #sizes: LogSizes;
  readonly #kept = new Map<number, Kept<T>>();
  /** Number of the oldest kept item. Items have the numbers 1, 2, 3, … */
  #first = 1;
  #last = 0;
  /** Number of the last taken item. */
  #position = 0;
  /** Number of the last item that was ever taken. It is higher than the position after a {@link seek}. */
  #given = 0;
  /** Number of the last item that the reader is known to have. */
  #confirmed = 0;
  #unread = 0;
  #taken = 0;

  constructor(name: LogName, retention: Retention, sizes = new LogSizes()) {
    this.#name = name;
    this.#retention = retention;
    this.#sizes = sizes;
  }

  /** Size of the items that no reader has taken. */
  get unread(): number {
    return this.#unread;
  }

  /** Size of the items that were taken and are kept. */
  get taken(): number {
    return this.#taken;
  }

  /** Number of items that no reader has taken. */
  get waiting(): number {
    return this.#last - this.#position;
  }

  /** `true` if nothing is kept. */
  get isEmpty(): boolean {
    return this.#kept.size === 0;
  }

  /** Cursor of the last taken item. A new log also has a cursor. */
  // REM-50
  get cursor(): string {
    return this.#cursorOf(this.#position);
  }

  /** Adds an item at the end. */
  append(item: T, size: number): void {
    this.#last += 1;
    this.#kept.set(this.#last, { item, size, takenAt: undefined });
    this.#count(size, 0);
  }

  /** Returns the item that {@link take} would return. */
  get next(): T | undefined {
    return this.#kept.get(this.#position + 1)?.item;
  }

  /** Returns the next item, or `undefined` if a reader has taken all. {@link cursor} is its place. */
  take(now: number): T | undefined {
    const kept = this.#kept.get(this.#position + 1);
    if (kept === undefined) return undefined;
    kept.takenAt ??= now;
    this.#moveTo(this.#position + 1);
    this.#given = Math.max(this.#given, this.#position);
    this.trim(now);
    return kept.item;
  }

  /**
   * Moves to the newest of these cursors, so that the items after it are taken again. Returns the reason if a cursor is
   * refused.
   */
  // REM-41, REM-51
  seek(cursors: readonly string[], now: number): ResumeRefusal | undefined {
    this.trim(now);
    const places = cursors.map((cursor) => this.#placeOf(cursor));
    const refusal = places.find((place) => typeof place === "string");
    if (refusal === undefined) this.#moveTo(Math.max(...(places as number[])));
    this.#confirmed = this.#position;
    return refusal;
  }

  /** Returns `true` if no item is missing after the last item that the reader is known to have. */
  canRestart(now: number): boolean {
    this.trim(now);
    return this.#confirmed >= this.#first - 1;
  }

  /** Moves to the last item that the reader is known to have. Used for a reader without a cursor. */
  restart(now: number): ResumeRefusal | undefined {
    const isLost = !this.canRestart(now);
    // The refusal reports the loss, and is sent only once.
    if (isLost) this.#confirmed = this.#position;
    else this.#moveTo(Math.min(this.#confirmed, this.#position));
    return isLost ? "cursor_expired" : undefined;
  }

  /** Confirms all items. A later reader without a cursor begins after them. */
  seal(): void {
    this.#confirmed = this.#last;
  }

  /** Removes the items that no reader has taken, and returns them. */
  dropUnread(): T[] {
    const dropped: T[] = [];
    for (let number = this.#position + 1; number <= this.#last; number += 1) {
      const kept = this.#kept.get(number) as Kept<T>;
      this.#kept.delete(number);
      this.#count(-kept.size, 0);
      dropped.push(kept.item);
    }
    this.dropTaken(Number.POSITIVE_INFINITY);
    this.#position = this.#last;
    this.#first = this.#last + 1;
    this.seal();
    return dropped;
  }

  /** Drops the oldest taken items, until `size` is dropped. */
  dropTaken(size: number): void {
    for (let dropped = 0; dropped < size && this.#first <= this.#position; ) dropped += this.#dropFirst();
  }

  /** Drops taken items that are above the bounds. */
  trim(now: number): void {
    const { items, size, ms } = this.#retention;
    for (let kept = this.#kept.get(this.#first); kept !== undefined && this.#first <= this.#position; ) {
      const count = this.#position - this.#first + 1;
      if (count <= items && this.#taken <= size && now - (kept.takenAt ?? now) <= ms) return;
      this.#dropFirst();
      kept = this.#kept.get(this.#first);
    }
  }

  #moveTo(number: number): void {
    const isBack = number < this.#position;
    for (let at = Math.min(number, this.#position) + 1; at <= Math.max(number, this.#position); at += 1) {
      const { size } = this.#kept.get(at) as Kept<T>;
      if (isBack) this.#count(size, -size);
      else this.#count(-size, size);
    }
    this.#position = number;
  }

  #dropFirst(): number {
    const { size } = this.#kept.get(this.#first) as Kept<T>;
    this.#kept.delete(this.#first);
    this.#first += 1;
    this.#count(0, -size);
    return size;
  }

  #count(unread: number, taken: number): void {
    this.#unread += unread;
    this.#taken += taken;
    this.#sizes.count(unread, taken);
  }

  #cursorOf(number: number): string {
    return `${this.#name.family}-${this.#name.log}-${number}`;
  }

  #placeOf(cursor: string): number | ResumeRefusal {
    const [family, log, text] = cursor.split("-");
    const number = Number(text);
    if (family !== this.#name.family || `${family}-${log}-${number}` !== cursor) return "cursor_unknown";
    if (log !== String(this.#name.log)) return "cursor_foreign";
    if (!Number.isSafeInteger(number) || number < 0 || number > this.#given) return "cursor_unknown";
    return number < this.#first - 1 ? "cursor_expired" : number;
  }
}
