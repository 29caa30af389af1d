import type { ContentBlock } from "@turnkit/session";

/** Number of pieces with which the agent answers a prompt. */
export const PIECES = 20;

/** Returns one piece of the answer to a prompt. */
export const pieceOf = (name: string, piece: number): string => `[${name}:${piece}]`;

/** Returns the text of a prompt. */
export const promptText = (prompt: readonly ContentBlock[]): string =>
  prompt.map((block) => (block.type === "text" && "text" in block ? block.text : "")).join("");
