import type { AvailableCommand, ContentBlock } from "@turnkit/session";

/** A slash command that the user gave: what came after its name, as it was typed, without the space between. */
export type SlashCommand = { readonly name: string; readonly input: string };

/**
 * The command with which a prompt begins, if it is one of these. A name that nobody offered is ordinary text, like a path
 * that begins with a slash (V1-SLASH-04).
 */
export function readSlashCommand(
  prompt: readonly ContentBlock[],
  offered: readonly AvailableCommand[],
): SlashCommand | undefined {
  // Other blocks may stand before it: what was attached.
  const block = prompt.find(({ type }) => type === "text");
  if (block === undefined || !("text" in block) || typeof block.text !== "string") return undefined;
  if (!block.text.startsWith("/")) return undefined;
  const [, name, input = ""] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(block.text) ?? [];
  if (name === undefined || !offered.some((command) => command.name === name)) return undefined;
  return { name, input };
}
