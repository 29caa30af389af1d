/**
 * A list that never changes and grows cheaply: adding to it makes a new one that shares almost everything with the old.
 * Reads like a `readonly` array where it matters; {@link Sequence.toArray} gives a real one.
 */
export interface Sequence<T> extends Iterable<T> {
  readonly length: number;
  /** `undefined` outside; negative counts from the end. */
  at(index: number): T | undefined;
  /** Made once and kept: calling it again on the same sequence gives the same frozen array. */
  toArray(): readonly T[];
  toJSON(): readonly T[];
}

const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

type Leaf<T> = T[];
type Node<T> = (Node<T> | Leaf<T>)[];

/**
 * What the sequences of one straight line of appends share; the longest of them is at the tip. Only the tip may write
 * behind its end in place; an append to a shorter one begins a line of its own.
 */
type Line = { length: number };

/**
 * A trie of leaves of 32 with the last leaf kept apart as `tail`. The fields are `#private` so that two lists made in
 * different ways are deeply equal when their items are.
 */
class Vector<T> implements Sequence<T> {
  readonly #root: Node<T>;
  /** Bits of an index above those of the root's children; 0 while there is only the tail. */
  readonly #shift: number;
  readonly #tail: Leaf<T>;
  readonly #length: number;
  readonly #line: Line;
  #array: readonly T[] | undefined = undefined;

  constructor(root: Node<T>, shift: number, tail: Leaf<T>, length: number, line: Line) {
    this.#root = root;
    this.#shift = shift;
    this.#tail = tail;
    this.#length = length;
    this.#line = line;
  }

  get length(): number {
    return this.#length;
  }

  /** The same object for all sequences of which each is a beginning of the next. */
  get line(): object {
    return this.#line;
  }

  get root(): Node<T> {
    return this.#root;
  }

  get shift(): number {
    return this.#shift;
  }

