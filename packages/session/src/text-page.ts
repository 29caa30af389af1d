/**
 * A full page of a list of which every item was a piece of text, a block or what a tool call says: their texts, as one
 * unless they are long, and where each of them ends.
 */
export type TextPage = {
  readonly text: string | readonly string[];
  readonly ends: readonly number[];
  readonly inContent: boolean;
};

/** A position's bits that choose the item of a page, and the place of its last one. */
export const SLOTS = 63;

type Member = "text" | "content";
type Piece = { readonly text: string; readonly content: Piece };

/** What a page counts beside its text. */
const EMPTY = 640;
/** What 64 pieces count beside their texts: as blocks 80 each, as contents of a tool call 150. */
const BLOCKS = 5_120;
const CONTENTS = 9_600;
/**
 * Longer texts stay apart, since to join them saves little, and puts each page among V8's large objects, which are
 * collected late: a flood of pieces of 8 kB left 60 MB of them.
 */
const LONG = 32_768;

/**
 * A page as one text, if its items say nothing but that. A piece of four letters takes 80 bytes as an object, for as long as
 * the session lives: more than four fifths of what a long answer takes.
 */
export function packed(items: readonly unknown[]): TextPage | undefined {
  const inContent = hasOnly(items[0], "content");
  const texts: string[] = [];
  for (const item of items as readonly Piece[]) {
    if (inContent && !hasOnly(item, "content")) return undefined;
    const block = inContent ? item.content : item;
    if (!hasOnly(block, "text") || typeof block.text !== "string") return undefined;
    texts.push(block.text);
  }
  let end = 0;
  const ends = texts.map((text) => {
    end += text.length;
    return end;
  });
  // Joined, not added up: a text that was added up keeps its parts.
  return { text: end > LONG ? texts : texts.join(""), ends, inContent };
}

/** The piece at a place in a page, made anew. */
export function pieceAt({ text, ends, inContent }: TextPage, slot: number): unknown {
  const own = typeof text === "string" ? text.slice(ends[slot - 1] ?? 0, ends[slot]) : text[slot];
  const piece = { type: "text", text: own };
  return inContent ? { type: "content", content: piece } : piece;
}

/** What a page of text counts; 0 for any other. */
export const bytesOfPage = (page: TextPage | unknown[]): number =>
  Array.isArray(page) ? 0 : EMPTY + 2 * (page.ends[SLOTS] as number);

/** How much less that is than its items count. */
export const savedBy = ({ inContent }: TextPage): number => (inContent ? CONTENTS : BLOCKS) - EMPTY;

/** Whether something has a type, and beside it only the member that is called like it. One that is `undefined` is none. */
function hasOnly(value: unknown, type: Member): boolean {
  const members = value as { readonly [member: string]: unknown } | null | undefined;
  for (const member in members) if (member !== "type" && member !== type && members[member] !== undefined) return false;
  return members?.type === type;
}
