import { BITS, Vector } from "./vector.js";

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

const EMPTY = /* @__PURE__ */ new Vector<never>(undefined, { root: [], shift: 0, length: -1 }, 0);

/** A sequence with nothing in it. */
export function emptySequence<T>(): Sequence<T> {
  return EMPTY;
}

/** A sequence of the given items. */
export function sequenceOf<T>(items: Iterable<T>): Sequence<T> {
  let sequence = emptySequence<T>();
  for (const item of items) sequence = append(sequence, item);
  return sequence;
}

/** The sequence with one more item at its end; constant time. */
export function append<T>(sequence: Sequence<T>, item: T): Sequence<T> {
  return (sequence as Vector<T>).push(item);
}

/** The sequence with the object at an existing position replaced; constant time. */
export function replaceAt<T>(sequence: Sequence<T>, position: number, item: T): Sequence<T> {
  return (sequence as Vector<T>).set(position, item);
}

/** The sequence without its first items. Costs as much as what remains, so drop much at a time. */
export function withoutFirst<T>(sequence: Sequence<T>, count: number): Sequence<T> {
  return sequenceOf(sequence.toArray().slice(count));
}

/**
 * An object shared by sequences of which each is a beginning of the next, as those of a growing message are: what was
 * worked out for a shorter one can be carried on for a longer one. Not for sequences whose last item was replaced.
 */
export function lineOf(sequence: Sequence<unknown>): object {
  return (sequence as Vector<unknown>).trie;
}

/**
 * The positions below the length of both at which two sequences hold different items, in order. What they share is not
 * looked at, so for two states of one line the cost is that of what changed in between.
 */
export function differingPositions<T>(left: Sequence<T>, right: Sequence<T>): readonly number[] {
  const [before, after] = [(left as Vector<T>).trie, (right as Vector<T>).trie];
  // The last item of each is apart; what is before it in both is never written to again.
  const settled = Math.min(left.length, right.length) - 1;
  const positions: number[] = [];
  const walk = (one: unknown, other: unknown, shift: number, start: number): void => {
    if (one === other || start >= settled) return;
    if (shift < 0) {
      positions.push(start);
      return;
    }
    const [these, those] = [one as readonly unknown[], other as readonly unknown[]];
    for (let slot = 0; slot < these.length && slot < those.length; slot++) {
      walk(these[slot], those[slot], shift - BITS, start + (slot << shift));
    }
  };
  const shift = Math.min(before.shift, after.shift);
  if (before !== after) walk(beginning(before, shift), beginning(after, shift), shift, 0);
  if (settled >= 0 && left.at(settled) !== right.at(settled)) positions.push(settled);
  return positions;
}

/** The part of a taller trie that is as high as another one. */
function beginning({ root, shift }: Vector<unknown>["trie"], height: number): unknown {
  let node: unknown = root;
  for (let at = shift; at > height; at -= BITS) node = (node as readonly unknown[])[0];
  return node;
}
