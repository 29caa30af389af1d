import { type SessionState, selectModels, selectModes } from "@turnkit/session";
import { closestWords } from "../../closest-words.js";

export type SlashCommand = { readonly name: string; readonly description: string; readonly hint?: string };

export type OwnName = "new" | "clear" | "resume" | "attach" | "settings" | "mode" | "model" | "help" | "quit";

type OwnCommand = SlashCommand & {
  readonly name: OwnName;
  /**
   * Returns the values from which the person can choose. If there are none, a command of the agent with the same name
   * replaces this command.
   */
  readonly choosesFrom?: (state: SessionState) => unknown;
  /** `true` if text may follow the name. */
  readonly takesText?: true;
};

const ownCommands: readonly OwnCommand[] = [
  { name: "new", description: "begin a new conversation" },
  { name: "clear", description: "the same as /new" },
  { name: "resume", description: "continue another conversation", takesText: true },
  { name: "attach", description: "show the output of the last !command to the agent" },
  {
    name: "settings",
    description: "choose mode, model and the like",
    choosesFrom: ({ configOptions }) => configOptions?.[0],
  },
  { name: "mode", description: "choose the mode", choosesFrom: selectModes, takesText: true },
  { name: "model", description: "choose the model", choosesFrom: selectModels, takesText: true },
  { name: "help", description: "list keys and commands" },
  { name: "quit", description: "end turnkit" },
];

/**
 * Returns all commands: first the commands of the agent, then the commands of this program. Each name has one command.
 * If both have a command with the same name, `//name` sends the command of the agent.
 */
export function commandsOf(state: SessionState): readonly SlashCommand[] {
  const keeps = ({ choosesFrom }: OwnCommand) => choosesFrom === undefined || choosesFrom(state) !== undefined;
  const kept = new Set<string>(ownCommands.filter(keeps).map(({ name }) => name));
  const theirs = (state.availableCommands ?? [])
    .filter(({ name }) => !kept.has(name))
    .map(({ name, description, input }) => ({ name, description, hint: input?.hint }));
  const names = new Set(theirs.map(({ name }) => name));
  return [...theirs, ...ownCommands.filter(({ name }) => !names.has(name))];
}

/** Returns the commands that begin with the typed text after the slash. */
export function completions(text: string, commands: readonly SlashCommand[]): readonly SlashCommand[] {
  const typed = /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  const names = (test: (name: string) => boolean) => commands.filter(({ name }) => test(name.toLowerCase()));
  const beginning = names((name) => name.startsWith(typed));
  return beginning.length > 0 ? beginning : names((name) => name.includes(typed));
}

/**
 * Maximum number of commands that are compared with an unknown name, because an agent may offer any number of commands.
 */
const MOST_COMPARED = 200;

export type Typed =
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "own"; readonly name: OwnName; readonly rest: string }
  /** Command line for the person's shell. */
  | { readonly type: "shell"; readonly command: string }
  | { readonly type: "refused"; readonly notice: string };

/**
 * Returns the meaning of a typed text:
 * - `!line` is a command line for the shell.
 * - `/name` is a command of the agent or of this program. An unknown name is refused.
 * - `//text` is a prompt that begins with one slash. A path such as `/etc/hosts` is a prompt too.
 */
export function readTyped(text: string, state: SessionState): Typed {
  if (text.startsWith("!")) {
    const command = text.slice(1).trim();
    return command === "" ? { type: "refused", notice: "Type a command after the !" } : { type: "shell", command };
  }
  if (text.startsWith("//")) return { type: "prompt", text: text.slice(1) };
  const [, name, rest = ""] = /^\/([^\s/]*)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  if (name === undefined) return { type: "prompt", text };
  const commands = commandsOf(state);
  const found = commands.find((command) => command.name === name);
  const own = ownCommands.find((command) => command === found);
  if (own !== undefined) {
    if (rest !== "" && own.takesText !== true) return { type: "refused", notice: `/${name} takes no text after it.` };
    return { type: "own", name: own.name, rest };
  }
  if (found !== undefined) return { type: "prompt", text };
  const [near] = closestWords(
    name,
    [...ownCommands, ...commands.slice(0, MOST_COMPARED)].map((command) => command.name),
  );
  const hint = near === undefined ? "/help lists the commands." : `Do you mean /${near}?`;
  return { type: "refused", notice: `There is no command /${name}. ${hint} //${name} sends it to the agent.` };
}
