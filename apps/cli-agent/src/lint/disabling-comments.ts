/** Beginning of the comments that switch rules of oxlint off. There is no other form of such comments. */
const COMMENT = /(eslint|oxlint)-(?=disable)/g;

/** Characters that may replace the hyphen. Each of them keeps the syntax of the text. */
const REPLACEMENTS = "_$0123456789abcdefghijklmnopqrstuvwxyz";

/** Text whose comments hide no findings. */
export type OpenText = {
  /** Text in which all findings have the same positions as in the original text. */
  readonly text: string;
  /** Number of comments that would hide findings. */
  readonly count: number;
  /**
   * Returns a changed `text` with the original comments. Returns `undefined` if the comments cannot be recognised any
   * more.
   */
  readonly restore: (changed: string) => string | undefined;
};

/** Replaces one character in each comment that switches rules off, such as `eslint-disable-next-line`. */
export function withoutDisabling(original: string): OpenText {
  const count = original.match(COMMENT)?.length ?? 0;
  if (count === 0) return { text: original, count, restore: (changed) => changed };
  const used = new Set([...original.matchAll(/(?:eslint|oxlint)(.)(?=disable)/gs)].map(([, character]) => character));
  const free = [...REPLACEMENTS].find((character) => !used.has(character));
  const mark = free ?? "_";
  const text = original.replace(COMMENT, (_, name: string) => name + mark);
  if (free === undefined) return { text, count, restore: (changed) => (changed === text ? original : undefined) };
  const marked = (name: string) => `${name}${free}disable`;
  return {
    text,
    count,
    restore: (changed) =>
      changed.replaceAll(marked("eslint"), "eslint-disable").replaceAll(marked("oxlint"), "oxlint-disable"),
  };
}
