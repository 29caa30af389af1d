import { join } from "node:path";
import { type AgentCommand, type KnownAgent, knownAgents } from "@turnkit/client/agents";
import { type JsonValue, readJsonFile, writeJsonFile } from "../setup/json-file.js";
import { configurationFolder } from "../setup/user-folders.js";

/** Command that starts an agent: a program and its arguments. */
export type Command = AgentCommand;

export type StartableAgent = Pick<KnownAgent, "name" | "title" | "commands"> & {
  /** Variables for the agent, in addition to the environment of this program. */
  readonly env?: Readonly<Record<string, string>>;
  /** Instructions for installing the agent, as a sentence for users. */
  readonly install?: string;
};

/** Name of turnkit's own agent, which is the default. */
export const ownAgent = "turnkit";

export type AgentTable = {
  readonly agents: readonly StartableAgent[];
  /** Name of the agent that the user chose as the default. */
  readonly usual?: string;
  /** Path of the user's `agents.json`. The file may be missing. */
  readonly file: string;
};

/**
 * Reads the known agents and the user's `agents.json` in the configuration folder. An entry of the file adds an agent,
 * replaces a known agent, or removes one with `null`.
 *
 * @throws UsageError for a file that cannot be read
 */
export async function readAgentTable(env: NodeJS.ProcessEnv): Promise<AgentTable> {
  const file = join(configurationFolder(env), "agents.json");
  const found = await readJsonFile(file);
  if (found === undefined) return { agents: knownAgents, file };
  const members = found.members(["default", "agents"]);
  const table = new Map<string, StartableAgent>(knownAgents.map((agent) => [agent.name, agent]));
  for (const [name, entry] of members.get("agents")?.members() ?? []) {
    if (entry.value === null) table.delete(name);
    else table.set(name, readAgent(name, entry, table.get(name)));
  }
  const usual = members.get("default");
  if (usual !== undefined && !table.has(usual.text())) {
    throw usual.fail(`one of ${[...table.keys()].join(", ")}`);
  }
  return { agents: [...table.values()], file, usual: usual?.text() };
}

/**
 * Stores the default agent in the user's `agents.json`, and returns the path of the file. With a command, also adds or
 * replaces the agent.
 *
 * @throws UsageError if the file cannot be written
 */
export async function writeDefaultAgent(env: NodeJS.ProcessEnv, name: string, command?: Command): Promise<string> {
  const file = join(configurationFolder(env), "agents.json");
  const before = (await readJsonFile(file))?.members(["default", "agents"]);
  const agents = before?.get("agents")?.value as object | undefined;
  const after = command === undefined ? agents : { ...agents, [name]: { command } };
  await writeJsonFile(file, { default: name, agents: after });
  return file;
}

/**
 * Reads one agent of the file. `command` is a list, or a program whose arguments are in `args`, as in the settings of
 * editors. Members that are absent have the values of the known agent.
 */
function readAgent(name: string, entry: JsonValue, before: StartableAgent | undefined): StartableAgent {
  const members = entry.members(["title", "command", "args", "env", "install"]);
  const command = members.get("command");
  if (command === undefined && before === undefined) throw entry.fail('an object with a "command"');
  const words = command && [...command.texts(), ...(members.get("args")?.texts() ?? [])];
  if (words?.length === 0) throw (command as JsonValue).fail("a program with its arguments");
  const env = members.get("env")?.members();
  return {
    ...{ name, title: members.get("title")?.text() ?? before?.title ?? name },
    commands: words === undefined ? (before?.commands ?? []) : [words as unknown as Command],
    env: env && Object.fromEntries([...env].map(([key, value]) => [key, value.maybeEmptyText()])),
    install: members.get("install")?.text() ?? before?.install,
  };
}
