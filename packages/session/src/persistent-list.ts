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

/**
 * Returns the list with several more items at its end. The items have a size of `bytes` in total. Only one new list is
 * created.
 */
export function appendAll<T>(sequence: PersistentList<T>, items: readonly T[], bytes: number): PersistentList<T> {
  return (sequence as Vector<T>).pushAll(items, bytes);
}

/**
 * Returns the list with another object at an existing position. At the end this takes constant time, and elsewhere
 * nearly constant time.
 */
export function replaceAt<T>(sequence: PersistentList<T>, position: number, item: T): PersistentList<T> {
  return (sequence as Vector<T>).set(position, item);
}

/**
 * Returns the list without its oldest text if full pages of text exceed `most` bytes. Otherwise returns the same list.
 */
export function withoutOldText<T>(sequence: PersistentList<T>, most: number): PersistentList<T> {
  return (sequence as Vector<T>).withoutOldText(most);
}

/**
 * Returns an object that several lists share if each list is the beginning of the next list. An example is the content
 * of a growing message. A result that was computed for a shorter list can be continued for a longer list with the same
 * object. If the last item of a list was replaced, the list has another object.
 */
export function lineOf(sequence: PersistentList<unknown>): object {
  return (sequence as Vector<unknown>).line;
}

/**
 * Returns the positions at which two lists have different items, in order. Positions beyond the shorter list are left
 * out. Shared pages are skipped, so the cost is nearly proportional to the changes.
 */
export function differingPositions<T>(left: PersistentList<T>, right: PersistentList<T>): readonly number[] {
  const [before, after] = [(left as Vector<T>).line, (right as Vector<T>).line];
  // The last item is stored separately. Earlier items that both lists share never change.
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
