import { bytesOf, held } from "./bytes.js";
import {
  BITS,
  claim,
  EDITS,
  type Edit,
  edited,
  extended,
  forked,
  itemOf,
  type Line,
  lineFor,
  lineLike,
  withEdit,
} from "./line.js";
import { bytesOfPage, SLOTS } from "./text-page.js";

/**
 * Immutable list. An append creates a new list that shares almost all memory with the old one. It has the methods of a
 * `readonly` array. {@link PersistentList.toArray} returns a real array. A group of 64 pieces of text is stored as one
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

/**
 * Arrays that were requested. They are stored separately, because few arrays are requested and each event creates a new
 * list.
 */
const arrays = /* @__PURE__ */ new WeakMap<object, readonly unknown[]>();

/**
 * List that never changes. Its last item is stored separately, and all other items are in pages. To replace the last
 * item copies nothing. In a timeline, each piece of a growing message does this. Up to eight other replaced items are
 * stored beside the pages. Then their pages are copied once. If there are keys, items can be found by them. The fields
 * are `#private`, so that two lists with equal items are deeply equal even if they were created in different ways.
 */
export class Vector<T> implements KeyedList<T> {
  readonly length: number;
  // It is not a field, because bundlers include unused classes with fields that have computed names.
  declare readonly [held]: number;
  #line: Line<T>;
  readonly #last: T | undefined;
  #edits: Edit | undefined;

  constructor(line: Line<T>, length = 0, last?: T, bytes = 0, edits?: Edit) {
    this.#line = line;
    this.length = length;
    this.#last = last;
    this.#edits = edits;
    this[held] = bytes;
  }

  /** Returns an object that lists share if each is the beginning of the next. */
  get line(): Line<T> {
    if (this.#edits !== undefined) {
      // The items stay the same, so nobody sees this change.
      this.#line = edited(this.#line, this.length - 1, this.#edits);
      this.#edits = undefined;
    }
    return this.#line;
  }

  at(index: number): T | undefined {
    const position = index < 0 ? index + this.length : index;
    if (position === this.length - 1) return this.#last;
    if (!(position >= 0 && position < this.length)) return undefined;
    for (let edit = this.#edits; edit !== undefined; edit = edit.before) {
      if (edit.position === position) return edit.item as T;
    }
    return itemOf(this.#line.pages[position >> BITS], position & SLOTS) as T;
  }

  indexOf(key: string): number {
    const position = this.place(key);
    const item = position < 0 ? undefined : this.at(position);
    return item !== undefined && this.#line.naming?.names(item).includes(key) ? position : -1;
  }

  /**
   * Returns the position of a key in any list of the same line, or -1. This list may have another item there, or none.
   */
  place(key: string): number {
    return this.#line.positions?.get(key) ?? -1;
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
    let { length, line } = this;
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
    const bytes = this[held] + (grown ?? bytesOf(item) - bytesOf(this.at(position)));
    const isLast = position === length - 1;
    const edits = isLast ? this.#edits : withEdit(this.#edits, position, item);
    const isFull = edits !== undefined && edits.count === EDITS;
    const line = isFull ? edited(this.#line, length - 1, edits) : this.#line;
    const next = new Vector(line, length, isLast ? item : this.#last, bytes, isFull ? undefined : edits);
    return grown === undefined ? next.#named(position, item) : next;
  }

  /**
   * Returns the list without its oldest pages of text if these pages exceed `most` bytes. At least three quarters of
   * `most` stay.
   */
  withoutOldText(most: number): Vector<T> {
    const { line } = this;
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
    // A list that is read as a whole needs its pages.
    if (this.#edits !== undefined) this.line;
    for (let position = 0; position < this.length; position++) yield this.at(position) as T;
  }

  /**
   * Returns the list with the keys of one item added. If another list of the same line uses one of these keys for
   * another position, all keys are added to a new line.
   */
  #named(position: number, item: T): Vector<T> {
    if (claim(this.#line, position, item)) return this;
    const line = { ...forked(this.line, this.length - 1), positions: new Map() };
    let at = 0;
    for (const each of this) claim(line, at++, each);
    return new Vector(line, this.length, this.#last, this[held]);
  }
}
