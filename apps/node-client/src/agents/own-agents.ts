import { join } from "node:path";
import { configurationFolder, type JsonValue, readJsonFile } from "../setup/json-file.js";
import { type Command, type KnownAgent, knownAgents } from "./known-agents.js";

/** Agents that can be started by name. */
export type AgentTable = {
  readonly agents: readonly KnownAgent[];
  /** Name of the user's default agent. */
  readonly usual?: string;
  /** Path of the user's own file, which may be missing. */
  readonly file: string;
};

/**
 * Reads the known agents and the user's `agents.json` of the configuration folder. Entries of the file add agents,
 * replace known ones, or remove them (`null`).
 *
 * @throws UsageError for a file that cannot be read
 */
export async function readAgentTable(env: NodeJS.ProcessEnv): Promise<AgentTable> {
  const file = join(configurationFolder(env), "agents.json");
  const found = await readJsonFile(file);
  if (found === undefined) return { agents: knownAgents, file };
  const members = found.members(["default", "agents"]);
  const table = new Map(knownAgents.map((agent) => [agent.name, agent]));
  for (const [name, entry] of members.get("agents")?.members() ?? []) {
    if (entry.value === null) table.delete(name);
    else table.set(name, readAgent(name, entry, table.get(name)));
  }
  const usual = members.get("default");
  if (usual !== undefined && !table.has(usual.text())) {
    throw usual.fail(`one of ${[...table.keys()].join(", ")}`);
  }
  return { agents: [...table.values()], file, ...(usual !== undefined && { usual: usual.text() }) };
}

/**
 * Reads one agent. `command` is a list, or a program with `args` beside it, as editors write it. Absent members keep
 * their value.
 */
function readAgent(name: string, entry: JsonValue, before: KnownAgent | undefined): KnownAgent {
  const members = entry.members(["title", "command", "args", "env", "install"]);
  const command = members.get("command");
  if (command === undefined && before === undefined) throw entry.fail('an object with a "command"');
  const words = command && [...command.texts(), ...(members.get("args")?.texts() ?? [])];
  if (words?.length === 0) throw (command as JsonValue).fail("a program with its arguments");
  const env = members.get("env")?.members();
  const install = members.get("install")?.text() ?? before?.install;
  return {
    ...{ name, title: members.get("title")?.text() ?? before?.title ?? name },
    commands: words === undefined ? (before?.commands ?? []) : [words as unknown as Command],
    ...(env && { env: Object.fromEntries([...env].map(([key, value]) => [key, value.maybeEmptyText()])) }),
    ...(install !== undefined && { install }),
  };
}
