import { access, constants, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { UsageError } from "../exit-code.js";
import { type AgentTable, type Command, type KnownAgent, ownAgent, readAgentTable } from "./known-agents.js";

/** Command and environment of the agent to start. */
export type ChosenAgent = {
  readonly command: Command;
  /** Whole environment of the agent. Absent: that of this program. */
  readonly env?: NodeJS.ProcessEnv;
};

/** The command line's choice of an agent. */
export type AgentWish = { readonly agent?: string; readonly command?: Command };

/**
 * Chooses the agent to start: the given command, the named agent, the user's default, or turnkit's own.
 *
 * @throws UsageError with advice if there is none
 */
export async function chooseAgent(wish: AgentWish, env: NodeJS.ProcessEnv): Promise<ChosenAgent> {
  if (wish.command !== undefined) return { command: wish.command };
  const table = await readAgentTable(env);
  const name = wish.agent ?? table.usual ?? ownAgent;
  const agent = table.agents.find((one) => one.name === name);
  if (agent === undefined) {
    if (wish.agent === undefined) throw noAgent(table);
    throw new UsageError(`${JSON.stringify(name)} is no agent that is known here: ${unknownAdvice(name, table)}`);
  }
  const command = await installedCommand(agent, env);
  if (command === undefined) {
    if (wish.agent === undefined && table.usual === undefined) throw noAgent(table);
    const how = agent.install === undefined ? "" : ` To install it: ${agent.install}.`;
    throw new UsageError(`${agent.title} is not installed: there is no ${programsOf(agent)} in PATH.${how}`);
  }
  return { command, ...(agent.env && { env: { ...env, ...agent.env } }) };
}

/** Returns the first command whose program is installed. */
async function installedCommand(agent: KnownAgent, env: NodeJS.ProcessEnv): Promise<Command | undefined> {
  for (const command of agent.commands) {
    if ((await findProgram(command[0], { env })) !== undefined) return command;
  }
  return undefined;
}

function programsOf({ commands }: KnownAgent): string {
  return [...new Set(commands.map(([program]) => program))].join(" or ");
}

function noAgent({ file }: AgentTable): UsageError {
  return new UsageError(
    "There is no agent to start: turnkit-agent is not in PATH. Name one with --agent (see turnkit agents), give a " +
      `command after --, as in: turnkit FILE -- my-agent --acp, or set a default in ${file}.`,
  );
}

function unknownAdvice(name: string, { agents, file }: AgentTable): string {
  const names = agents.map((agent) => agent.name);
  const near = names.filter((one) => one.startsWith(name.slice(0, 3)) || name.includes(one));
  const which = near.length > 0 ? `do you mean ${near.join(" or ")}?` : `known are ${names.join(", ")}.`;
  return `${which} Give its command after --, or name it in ${file}.`;
}

/** Environment and platform of a search for programs. */
export type ProgramPlace = { readonly env: NodeJS.ProcessEnv; readonly platform?: NodeJS.Platform };

/**
 * Finds the file of a program as a shell would, in `PATH`; `undefined` if there is none. Starts nothing, and never
 * searches the current directory.
 */
export async function findProgram(name: string, place: ProgramPlace): Promise<string | undefined> {
  const { env, platform = process.platform } = place;
  const endings = platform === "win32" ? ["", ...(env.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";")] : [""];
  const hasPath = /[\\/]/.test(name);
  const searched = env.PATH ?? env.Path ?? "";
  // An empty or relative entry means the current directory, where a repository may have left something.
  const folders = hasPath ? [] : searched.split(delimiter).filter((folder) => isAbsolute(folder));
  const bases = hasPath ? [resolve(name)] : folders.map((folder) => join(folder, name));
  for (const base of bases) {
    for (const ending of endings) {
      if (await isProgram(base + ending, platform)) return base + ending;
    }
  }
  return undefined;
}

async function isProgram(path: string, platform: NodeJS.Platform): Promise<boolean> {
  try {
    if (!(await stat(path)).isFile()) return false;
    if (platform !== "win32") await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
