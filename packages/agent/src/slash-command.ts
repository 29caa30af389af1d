import type { ContentBlock } from "@turnkit/session";
import type { AgentSession } from "./session.js";

/** Slash command of the user. `input` is the text after the name, without the space between. */
export type SlashCommand = { readonly name: string; readonly input: string };

// V1-SLASH-04
/**
 * Returns the command with which a prompt begins, if the session offers it. Other text with a slash, such as a path, is
 * ordinary text. The state is read only for text that begins with a slash.
 */
export function readSlashCommand(
  prompt: readonly ContentBlock[],
  session: Pick<AgentSession<unknown>, "state">,
): SlashCommand | undefined {
  // Attached blocks may come before the text.
  const block = prompt.find(({ type }) => type === "text");
  if (block === undefined || !("text" in block) || typeof block.text !== "string") return undefined;
  if (!block.text.startsWith("/")) return undefined;
  const [, name, input = ""] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(block.text) ?? [];
  const { availableCommands = [] } = session.state;
  if (name === undefined || !availableCommands.some((command) => command.name === name)) return undefined;
  return { name, input };
}
