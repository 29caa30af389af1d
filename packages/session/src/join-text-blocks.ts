import type { ContentBlock, TextContent } from "./content.js";

/** A block that is text and nothing else. */
export type BareText = TextContent & { readonly type: "text" };

/** Returns true if a block is text without annotations or metadata. */
export const isBareText = (block: ContentBlock | undefined): block is BareText =>
  block?.type === "text" && "text" in block && Object.keys(block).length === 2;

/** Pieces of text are put together up to this length, so that each fits into a message of the protocol. */
const MAX_JOINED_LENGTH = 65_536;

/** Returns true if two texts fit into one block together. */
export const fitsMessage = (one: string, next: string): boolean => one.length + next.length <= MAX_JOINED_LENGTH;

/** Returns the blocks with neighbouring pieces of bare text put together, up to 64 Ki letters unless `fits` says otherwise. */
export function joinTextBlocks(
  blocks: Iterable<ContentBlock>,
  fits: (one: string, next: string) => boolean = fitsMessage,
): readonly ContentBlock[] {
  const whole: ContentBlock[] = [];
  for (const block of blocks) {
    const last = whole.at(-1);
    if (isBareText(last) && isBareText(block) && fits(last.text, block.text)) {
      whole[whole.length - 1] = { type: "text", text: last.text + block.text };
    } else whole.push(block);
  }
  return whole;
}
