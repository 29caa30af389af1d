import { dirname } from "node:path";
import { isPackageRunner } from "@turnkit/session/command";
import { findProgram, safeEnvironment } from "@turnkit/transport/node";
import { UsageError } from "../exit-code.js";
import { type AgentTable, type Command, ownAgent, readAgentTable, type StartableAgent } from "./agent-table.js";
import { type RemoteAgent, type RemoteWish, readRemoteAgent } from "./remote-agent.js";
import { runnerEnvironment, runnerFolder } from "./runner-folder.js";

/** Agent to use: a program to start, or an agent behind an address. */
export type ChosenAgent =
  | LocalAgent
  | {
      readonly remote: RemoteAgent;
      readonly command?: undefined;
      readonly env?: undefined;
      readonly runnerFolder?: undefined;
    };

export type LocalAgent = {
  /** Absolute path of the program, followed by its arguments. */
  readonly command: Command;
  /** Environment of the agent. If absent, the agent gets the environment of this program. */
  readonly env?: NodeJS.ProcessEnv;
  /** Folder in which a package runner starts. If absent, the agent starts in the directory of the session. */
  readonly runnerFolder?: string;
  readonly remote?: undefined;
};

/** Choice of an agent on the command line. */
export type AgentWish = RemoteWish & { readonly agent?: string; readonly command?: Command };

/**
 * Chooses the agent. An address has priority, then the given command, then the named agent, then the user's default
 * agent, then turnkit's own agent. Programs inside the project of `directory` are not found.
 *
 * @throws UsageError with advice if no agent can be started
 */
export async function chooseAgent(wish: AgentWish, env: NodeJS.ProcessEnv, directory: string): Promise<ChosenAgent> {
  const { command } = wish;
  if (wish.url !== undefined) return { remote: await readRemoteAgent(wish, env) };
  if (command !== undefined) {
    const started = await startable(command, env, directory);
    if (started !== undefined) return started;
    const inside = await findProgram(command[0], { env, distrusted: "nothing" });
    // If the program does not exist, starting it fails with advice. Windows would also search for it in the current
    // folder.
    if (inside === undefined && process.platform !== "win32")
      return { command, env: safeEnvironment(env, [directory]) };
    const where = inside === undefined ? "" : ` outside of the project. To start ${inside}, give its path`;
    throw new UsageError(`There is no ${command[0]} in PATH${where}.`);
  }
  const table = await readAgentTable(env);
  const name = wish.agent ?? table.usual ?? ownAgent;
  const agent = table.agents.find((one) => one.name === name);
  if (agent === undefined) {
    if (wish.agent === undefined) throw noAgent(table);
    throw new UsageError(`${JSON.stringify(name)} is not the name of a known agent: ${unknownAdvice(name, table)}`);
  }
  for (const one of agent.commands) {
    const started = await startable(one, { ...env, ...agent.env }, directory);
    if (started !== undefined) return started;
  }
  if (wish.agent === undefined && table.usual === undefined) throw noAgent(table);
  const how = agent.install === undefined ? "" : ` To install it: ${agent.install}.`;
  throw new UsageError(`${agent.title} is not installed: there is no ${programsOf(agent)} in PATH.${how}`);
}

/** Returns a command with the path of its program. Returns `undefined` if the program is not installed. */
async function startable([name, ...args]: Command, env: NodeJS.ProcessEnv, directory: string) {
  const safe = safeEnvironment(env, [directory]);
  // A local install has both programs in one folder, which is not in PATH.
  const own = name === "turnkit-agent" ? dirname(process.argv[1] ?? "") : "";
  const program =
    (await findProgram(name, { env, distrusted: [directory], isChosen: true })) ??
    (own && (await findProgram(name, { env: { ...safe, PATH: own }, distrusted: "nothing" })));
  if (!program) return undefined;
  const command: Command = [program, ...args];
  if (!isPackageRunner(command)) return { command, env: safe };
  return { command, env: runnerEnvironment(safe), runnerFolder: runnerFolder(env, directory) };
}

function programsOf({ commands }: StartableAgent): string {
  return [...new Set(commands.map(([program]) => program))].join(" or ");
}

function noAgent({ file }: AgentTable): UsageError {
  return new UsageError(
    `There is no agent to start: turnkit-agent is neither in PATH nor beside turnkit, and ${file} has no default.
To choose and check an installed agent: turnkit setup. To see what can be installed: turnkit agents
To name one for this run: turnkit --agent opencode, or a command: turnkit -- my-agent --acp`,
  );
}

function unknownAdvice(name: string, { agents, file }: AgentTable): string {
  const names = agents.map((agent) => agent.name);
  const near = names.filter((one) => one.startsWith(name.slice(0, 3)) || name.includes(one));
  const which = near.length > 0 ? `do you mean ${near.join(" or ")}?` : `known are ${names.join(", ")}.`;
  return `${which} Give its command after --, or name it in ${file}.`;
}
