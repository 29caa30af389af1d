import type { ContentBlock } from "@turnkit/agent";
import { findMentions, type Mention } from "./mentions.js";

/** How many files one prompt gets reviewed. */
export const MAX_FILES = 5;

/** What a prompt asks of the reviewer. `omitted` files were named beyond the bound. */
export type ReviewRequest =
  | { readonly type: "help" }
  | { readonly type: "review"; readonly files: readonly Mention[]; readonly omitted: number };

/** Understands a prompt: `/help`, or the files to review; `/review` in front of them changes nothing. */
export function readRequest(prompt: readonly ContentBlock[]): ReviewRequest {
  const first = prompt.find((block) => block.type === "text");
  if (first?.type === "text" && /^\s*\/help(?!\S)/.test(first.text)) return { type: "help" };
  const files = findMentions(prompt);
  return {
    type: "review",
    files: files.slice(0, MAX_FILES),
    omitted: Math.max(0, files.length - MAX_FILES),
  };
}