  at(index: number): T | undefined {
    const position = index < 0 ? index + this.#length : index;
    if (!(position >= 0 && position < this.#length)) return undefined;
    return this.leaf(position)[position & MASK];
  }

  /** The leaf that holds a position, which has to exist. It may hold more than belongs to this sequence. */
  leaf(position: number): Leaf<T> {
    if (position >= this.#tailStart()) return this.#tail;
    let node = this.#root;
    for (let shift = this.#shift; shift > BITS; shift -= BITS) node = node[(position >>> shift) & MASK] as Node<T>;
    return node[(position >>> BITS) & MASK] as Leaf<T>;
  }

  push(item: T): Vector<T> {
    const length = this.#length;
    const used = length - this.#tailStart();
    const tip = this.#line.length === length;
    const line = tip ? this.#line : { length };
    line.length = length + 1;
    if (used < WIDTH) {
      const tail = tip ? this.#tail : this.#tail.slice(0, used);
      tail.push(item);
      return new Vector(this.#root, this.#shift, tail, length + 1, line);
    }
    const start = length - WIDTH;
    const full = start >>> BITS === 1 << this.#shift;
    const root = full && this.#shift > 0 ? [this.#root] : this.#root;
    const shift = full || this.#shift === 0 ? this.#shift + BITS : this.#shift;
    return new Vector(withLeaf(root, shift, start, this.#tail), shift, [item], length + 1, line);
  }

  set(position: number, item: T): Vector<T> {
    const line = { length: this.#length };
    const tailStart = this.#tailStart();
    const tail = this.#tail.slice(0, this.#length - tailStart);
    if (position >= tailStart) {
      tail[position & MASK] = item;
      return new Vector(this.#root, this.#shift, tail, this.#length, line);
    }
    const leaf = this.leaf(position).slice();
    leaf[position & MASK] = item;
    return new Vector(withLeaf(this.#root, this.#shift, position, leaf), this.#shift, tail, this.#length, line);
  }

  toArray(): readonly T[] {
    this.#array ??= Object.freeze([...this]);
    return this.#array;
  }

  toJSON(): readonly T[] {
    return this.toArray();
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let start = 0; start < this.#length; start += WIDTH) {
      const leaf = this.leaf(start);
      const end = Math.min(WIDTH, this.#length - start);
      for (let index = 0; index < end; index++) yield leaf[index] as T;
    }
  }

  #tailStart(): number {
    return this.#length === 0 ? 0 : (this.#length - 1) & ~MASK;
  }
}

/** Copies the way from the root to one leaf. */
function withLeaf<T>(node: Node<T>, shift: number, position: number, leaf: Leaf<T>): Node<T> {
  const copy = node.slice();
  const slot = (position >>> shift) & MASK;
  copy[slot] = shift <= BITS ? leaf : withLeaf((node[slot] ?? []) as Node<T>, shift - BITS, position, leaf);
  return copy;
}

const asVector = <T>(sequence: Sequence<T>): Vector<T> =>
  sequence instanceof Vector ? sequence : (sequenceOf(sequence) as Vector<T>);

/** A sequence with nothing in it. */
export function emptySequence<T>(): Sequence<T> {
  return new Vector<T>([], 0, [], 0, { length: 0 });
}

/** A sequence of the given items. */
export function sequenceOf<T>(items: Iterable<T>): Sequence<T> {
  let vector = emptySequence<T>() as Vector<T>;
  for (const item of items) vector = vector.push(item);
  return vector;
}

/** The sequence with one more item at its end; constant time. */
export function append<T>(sequence: Sequence<T>, item: T): Sequence<T> {
  return asVector(sequence).push(item);
}

/** The sequence with the item at an existing position replaced; constant time. */
export function replaceAt<T>(sequence: Sequence<T>, position: number, item: T): Sequence<T> {
  return asVector(sequence).set(position, item);
}

/** The sequence without its first items. Costs as much as what remains, so drop much at a time. */
export function withoutFirst<T>(sequence: Sequence<T>, count: number): Sequence<T> {
  let vector = emptySequence<T>() as Vector<T>;
  for (let position = count; position < sequence.length; position++) vector = vector.push(sequence.at(position) as T);
  return vector;
}

/**
 * An object shared by sequences of which each is a beginning of the next, as those of a growing message are: what was
 * worked out for a shorter one can be carried on for a longer one.
 */
export function lineOf(sequence: Sequence<unknown>): object {
  return sequence instanceof Vector ? sequence.line : sequence;
}

/**
 * The positions below the length of both at which two sequences hold different items, in order. What they share is not
 * looked at, so for two states of one line the cost is that of what changed in between.
 */
export function differingPositions<T>(left: Sequence<T>, right: Sequence<T>): readonly number[] {
  const [before, after] = [asVector(left), asVector(right)];
  const shorter = Math.min(before.length, after.length);
  // Below this position both have whole leaves, which are never written to again.
  const settled = shorter === 0 ? 0 : (shorter - 1) & ~MASK;
  const positions: number[] = [];
  const compare = (start: number, end: number, one: Leaf<T>, other: Leaf<T>): void => {
    for (let at = start; at < end; at++) if (one[at & MASK] !== other[at & MASK]) positions.push(at);
  };
  const walk = (one: Node<T> | Leaf<T>, other: Node<T> | Leaf<T>, shift: number, start: number): void => {
    if (one === other || start >= settled) return;
    if (shift === 0) return compare(start, start + WIDTH, one as Leaf<T>, other as Leaf<T>);
    for (let slot = 0; slot < WIDTH && slot < one.length && slot < other.length; slot++) {
      walk(one[slot] as Node<T>, other[slot] as Node<T>, shift - BITS, start + (slot << shift));
    }
  };
  if (settled > 0) {
    const shift = Math.min(before.shift, after.shift);
    walk(beginning(before, shift), beginning(after, shift), shift, 0);
  }
  if (settled < shorter) compare(settled, shorter, before.leaf(settled), after.leaf(settled));
  return positions;
}

/** The part of a taller trie that is as high as another one. */
function beginning<T>(vector: Vector<T>, shift: number): Node<T> {
  let node = vector.root;
  for (let height = vector.shift; height > shift; height -= BITS) node = node[0] as Node<T>;
  return node;
}
