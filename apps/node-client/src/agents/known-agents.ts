import { join } from "node:path";
import { configurationFolder, type JsonValue, readJsonFile } from "../setup/json-file.js";

/** Command that starts an agent: a program and its arguments. */
export type Command = readonly [string, ...string[]];

/** Agent that can be started by its name. */
export type KnownAgent = {
  readonly name: string;
  readonly title: string;
  /** Commands that start the agent, best first. The first command whose program is installed is used. */
  readonly commands: readonly Command[];
  /** Variables for the agent, in addition to the environment of this program. */
  readonly env?: Readonly<Record<string, string>>;
  /** Instructions for installing the agent, as a sentence for users. */
  readonly install?: string;
};

const known = (name: string, title: string, install: string, ...commands: readonly Command[]): KnownAgent => ({
  ...{ name, title, install, commands },
});

/**
 * Makes a command with which `npx` fetches an npm package and starts it. Few people install these packages themselves.
 */
const npx = (name: string, ...args: readonly string[]): Command => ["npx", "-y", name, ...args];

/** Name of turnkit's own agent, which is the default. */
export const ownAgent = "turnkit";

/** Agents and their launch commands, from their documentation as of November 2026. */
const knownAgents: readonly KnownAgent[] = [
  known(ownAgent, "turnkit-agent", "see apps/cli-agent in turnkit's repository", ["turnkit-agent"]),
  known("auggie", "Auggie", "npm install -g @augmentcode/auggie", ["auggie", "--acp"]),
  known(
    "claude",
    "Claude Code (by its adapter)",
    "npm install -g @agentclientprotocol/claude-agent-acp",
    ["claude-agent-acp"],
    ["claude-code-acp"],
    npx("@agentclientprotocol/claude-agent-acp@0.101.0"),
  ),
  known("cline", "Cline", "npm install -g cline", ["cline", "--acp"]),
  known(
    "codex",
    "Codex (by its adapter)",
    "npm install -g @agentclientprotocol/codex-acp",
    ["codex-acp"],
    npx("@agentclientprotocol/codex-acp@2.6.0"),
  ),
  known("copilot", "GitHub Copilot", "npm install -g @github/copilot", ["copilot", "--acp", "--stdio"]),
  known("cursor", "Cursor", "see cursor.com/cli", ["cursor-agent", "acp"]),
  known("droid", "Factory Droid", "see docs.factory.ai", ["droid", "exec", "--output-format", "acp"]),
  known("gemini", "Gemini CLI", "npm install -g @google/gemini-cli", ["gemini", "--acp"]),
  known("goose", "goose", "see block.github.io/goose", ["goose", "acp"]),
  known("junie", "Junie", "see junie.jetbrains.com", ["junie", "--acp=true"]),
  known("kilocode", "Kilo Code", "npm install -g @kilocode/cli", ["kilo", "acp"], ["kilocode", "acp"]),
  known("kimi", "Kimi Code", "see github.com/MoonshotAI", ["kimi", "acp"]),
  known("kiro", "Kiro", "see kiro.dev/cli", ["kiro-cli", "acp"], ["kiro-cli-chat", "acp"]),
  known("opencode", "OpenCode", "npm install -g opencode-ai", ["opencode", "acp"]),
  known("qoder", "Qoder", "npm install -g @qoder-ai/qodercli", ["qodercli", "--acp"]),
  known("qwen", "Qwen Code", "npm install -g @qwen-code/qwen-code", ["qwen", "--acp"]),
  known("vibe", "Mistral Vibe", "uv tool install mistral-vibe", ["vibe-acp"]),
];

/** Agents that can be started by name. */
export type AgentTable = {
  readonly agents: readonly KnownAgent[];
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
 * Reads one agent of the file. `command` is a list, or a program whose arguments are in `args`, as in the settings of
 * editors. Members that are absent have the values of the known agent.
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
