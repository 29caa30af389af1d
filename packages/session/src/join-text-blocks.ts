import type { ContentBlock, TextContent } from "./content.js";
import { JSON_CHARACTER_BYTES, jsonBytes } from "./json-bytes.js";

/** Text block without any other members. */
export type BareText = TextContent & { readonly type: "text" };

/** Returns `true` for a text block without annotations and metadata. */
export const isBareText = (block: ContentBlock | undefined): block is BareText =>
  block?.type === "text" && "text" in block && Object.keys(block).length === 2;

/** Maximum length of joined texts, in UTF-16 units. A joined text fits into one message of the protocol. */
const MAX_JOINED_LENGTH = 65_536;

/**
 * Bounds of a joined text: its length in UTF-16 units (64 Ki by default), and its size as JSON in bytes of UTF-8 (no
 * bound by default).
 */
export type JoinLimits = { readonly letters?: number; readonly bytes?: number };

/** Returns the blocks after joining neighbouring plain text blocks. The bounds limit each joined text. */
export function joinTextBlocks(
  blocks: Iterable<ContentBlock>,
  { letters = MAX_JOINED_LENGTH, bytes: most = Number.POSITIVE_INFINITY }: JoinLimits = {},
): readonly ContentBlock[] {
  // Counting bytes takes longer than all other work, so bytes are counted only if necessary.
  const isCounted = most < JSON_CHARACTER_BYTES * letters;
  const whole: ContentBlock[] = [];
  let last: BareText | undefined;
  /** Text of `last` while it grows. A new block for each piece would copy all earlier text. */
  let text = "";
  let bytes = 0;
  const flush = (): void => {
    if (last !== undefined) whole.push(text.length === last.text.length ? last : { type: "text", text });
  };
  for (const block of blocks) {
    if (!isBareText(block)) {
      flush();
      last = undefined;
      whole.push(block);
      continue;
    }
    // Two halves of a character take more bytes than the whole character.
    const more = isCounted ? jsonBytes(block.text) : 0;
    if (last !== undefined && text.length + block.text.length <= letters && bytes + more <= most) {
      text += block.text;
      bytes += more;
      continue;
    }
    flush();
    last = block;
    text = block.text;
    bytes = more;
  }
  flush();
  return whole;
}
