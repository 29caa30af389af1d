import type { ContentBlock } from "@turnkit/session";
import type { AgentSession } from "./session.js";

/** A slash command that the user gave: what came after its name, as it was typed, without the space between. */
export type SlashCommand = { readonly name: string; readonly input: string };

/**
 * The command with which a prompt begins, if the session offers it. A name that nobody offered is ordinary text, like a path
 * that begins with a slash (V1-SLASH-04). The state is read only where a command could be meant.
 */
export function readSlashCommand(
  prompt: readonly ContentBlock[],
  session: Pick<AgentSession<unknown>, "state">,
): SlashCommand | undefined {
  // Other blocks may stand before it: what was attached.
  const block = prompt.find(({ type }) => type === "text");
  if (block === undefined || !("text" in block) || typeof block.text !== "string") return undefined;
  if (!block.text.startsWith("/")) return undefined;
  const [, name, input = ""] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(block.text) ?? [];
  const { availableCommands = [] } = session.state;
  if (name === undefined || !availableCommands.some((command) => command.name === name)) return undefined;
  return { name, input };
}
