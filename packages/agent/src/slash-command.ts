import type { ContentBlock, SessionState } from "@turnkit/session";
import type { SlashCommand } from "./turn.js";

// V1-SLASH-04
/**
 * Returns the slash command at the beginning of a prompt, if the session offers that command. Any other text with a slash,
 * such as a path, is ordinary text. The state is read only for text that begins with a slash.
 */
export function readSlashCommand(
  prompt: readonly ContentBlock[],
  session: { readonly state: SessionState },
): SlashCommand | undefined {
  // The text of the command may follow attached blocks.
  const block = prompt.find(({ type }) => type === "text");
  if (block === undefined || !("text" in block) || typeof block.text !== "string") return undefined;
  if (!block.text.startsWith("/")) return undefined;
  const [, name, input = ""] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(block.text) ?? [];
  const { availableCommands = [] } = session.state;
  if (name === undefined || !availableCommands.some((command) => command.name === name)) return undefined;
  return { name, input };
}
