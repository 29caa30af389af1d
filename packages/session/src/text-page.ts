/**
 * A full page of a list whose items are all pieces of text: text blocks, or content of a tool call with such a block. It
 * holds the end of each text, and the texts as one unless they are long.
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

/** Bytes of a page beside its text. */
const EMPTY = 640;
/** Bytes of 64 pieces beside their texts: 80 for a block, 150 for content of a tool call. */
const BLOCKS = 5_120;
const CONTENTS = 9_600;
/**
 * Maximum length of a joined text. Joining longer texts saves little, and V8 collects such large objects late: a flood
 * of pieces of 8 kB left 60 MB of them.
 */
const LONG = 32_768;

/**
 * Returns a page as one text if its items are nothing but text. A piece of four letters takes 80 bytes as an object for
 * the life of the session: more than four fifths of a long answer.
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
  // Joined in one step: a text made by `+=` keeps its parts.
  return { text: end > LONG ? texts : texts.join(""), ends, inContent };
}

/** Returns the piece at a position of a page, as a new object. */
export function pieceAt({ text, ends, inContent }: TextPage, slot: number): unknown {
  const own = typeof text === "string" ? text.slice(ends[slot - 1] ?? 0, ends[slot]) : text[slot];
  const piece = { type: "text", text: own };
  return inContent ? { type: "content", content: piece } : piece;
}

/** Returns the bytes of a page of text, or 0 for another page. */
export const bytesOfPage = (page: TextPage | unknown[]): number =>
  Array.isArray(page) ? 0 : EMPTY + 2 * (page.ends[SLOTS] as number);

/** Returns the bytes that a page of text saves against its items. */
export const savedBy = ({ inContent }: TextPage): number => (inContent ? CONTENTS : BLOCKS) - EMPTY;

/**
 * Returns true if an object has its type and the member of that name only. Members that are `undefined` are ignored.
 */
function hasOnly(value: unknown, type: Member): boolean {
  const members = value as { readonly [member: string]: unknown } | null | undefined;
  for (const member in members) if (member !== "type" && member !== type && members[member] !== undefined) return false;
  return members?.type === type;
}
