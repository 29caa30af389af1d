import { bytesOf, grownBy, held } from "./bytes.js";
import type { Keyed, Naming } from "./keyed.js";

/** Bits of a position that choose one of the 32 of a node. */
export const BITS = 5;
const WIDTH = 32;

type Node = unknown[];

/**
 * A tree of lists of 32. All sequences of one straight line of appends share it: the longest of them writes behind its
 * end in place, which no shorter one sees. An append to a shorter one begins a tree of its own.
 */
type Trie = {
  root: Node;
  /** Bits of a position below those that choose a child of the root. */
  shift: number;
  /** How many items were written; -1 where parts are another trie's, so that nothing may be written in place. */
  length: number;
};

/** The names of a line's items, shared and only ever added to: it may know some that an older state must not see. */
type Names<T> = { readonly naming: Naming<T>; readonly positions: Map<string, number> };

/**
 * A list that never changes, with all but its last item in a trie: what replaces the last item, as each piece of a
 * growing message does in a timeline, copies nothing. With names its items are found by them. The fields are `#private`
 * so that two lists made in different ways are deeply equal when their items are.
 */
export class Vector<T> implements Keyed<T> {
  readonly length: number;
  // Not a field: bundlers keep an unused class that has fields with computed names.
  declare readonly [held]: number;
  readonly #trie: Trie;
  readonly #last: T | undefined;
  readonly #names: Names<T> | undefined;
  #array: readonly T[] | undefined = undefined;

  constructor(names: Names<T> | undefined, trie: Trie, length: number, last?: T, bytes = 0) {
    this.#names = names;
    this.#trie = trie;
    this.length = length;
    this.#last = last;
    this[held] = bytes;
  }

  /** The same object for all sequences of which each is a beginning of the next. */
  get trie(): Trie {
    return this.#trie;
  }

  get naming(): Naming<T> | undefined {
    return this.#names?.naming;
  }

  at(index: number): T | undefined {
    const position = index < 0 ? index + this.length : index;
    if (position === this.length - 1) return this.#last;
    if (!(position >= 0 && position < this.length)) return undefined;
    let node = this.#trie.root;
    for (let { shift } = this.#trie; shift > 0; shift -= BITS) node = node[slotOf(position, shift)] as Node;
    return node[slotOf(position, 0)] as T;
  }

  indexOf(key: string): number {
    const position = this.#names?.positions.get(key) ?? -1;
    const item = position < 0 ? undefined : this.at(position);
    return item !== undefined && this.naming?.names(item).includes(key) ? position : -1;
  }

  get(key: string): T | undefined {
    const position = this.indexOf(key);
    return position < 0 ? undefined : this.at(position);
  }

  has(key: string): boolean {
    return this.indexOf(key) >= 0;
  }

  push(item: T): Vector<T> {
    const { length } = this;
    const trie = length === 0 ? { root: [], shift: 0, length: 0 } : extended(this.#trie, length - 1, this.#last);
    const weigh = this.naming?.weigh ?? bytesOf;
    return new Vector(this.#names, trie, length + 1, item, this[held] + weigh(item)).#naming(length, item);
  }

  /** `grown`, by how much it is larger, where that is known of an item that is called like the one before. */
  set(position: number, item: T, grown?: number): Vector<T> {
    const { length } = this;
    const isLast = position === length - 1;
    const trie = isLast ? this.#trie : replaced(this.#trie, position, item);
    const last = isLast ? item : this.#last;
    const more = grown ?? grownBy(this.at(position) as object, item as object);
    const next = new Vector(this.#names, trie, length, last, this[held] + more);
    return grown === undefined ? next.#naming(position, item) : next;
  }

  toArray(): readonly T[] {
    this.#array ??= Object.freeze([...this]);
    return this.#array;
  }

  toJSON(): readonly T[] {
    return this.toArray();
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let position = 0; position < this.length; position++) yield this.at(position) as T;
  }

  /** The same with the names of one item; they are all made anew where a fork of the line took one for another position. */
  #naming(position: number, item: T): Vector<T> {
    if (this.#names === undefined || claim(this.#names, position, item)) return this;
    const names: Names<T> = { ...this.#names, positions: new Map() };
    let at = 0;
    for (const each of this) claim(names, at++, each);
    return new Vector(names, this.#trie, this.length, this.#last, this[held]);
  }
}

/** Enters the names of an item for its position; false where another position has one of them. */
function claim<T>({ naming, positions }: Names<T>, position: number, item: T): boolean {
  for (const name of naming.names(item)) {
    const known = positions.get(name);
    if (known === undefined) positions.set(name, position);
    else if (known !== position) return false;
  }
  return true;
}

const slotOf = (position: number, shift: number): number => (position >>> shift) & (WIDTH - 1);

/** The trie with one more item, which stands at `position`: in place at the tip of a line, else as the beginning of another. */
function extended(trie: Trie, position: number, item: unknown): Trie {
  const isTip = trie.length === position;
  const next = isTip ? trie : { ...trie };
  if (position >>> next.shift >= WIDTH) {
    next.root = [next.root];
    next.shift += BITS;
  }
  next.root = written(next.root, next.shift, position, item, isTip ? inPlace : copyUpTo);
  next.length = position + 1;
  return next;
}

/** The trie with another item at a position that it has. Its end is still the other one's: the next append begins a line. */
function replaced({ root, shift }: Trie, position: number, item: unknown): Trie {
  return { root: written(root, shift, position, item, copy), shift, length: -1 };
}

type Copy = (node: Node, slot: number) => Node;

const inPlace: Copy = (node) => node;
const copy: Copy = (node) => node.slice();
/** Without what the other line has behind it. */
const copyUpTo: Copy = (node, slot) => node.slice(0, slot + 1);

/** The node with an item written below it; what is copied on the way to it says `target`. */
function written(node: Node, shift: number, position: number, item: unknown, target: Copy): Node {
  const slot = slotOf(position, shift);
  const next = target(node, slot);
  next[slot] = shift === 0 ? item : written((next[slot] ?? []) as Node, shift - BITS, position, item, target);
  return next;
}
