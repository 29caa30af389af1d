import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { McpServer } from "@turnkit/client";
import type { DialectName } from "@turnkit/session";
import { safeEnvironment } from "@turnkit/transport/node";
import { type ChosenAgent, chooseAgent } from "../agents/choose-agent.js";
import { originOf } from "../agents/remote-agent.js";
import { UsageError } from "../exit-code.js";
import type { AgentChoice } from "../invocation.js";
import { readMcpServers } from "../mcp/read-servers.js";
import { tokenVariable } from "./access-token.js";
import type { HostLimits } from "./client-hosts.js";
import { createTrace, type Trace } from "./trace.js";

/** Everything that is needed to connect to the agent: its command or address, the directory and the MCP servers. */
export type Setup = ChosenAgent &
  HostLimits & {
    /**
     * Absolute path on the machine of the agent. Sessions work in this directory. The agent also starts in it, except with a
     * package runner.
     */
    readonly directory: string;
    readonly dialects: readonly DialectName[];
    readonly mcpServers: readonly McpServer[];
    /** Milliseconds that the agent may take to start. If absent, the default of the client applies. */
    readonly startTimeoutMs?: number;
    readonly trace?: Trace;
    /** Choices of the command line, for commands that people can paste. */
    readonly choice?: AgentChoice;
  };

/**
 * Reads the choices of the command line: agent, directory and MCP servers.
 *
 * @throws UsageError with a sentence for the user
 */
export async function readSetup(choice: AgentChoice, env: NodeJS.ProcessEnv): Promise<Setup> {
  // Commands that the client runs for the agent use this PATH too.
  if (env.PATH !== undefined) env.PATH = safeEnvironment({ PATH: env.PATH }, "nothing").PATH;
  const isRemote = choice.url !== undefined;
  const directory = isRemote ? remoteFolder(choice.cwd) : await localFolder(choice.cwd);
  const agent = await chooseAgent(choice, env, directory);
  const mcpServers = await readMcpServers(choice.mcp, { env, directory });
  const program = isRemote ? mcpServers.find(({ type }) => type === "stdio") : undefined;
  if (program !== undefined) {
    throw new UsageError(`--mcp: ${program.name} is a program of this machine. With --url, use servers with a URL.`);
  }
  // The machine of a remote agent is not trusted, unless the user allows this.
  const isStranger = isRemote && choice.share !== true;
  return {
    ...agent,
    ...{ directory, dialects: choice.dialects, mcpServers, choice },
    // Subcommands without a permission mode, such as `sessions`, need neither files nor terminals.
    readOnly: choice.readOnly ?? true,
    noTerminals: isStranger || (choice.noTerminals ?? true),
    noFiles: isStranger,
    anyVariables: choice.anyVariables ?? false,
    // `--timeout` is also the limit for the start of the agent.
    startTimeoutMs: choice.timeoutMs,
    trace: choice.trace === undefined ? undefined : createTrace(resolve(choice.trace), secretsOf(agent, env)),
  };
}

async function localFolder(cwd = "."): Promise<string> {
  const directory = resolve(cwd);
  const isDirectory = await stat(directory)
    .then((found) => found.isDirectory())
    .catch(() => false);
  if (!isDirectory) throw new UsageError(`--cwd: there is no directory ${directory}.`);
  return directory;
}

/** Returns a folder of the agent's machine, which cannot be checked here. */
function remoteFolder(cwd = process.cwd()): string {
  if (/^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(cwd)) return cwd;
  throw new UsageError(`With --url, --cwd is a full path on the agent's machine, such as /srv/project, not ${cwd}.`);
}

/** Returns variables with the token of a remote agent, which may come from a file. */
function secretsOf({ remote }: ChosenAgent, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return remote?.token === undefined ? env : { ...env, [tokenVariable]: remote.token };
}

/** Returns the folder of this machine for files of prompts and for commands of the person. */
export function hereOf({ remote, directory }: Pick<Setup, "remote" | "directory">): string {
  return remote === undefined ? directory : process.cwd();
}

/** Returns the command of an agent, or the address of a remote agent, for people. */
export function commandOrAddress({ remote, command }: ChosenAgent): readonly [string, ...string[]] {
  return remote === undefined ? command : [remote.url.href];
}

/** Returns words that stay the same for the same agent: its command, or its origin. */
export function agentIdentity({ remote, command }: ChosenAgent): readonly string[] {
  return remote === undefined ? command : [originOf(remote)];
}

/**
 * Returns the folder and the environment in which the agent starts. The agent gets this program's environment with its
 * keys. Commands that the client runs for the agent get no keys.
 */
export function agentPlace({ directory, runnerFolder, env = process.env }: Setup) {
  return { cwd: runnerFolder ?? directory, env };
}
