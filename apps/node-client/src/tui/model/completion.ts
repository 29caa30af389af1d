import type { AvailableCommand } from "@turnkit/session";

/** A command that may be typed after a slash. */
export type SlashCommand = { readonly name: string; readonly description: string; readonly hint?: string };

/** What this program offers itself; where the agent has a command of the same name, that one is meant. */
export const ownCommands: readonly SlashCommand[] = [
  { name: "settings", description: "choose mode, model and the like" },
  { name: "mode", description: "choose the mode" },
  { name: "model", description: "choose the model" },
  { name: "quit", description: "end turnkit" },
];

/** Every command: the agent's, then this program's. */
export function commandsOf(available: readonly AvailableCommand[] | undefined): readonly SlashCommand[] {
  const theirs = (available ?? []).map(({ name, description, input }) => ({
    ...{ name, description },
    ...(input?.hint !== undefined && { hint: input.hint }),
  }));
  const names = new Set(theirs.map(({ name }) => name));
  return [...theirs, ...ownCommands.filter(({ name }) => !names.has(name))];
}

/** The commands that fit what was typed so far: nothing unless that is a slash and the beginning of a name. */
export function completions(text: string, commands: readonly SlashCommand[]): readonly SlashCommand[] {
  const typed = /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  const names = (test: (name: string) => boolean) => commands.filter(({ name }) => test(name.toLowerCase()));
  const beginning = names((name) => name.startsWith(typed));
  return beginning.length > 0 ? beginning : names((name) => name.includes(typed));
}
