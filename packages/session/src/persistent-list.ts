import { BITS, lineFor, type PersistentList, Vector } from "./vector.js";

const EMPTY = /* @__PURE__ */ new Vector<never>(/* @__PURE__ */ lineFor());

/** A sequence with nothing in it. */
export function emptySequence<T>(): PersistentList<T> {
  return EMPTY;
}

/** A sequence of the given items. */
export function sequenceOf<T>(items: Iterable<T>): PersistentList<T> {
  return (EMPTY as Vector<T>).of(items);
}

/** The sequence with one more item at its end; constant time. */
export function append<T>(sequence: PersistentList<T>, item: T): PersistentList<T> {
  return (sequence as Vector<T>).push(item);
}

/** The sequence with several more items, which weigh `bytes` together, at its end: one new sequence for all of them. */
export function appendAll<T>(sequence: PersistentList<T>, items: readonly T[], bytes: number): PersistentList<T> {
  return (sequence as Vector<T>).pushAll(items, bytes);
}

/** The sequence with the object at an existing position replaced; at the end in constant time, elsewhere nearly so. */
export function replaceAt<T>(sequence: PersistentList<T>, position: number, item: T): PersistentList<T> {
  return (sequence as Vector<T>).set(position, item);
}

/** The sequence without the oldest pieces of its text, if full pages of it count more than `most`; else the same one. */
export function withoutOldText<T>(sequence: PersistentList<T>, most: number): PersistentList<T> {
  return (sequence as Vector<T>).withoutOldText(most);
}

/**
 * An object shared by sequences of which each is a beginning of the next, as those of a growing message are: what was
 * worked out for a shorter one can be carried on for a longer one. Not for sequences whose last item was replaced.
 */
export function lineOf(sequence: PersistentList<unknown>): object {
  return (sequence as Vector<unknown>).line;
}

/**
 * The positions below the length of both at which two sequences hold different items, in order. Pages that they share
 * are not looked into, so for two states of one line the cost is nearly that of what changed in between.
 */
export function differingPositions<T>(left: PersistentList<T>, right: PersistentList<T>): readonly number[] {
  const [before, after] = [(left as Vector<T>).line, (right as Vector<T>).line];
  // The last item of each is apart; what is before it in both is never written to again.
  const settled = Math.min(left.length, right.length) - 1;
  const positions: number[] = [];
  for (let start = 0; before !== after && start < settled; start += 1 << BITS) {
    const [these, those] = [before.pages[start >> BITS], after.pages[start >> BITS]];
    if (these === those) continue;
    for (let position = start; position < settled && position < start + (1 << BITS); position++) {
      if (left.at(position) !== right.at(position)) positions.push(position);
    }
  }
  if (settled >= 0 && left.at(settled) !== right.at(settled)) positions.push(settled);
  return positions;
}
