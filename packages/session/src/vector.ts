import { bytesOf, held } from "./bytes.js";
import { bytesOfPage, packed, pieceAt, SLOTS, savedBy, type TextPage } from "./text-page.js";

/**
 * Immutable list. An append creates a new list that shares almost all memory with the old one. It can be looped over, and has
 * `length` and `at`. It is not an array: read `list.at(0)`, because `list[0]` is `undefined`, and call `map`, `filter` and the like on
 * {@link PersistentList.toArray}. A group of 64 pieces of text is stored as one
 * text, so each access to such a piece returns a new object. Every access to another item returns the same object.
 */
export interface PersistentList<T> extends Iterable<T> {
  readonly length: number;
  /**
   * Returns the item at an index. Returns `undefined` if the list has no such index. A negative index counts from the
   * end.
   */
  at(index: number): T | undefined;
  /** Returns a frozen array. The same list returns the same array. */
  toArray(): readonly T[];
  toJSON(): readonly T[];
}

/**
 * {@link PersistentList} whose items can also be found by a key, in constant time. Positions stay while nothing is
 * removed. A state removes only trimmed entries, and prompts that it moves.
 */
export interface KeyedList<T> extends PersistentList<T> {
  get(key: string): T | undefined;
  has(key: string): boolean;
  /** Returns the position of a key, or -1 if the key does not exist. */
  indexOf(key: string): number;
}

/** Rules for the keys of a {@link KeyedList}. */
export type Naming<T> = {
  /** Returns the key of an item, followed by a second key if the item has one. */
  names(item: T): readonly string[];
  /** Returns the size of an item in bytes, if it differs from the size of its members. */
  weigh?(item: T): number;
};

/** Number of bits of a position that select an item of a page. The other bits select the page. */
export const BITS = 6;

/** Page of up to 64 items. A full page that contains only text, in a list without keys, is stored as one text. */
type Page = unknown[] | TextPage;

/**
 * Pages of 64 items, with their keys. A list and all lists that appends have made from it share one line. The longest
 * list writes after its end in place. Shorter lists do not read these items. An append to a shorter list creates new
 * pages.
 */
type Line<T> = {
  readonly pages: Page[];
  /**
   * Number of written items. The value -1 means that another line shares the last page, so nothing may be written in
   * place.
   */
  length: number;
  /** Number of bytes that items save since the last append, which completed a page of text. */
  saved: number;
  readonly naming: Naming<T> | undefined;
  /** Positions by key. Keys are only added, so some of them may not belong to an older list. */
  readonly positions: Map<string, number> | undefined;
};

/**
 * Arrays that were requested. They are stored separately, because few arrays are requested and each event creates a new
 * list.
 */
const arrays = /* @__PURE__ */ new WeakMap<object, readonly unknown[]>();

/**
 * List that never changes. Its last item is stored separately, and all other items are in pages. Replacing the last
 * item copies nothing. In a timeline, each piece of a growing message replaces the last item. Replacing another item
 * copies its page and the list of pages. If there are keys, items can be found by them. The fields are `#private`, so
 * that two lists with equal items are deeply equal even if they were created in different ways.
 */
export class Vector<T> implements KeyedList<T> {
  readonly length: number;
  // It is not a field, because bundlers include unused classes with fields that have computed names.
  declare readonly [held]: number;
  readonly #line: Line<T>;
  readonly #last: T | undefined;

  constructor(line: Line<T>, length = 0, last?: T, bytes = 0) {
    this.#line = line;
    this.length = length;
    this.#last = last;
    this[held] = bytes;
  }

  /** Returns an object that lists share if each list is the beginning of the next list. */
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

  /**
   * Returns the list with several more items, which have a size of `grown` bytes in total. Their keys are not added.
   */
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

  /**
   * Replaces the item at a position. `grown` is the change of its size in bytes, if it is known and the keys are the
   * same.
   */
  set(position: number, item: T, grown?: number): Vector<T> {
    const { length } = this;
    const isLast = position === length - 1;
    const line = isLast ? this.#line : replaced(this.#line, length - 1, position, item);
    const more = grown ?? bytesOf(item) - bytesOf(this.at(position));
    const next = new Vector(line, length, isLast ? item : this.#last, this[held] + more);
    return grown === undefined ? next.#named(position, item) : next;
  }

  /**
   * Returns the list without its oldest pages of text if these pages exceed `most` bytes. At least three quarters of
   * `most` stay.
   */
  withoutOldText(most: number): Vector<T> {
    const line = this.#line;
    // Only an append that completes a page can exceed the bound.
    if (line.saved === 0 || this[held] <= most) return this;
    let text = 0;
    for (const page of line.pages) text += bytesOfPage(page);
    if (text <= most) return this;
    let left = text;
    const pages = line.pages.filter((page) => {
      const bytes = bytesOfPage(page);
      // The newest page is never dropped.
      if (bytes === 0 || left <= (most * 3) / 4 || left === bytes) return true;
      left -= bytes;
      return false;
    });
    const gone = (line.pages.length - pages.length) << BITS;
    const shorter = lineLike(line, pages, line.length - gone);
    return gone === 0 ? this : new Vector(shorter, this.length - gone, this.#last, this[held] - text + left);
  }

  /** Returns a new list of other items with the same rules for keys. */
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
   * Returns the list with the keys of one item added. If another list of the same line uses one of these keys for
   * another position, all keys are added to a new line.
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

/**
 * Creates a line. All lines are created here, so they have one shape in V8. With several shapes, V8 compiled the code
 * for appends five times.
 */
function lineLike<T>(
  { naming, positions }: Pick<Line<T>, "naming" | "positions">,
  pages: Page[],
  length: number,
): Line<T> {
  return { pages, length, saved: 0, naming, positions };
}

/** Adds the keys of an item for its position. Returns `false` if another position has one of these keys. */
function claim<T>({ naming, positions }: Line<T>, position: number, item: T): boolean {
  for (const name of naming?.names(item) ?? []) {
    const known = positions?.get(name);
    if (known === undefined) positions?.set(name, position);
    else if (known !== position) return false;
  }
  return true;
}

/**
 * Returns the line with one more item at `position`. At the end of the line, the item is added in place. Otherwise a
 * new line begins.
 */
function extended<T>(line: Line<T>, position: number, item: unknown): Line<T> {
  const next = line.length === position ? line : forked(line, position);
  const at = position >> BITS;
  // This page is not full, so it is not stored as one text.
  const page = (next.pages[at] ?? []) as unknown[];
  page.push(item);
  const text = page.length > SLOTS && line.naming === undefined ? packed(page) : undefined;
  next.pages[at] = text ?? page;
  next.saved = text === undefined ? 0 : savedBy(text);
  next.length++;
  return next;
}

/**
 * Returns the line with another item at an existing position. Another line owns its last page, so the next append
 * copies this page.
 */
function replaced<T>(line: Line<T>, length: number, position: number, item: unknown): Line<T> {
  const pages = line.pages.slice(0, (length >> BITS) + 1);
  const page = itemsOf(pages[position >> BITS] as Page, SLOTS + 1);
  page[position & SLOTS] = item;
  pages[position >> BITS] = page;
  return lineLike(line, pages, -1);
}

/** Returns a separate line with the first `length` items of another line. */
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
