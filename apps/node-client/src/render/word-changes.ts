import { diffArrays } from "diff";

export type WordSpan = { readonly text: string; readonly isChanged: boolean };

/** Maximum length of a line whose words are compared, in characters. */
const MAX_LENGTH = 500;
/** Maximum number of removed and added words. The time of a comparison grows with this number. */
const MAX_EDITS = 60;
/** Share of a line that must be unchanged, so that two lines count as versions of each other. */
const LEAST_COMMON = 0.4;

const WORDS = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

/**
 * Compares a removed line with the line that replaces it, word by word. Returns `undefined` if the lines are long, or
 * have little in common.
 */
export function changedWords(
  before: string,
  after: string,
): { readonly before: readonly WordSpan[]; readonly after: readonly WordSpan[] } | undefined {
  if (before.length > MAX_LENGTH || after.length > MAX_LENGTH) return undefined;
  const changes = diffArrays(before.match(WORDS) ?? [], after.match(WORDS) ?? [], { maxEditLength: MAX_EDITS });
  if (changes === undefined) return undefined;
  const spans = changes.map(({ value, added, removed }) => ({ text: value.join(""), added, removed }));
  const kept = spans.filter(({ added, removed }) => !added && !removed);
  const common = kept.reduce((sum, { text }) => sum + text.trim().length, 0);
  if (common < LEAST_COMMON * Math.max(before.trim().length, after.trim().length)) return undefined;
  const side = (other: "added" | "removed"): readonly WordSpan[] =>
    spans.flatMap((span) => (span[other] ? [] : [{ text: span.text, isChanged: span.added || span.removed }]));
  return { before: side("added"), after: side("removed") };
}
