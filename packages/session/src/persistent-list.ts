import { BITS, lineFor, type PersistentList, Vector } from "./vector.js";

const EMPTY = /* @__PURE__ */ new Vector<never>(/* @__PURE__ */ lineFor());

/** Returns an empty list. */
export function emptySequence<T>(): PersistentList<T> {
  return EMPTY;
}

/** Returns a list of the given items. */
export function sequenceOf<T>(items: Iterable<T>): PersistentList<T> {
  return (EMPTY as Vector<T>).of(items);
}

/** Returns the list with one more item at its end, in constant time. */
export function append<T>(sequence: PersistentList<T>, item: T): PersistentList<T> {
  return (sequence as Vector<T>).push(item);
}

/** Returns the list with several more items at its end, which weigh `bytes` together. Only one new list is made. */
export function appendAll<T>(sequence: PersistentList<T>, items: readonly T[], bytes: number): PersistentList<T> {
  return (sequence as Vector<T>).pushAll(items, bytes);
}

/**
 * Returns the list with the object at an existing position replaced: at the end in constant time, elsewhere nearly so.
 */
export function replaceAt<T>(sequence: PersistentList<T>, position: number, item: T): PersistentList<T> {
  return (sequence as Vector<T>).set(position, item);
}

/** Returns the list without its oldest text if full pages of it exceed `most` bytes, or the same list. */
export function withoutOldText<T>(sequence: PersistentList<T>, most: number): PersistentList<T> {
  return (sequence as Vector<T>).withoutOldText(most);
}

/**
 * Returns an object shared by lists that each begin with the one before, such as those of a growing message. Results
 * for a shorter list can be continued for a longer one. Lists whose last item was replaced do not qualify.
 */
export function lineOf(sequence: PersistentList<unknown>): object {
  return (sequence as Vector<unknown>).line;
}

/**
 * Returns the positions below the length of both at which two lists hold different items, in order. Shared pages are
 * skipped, so the cost is nearly that of the changes.
 */
export function differingPositions<T>(left: PersistentList<T>, right: PersistentList<T>): readonly number[] {
  const [before, after] = [(left as Vector<T>).line, (right as Vector<T>).line];
  // The last item is stored apart. Earlier items that both lists share never change.
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
