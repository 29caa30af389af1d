/**
 * Full page of a list whose items are all pieces of text. They are text blocks, or content of a tool call with a text
 * block. A page contains the end of each text, and all texts as one string unless they are long.
 */
export type TextPage = {
  readonly text: string | readonly string[];
  readonly ends: readonly number[];
  readonly inContent: boolean;
};

/** Mask for the bits of a position that select an item of a page. It is also the index of the page's last item. */
export const SLOTS = 63;

type Member = "text" | "content";
type Piece = { readonly text: string; readonly content: Piece };

/** Size of a page without its text, in bytes. */
const EMPTY = 640;
/** Size of 64 pieces without their texts, in bytes: 80 bytes for a text block, 150 bytes for content of a tool call. */
const BLOCKS = 5_120;
const CONTENTS = 9_600;
/**
 * Maximum length of a joined text, in UTF-16 units. Longer texts save little if they are joined, and V8 frees such
 * large objects late. In a test with many pieces of 8 kB, 60 MB of them remained.
 */
const LONG = 32_768;

/**
 * Returns a page as one text if all its items are pieces of text. As an object, a piece of four letters takes 80 bytes
 * until the session ends. Such objects would take more than four fifths of the memory of a long answer.
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
  // The texts are joined in one step, because a text that was made with `+=` holds its parts in memory.
  return { text: end > LONG ? texts : texts.join(""), ends, inContent };
}

/** Returns the piece at a position of a page, as a new object. */
export function pieceAt({ text, ends, inContent }: TextPage, slot: number): unknown {
  const own = typeof text === "string" ? text.slice(ends[slot - 1] ?? 0, ends[slot]) : text[slot];
  const piece = { type: "text", text: own };
  return inContent ? { type: "content", content: piece } : piece;
}

/** Returns the size of a page of text in bytes, or 0 for another page. */
export const bytesOfPage = (page: TextPage | unknown[]): number =>
  Array.isArray(page) ? 0 : EMPTY + 2 * (page.ends[SLOTS] as number);

/** Returns the number of bytes that a page of text saves. */
export const savedBy = ({ inContent }: TextPage): number => (inContent ? CONTENTS : BLOCKS) - EMPTY;

/**
 * Returns `true` if an object has only a type and the member with this name. Members that are `undefined` are ignored.
 */
function hasOnly(value: unknown, type: Member): boolean {
  const members = value as { readonly [member: string]: unknown } | null | undefined;
  for (const member in members) if (member !== "type" && member !== type && members[member] !== undefined) return false;
  return members?.type === type;
}
