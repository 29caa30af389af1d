import type { ContentBlock, TextContent } from "./content.js";
import { JSON_CHARACTER_BYTES, jsonBytes } from "./json-bytes.js";

/** A block that is text and nothing else. */
export type BareText = TextContent & { readonly type: "text" };

/** Returns true if a block is text without annotations or metadata. */
export const isBareText = (block: ContentBlock | undefined): block is BareText =>
  block?.type === "text" && "text" in block && Object.keys(block).length === 2;

/** Pieces of text are put together up to this length, so that each fits into a message of the protocol. */
const MAX_JOINED_LENGTH = 65_536;

/** Bounds of a joined text: of its letters (64 Ki by default), and of its bytes as JSON in UTF-8 (none by default). */
export type JoinLimits = { readonly letters?: number; readonly bytes?: number };

/** Returns the blocks with neighbouring pieces of bare text put together, as many as the bounds allow. */
export function joinTextBlocks(
  blocks: Iterable<ContentBlock>,
  { letters = MAX_JOINED_LENGTH, bytes: most = Number.POSITIVE_INFINITY }: JoinLimits = {},
): readonly ContentBlock[] {
  // Counting bytes takes longer than everything else.
  const isCounted = most < JSON_CHARACTER_BYTES * letters;
  const whole: ContentBlock[] = [];
  let last: BareText | undefined;
  /** Text that grows from `last`. A new block for each piece would copy all earlier text. */
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
    // Two halves of a character need more bytes than the character.
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
