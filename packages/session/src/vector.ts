import { bytesOf, held } from "./bytes.js";
import { bytesOfPage, packed, pieceAt, SLOTS, savedBy, type TextPage } from "./text-page.js";

/**
 * Immutable list that grows cheaply: an append makes a new list that shares almost everything with the old. It reads
 * like a `readonly` array; {@link PersistentList.toArray} returns a real one. Where 64 pieces of text stand together
 * they are kept as one text: such a piece is a new object at each access. Other items are the same objects.
 */
export interface PersistentList<T> extends Iterable<T> {
  readonly length: number;
  /** Returns the item at an index, or `undefined` outside of the list. A negative index counts from the end. */
  at(index: number): T | undefined;
  /** Returns a frozen array. The same list returns the same array. */
  toArray(): readonly T[];
  toJSON(): readonly T[];
}

/**
 * A {@link PersistentList} whose members are also found by a key, in constant time. Positions stay as long as nothing is
 * removed (a state removes only what it trims, and a prompt that it moves to where the agent placed it).
 */
export interface KeyedList<T> extends PersistentList<T> {
  get(key: string): T | undefined;
  has(key: string): boolean;
  /** Returns the position of a key, or -1. */
  indexOf(key: string): number;
}

/** Rules by which a {@link KeyedList} finds its items. */
export type Naming<T> = {
  /** Returns the key of an item, and a second key if it has one. */
  names(item: T): readonly string[];
  /** Returns the bytes of an item, if they differ from those of its members. */
  weigh?(item: T): number;
};

/** Bits of a position that choose an item of a page; the others choose the page. */
export const BITS = 6;

/** Page of up to 64 items. A full page of nothing but text, in a list without names, is one text. */
type Page = unknown[] | TextPage;

/**
 * Pages of 64 items and their names. All lists of one line of appends share them. The longest list writes behind its
 * end in place, which shorter lists do not see. An append to a shorter list starts a new line.
 */
type Line<T> = {
  readonly pages: Page[];
  /** Number of items written. -1: the last page belongs to another line, and nothing may be written in place. */
  length: number;
  /** Bytes that the items save since the last append, which filled a page of text. */
  saved: number;
  readonly naming: Naming<T> | undefined;
  /** Positions by name. Names are only added, so an older state may not see all of them. */
  readonly positions: Map<string, number> | undefined;
};

/** Arrays that were requested. Stored apart, because few arrays are requested and each event makes a new list. */
const arrays = /* @__PURE__ */ new WeakMap<object, readonly unknown[]>();

/**
 * A list that never changes, with all but its last item in pages. Replacing the last item copies nothing: each piece of
 * a growing message does that in a timeline. Replacing another item copies its page and the list of pages. With names its
 * items are found by them. The fields are `#private` so that two lists made in different ways are deeply equal
 * when their items are.
 */
export class Vector<T> implements KeyedList<T> {
  readonly length: number;
  // Not a field: bundlers keep an unused class that has fields with computed names.
  declare readonly [held]: number;
  readonly #line: Line<T>;
  readonly #last: T | undefined;

  constructor(line: Line<T>, length = 0, last?: T, bytes = 0) {
    this.#line = line;
    this.length = length;
    this.#last = last;
    this[held] = bytes;
  }

  /** Returns an object that is shared by lists that each begin with the one before. */
  get line(): Line<T> {
    return this.#line;
  }

