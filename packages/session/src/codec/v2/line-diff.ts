/**
 * Replacement of lines. The old lines from `oldStart` up to `oldEnd` became the new lines from `newStart` up to
 * `newEnd`.
 */
export type ChangedLines = {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
};

/**
 * Maximum number of edits of single lines. If there are more edits, the part from the first to the last edit is one
 * change.
 */
const MOST_EDITS = 400;

/** Maximum number of comparisons of two lines. If more comparisons are needed, the whole text is also one change. */
const MOST_COMPARED = 2_000_000;

/** Returns the smallest list of differences between two lists of lines, in order (Myers' shortest edit script). */
export function changedLines(before: readonly string[], after: readonly string[]): readonly ChangedLines[] {
  const most = Math.min(before.length, after.length);
  let prefix = 0;
  while (prefix < most && before[prefix] === after[prefix]) prefix++;
  let suffix = 0;
  while (suffix < most - prefix && before.at(-1 - suffix) === after.at(-1 - suffix)) suffix++;
  const oldEnd = before.length - suffix;
  const newEnd = after.length - suffix;
  if (prefix === oldEnd && prefix === newEnd) return [];
  const matches = matchingLines(before.slice(prefix, oldEnd), after.slice(prefix, newEnd));
  if (matches === undefined) return [{ oldStart: prefix, oldEnd, newStart: prefix, newEnd }];
  return between(
    matches.map(([old, now]) => [old + prefix, now + prefix] as const),
    { oldStart: prefix, oldEnd, newStart: prefix, newEnd },
  );
}

type Match = readonly [old: number, now: number];

/** Returns the parts between unchanged lines. */
function between(matches: readonly Match[], whole: ChangedLines): readonly ChangedLines[] {
  const changes: ChangedLines[] = [];
  let { oldStart, newStart } = whole;
  for (const [old, now] of [...matches, [whole.oldEnd, whole.newEnd] as const]) {
    if (old > oldStart || now > newStart) changes.push({ oldStart, oldEnd: old, newStart, newEnd: now });
    oldStart = old + 1;
    newStart = now + 1;
  }
  return changes;
}

/** Returns pairs of equal lines, in order. Returns `undefined` above {@link MOST_EDITS} or {@link MOST_COMPARED}. */
function matchingLines(before: readonly string[], after: readonly string[]): readonly Match[] | undefined {
  const most = Math.min(before.length + after.length, MOST_EDITS);
  // `reach[most + k]` is the number of old lines that the best path on diagonal `k` (old minus new) has passed.
  const reach = new Int32Array(2 * most + 2);
  const trace: Int32Array[] = [];
  let compared = 0;
  for (let edits = 0; edits <= most; edits++) {
    trace.push(reach.slice());
    for (let k = -edits; k <= edits; k += 2) {
      const start = nextReach(reach, most + k, k === -edits, k === edits);
      let old = start;
      while (old < before.length && old - k < after.length && before[old] === after[old - k]) old++;
      reach[most + k] = old;
      compared += old - start;
      if (old >= before.length && old - k >= after.length) return wayBack(trace, most, before.length, after.length);
    }
    if (compared > MOST_COMPARED) return undefined;
  }
  return undefined;
}

function nextReach(reach: Int32Array, at: number, isLowest: boolean, isHighest: boolean): number {
  const down = reach[at + 1] ?? 0;
  const right = (reach[at - 1] ?? 0) + 1;
  return isLowest || (!isHighest && right <= down) ? down : right;
}

function wayBack(trace: readonly Int32Array[], most: number, oldLength: number, newLength: number): readonly Match[] {
  const matches: Match[] = [];
  let old = oldLength;
  let now = newLength;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits] as Int32Array;
    const k = old - now;
    const down = reach[most + k + 1] ?? 0;
    const right = (reach[most + k - 1] ?? 0) + 1;
    const tookDown = k === -edits || (k !== edits && right <= down);
    const start = edits === 0 ? 0 : tookDown ? down : right;
    while (old > start) {
      old--;
      now--;
      matches.push([old, now]);
    }
    if (edits === 0) break;
    if (tookDown) now--;
    else old--;
  }
  return matches.reverse();
}