  at(index: number): T | undefined {
    const position = index < 0 ? index + this.length : index;
    if (position === this.length - 1) return this.#last;
    if (!(position >= 0 && position < this.length)) return undefined;
    return itemOf(this.#line.pages[position >> BITS], position & SLOTS) as T;
  }

  indexOf(key: string): number {
    const { naming, positions } = this.#line;
    const position = positions?.get(key) ?? -1;
    const item = position < 0 ? undefined : this.at(position);
    return item !== undefined && naming?.names(item).includes(key) ? position : -1;
  }

  get(key: string): T | undefined {
    const position = this.indexOf(key);
    return position < 0 ? undefined : this.at(position);
  }

  has(key: string): boolean {
    return this.indexOf(key) >= 0;
  }

  push(item: T): Vector<T> {
    const weigh = this.#line.naming?.weigh ?? bytesOf;
    return this.pushAll([item], weigh(item)).#named(this.length, item);
  }

  /** Returns the list with several more items, which are `grown` bytes together. Their names are not entered. */
  pushAll(items: readonly T[], grown: number): Vector<T> {
    let { length } = this;
    let line = this.#line;
    let last = this.#last;
    let bytes = this[held] + grown;
    for (const item of items) {
      line = length === 0 ? lineFor(line.naming) : extended(line, length - 1, last);
      bytes -= line.saved;
      last = item;
      length++;
    }
    return new Vector(line, length, last, bytes);
  }

  /** Replaces the item at a position. `grown` is the change of its bytes, if known for an item with the same names. */
  set(position: number, item: T, grown?: number): Vector<T> {
    const { length } = this;
    const isLast = position === length - 1;
    const line = isLast ? this.#line : replaced(this.#line, length - 1, position, item);
    const more = grown ?? bytesOf(item) - bytesOf(this.at(position));
    const next = new Vector(line, length, isLast ? item : this.#last, this[held] + more);
    return grown === undefined ? next.#named(position, item) : next;
  }

  /** Returns the list without its oldest pages of text if they exceed `most` bytes. Three quarters of `most` stay. */
  withoutOldText(most: number): Vector<T> {
    const line = this.#line;
    // Only an append that fills a page can exceed the bound.
    if (line.saved === 0 || this[held] <= most) return this;
    let text = 0;
    for (const page of line.pages) text += bytesOfPage(page);
    if (text <= most) return this;
    let left = text;
    const pages = line.pages.filter((page) => {
      const bytes = bytesOfPage(page);
      // The newest page stays.
      if (bytes === 0 || left <= (most * 3) / 4 || left === bytes) return true;
      left -= bytes;
      return false;
    });
    const gone = (line.pages.length - pages.length) << BITS;
    const shorter = lineLike(line, pages, line.length - gone);
    return gone === 0 ? this : new Vector(shorter, this.length - gone, this.#last, this[held] - text + left);
  }

  /** Returns a new list of other items with the same naming. */
  of(items: Iterable<T>): Vector<T> {
    let next = new Vector<T>(this.#line);
    for (const item of items) next = next.push(item);
    return next;
  }

  toArray(): readonly T[] {
    const known = arrays.get(this) ?? Object.freeze([...this]);
    arrays.set(this, known);
    return known as readonly T[];
  }

  toJSON(): readonly T[] {
    return this.toArray();
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let position = 0; position < this.length; position++) yield this.at(position) as T;
  }

  /**
   * Returns the list with the names of one item entered. All names are entered anew where a fork of the line uses one
   * for another position.
   */
  #named(position: number, item: T): Vector<T> {
    if (claim(this.#line, position, item)) return this;
    const line = { ...forked(this.#line, this.length - 1), positions: new Map() };
    let at = 0;
    for (const each of this) claim(line, at++, each);
    return new Vector(line, this.length, this.#last, this[held]);
  }
}

/** Returns an empty line. */
export function lineFor<T>(naming?: Naming<T>): Line<T> {
  return lineLike({ naming, positions: naming && new Map() }, [], 0);
}

/** All lines are made here with one shape for V8. With several shapes, V8 compiled the append code five times. */
function lineLike<T>(
  { naming, positions }: Pick<Line<T>, "naming" | "positions">,
  pages: Page[],
  length: number,
): Line<T> {
  return { pages, length, saved: 0, naming, positions };
}

/** Enters the names of an item for its position; false where another position has one of them. */
function claim<T>({ naming, positions }: Line<T>, position: number, item: T): boolean {
  for (const name of naming?.names(item) ?? []) {
    const known = positions?.get(name);
    if (known === undefined) positions?.set(name, position);
    else if (known !== position) return false;
  }
  return true;
}

/** Returns the line with one more item at `position`: in place at its tip, else as the beginning of another line. */
function extended<T>(line: Line<T>, position: number, item: unknown): Line<T> {
  const next = line.length === position ? line : forked(line, position);
  const at = position >> BITS;
  // A packed page is full, so this page is never packed.
  const page = (next.pages[at] ?? []) as unknown[];
  page.push(item);
  const text = page.length > SLOTS && line.naming === undefined ? packed(page) : undefined;
  next.pages[at] = text ?? page;
  next.saved = text === undefined ? 0 : savedBy(text);
  next.length++;
  return next;
}

/**
 * Returns the line with another item at an existing position. Its end belongs to the other line: the next append forks
 * it.
 */
function replaced<T>(line: Line<T>, length: number, position: number, item: unknown): Line<T> {
  const pages = line.pages.slice(0, (length >> BITS) + 1);
  const page = itemsOf(pages[position >> BITS] as Page, SLOTS + 1);
  page[position & SLOTS] = item;
  pages[position >> BITS] = page;
  return lineLike(line, pages, -1);
}

/** Returns a separate line that begins with so many items of another. */
function forked<T>(line: Line<T>, length: number): Line<T> {
  const pages = line.pages.slice(0, length >> BITS);
  const rest = length & SLOTS;
  if (rest > 0) pages.push(itemsOf(line.pages[length >> BITS] as Page, rest));
  return lineLike(line, pages, length);
}

const itemOf = (page: Page | undefined, slot: number): unknown =>
  page === undefined || Array.isArray(page) ? page?.[slot] : pieceAt(page, slot);

/** Returns the first items of a page as a new array. */
const itemsOf = (page: Page, length: number): unknown[] =>
  Array.isArray(page) ? page.slice(0, length) : Array.from({ length }, (_, slot) => pieceAt(page, slot));
