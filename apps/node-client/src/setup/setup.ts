import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { McpServer } from "@turnkit/client";
import type { DialectName } from "@turnkit/session";
import { safeEnvironment } from "@turnkit/transport/node";
import { type ChosenAgent, chooseAgent } from "../agents/choose-agent.js";
import { UsageError } from "../exit-code.js";
import type { AgentChoice } from "../invocation.js";
import { readMcpServers } from "../mcp/read-servers.js";
import type { HostLimits } from "./client-hosts.js";
import { createTrace, type Trace } from "./trace.js";

/** Everything that is needed to start the agent: its command, the directory, the dialects and the MCP servers. */
export type Setup = ChosenAgent &
  HostLimits & {
    /** Absolute path. Sessions work in this directory. The agent also starts in it, except with a package runner. */
    readonly directory: string;
    readonly dialects: readonly DialectName[];
    readonly mcpServers: readonly McpServer[];
    /** Milliseconds that the agent may take to start. If absent, the default of the client applies. */
    readonly startTimeoutMs?: number;
    readonly trace?: Trace;
  };

/**
 * Reads the choices of the command line: agent, directory and MCP servers.
 *
 * @throws UsageError with a sentence for the user
 */
export async function readSetup(choice: AgentChoice, env: NodeJS.ProcessEnv): Promise<Setup> {
  // Commands that the client runs for the agent use this PATH too.
  if (env.PATH !== undefined) env.PATH = safeEnvironment({ PATH: env.PATH }).PATH;
  const directory = resolve(choice.cwd ?? ".");
  const isDirectory = await stat(directory)
    .then((found) => found.isDirectory())
    .catch(() => false);
  if (!isDirectory) throw new UsageError(`--cwd: there is no directory ${directory}.`);
  const agent = await chooseAgent(choice, env, directory);
  return {
    ...agent,
    ...{ directory, dialects: choice.dialects, mcpServers: await readMcpServers(choice.mcp, { env, directory }) },
    // Subcommands without a permission mode, such as `sessions`, need neither files nor terminals.
    readOnly: choice.readOnly ?? true,
    noTerminals: choice.noTerminals ?? true,
    anyVariables: choice.anyVariables ?? false,
    // `--timeout` is also the limit for the start of the agent.
    ...(choice.timeoutMs !== undefined && { startTimeoutMs: choice.timeoutMs }),
    ...(choice.trace !== undefined && { trace: createTrace(resolve(choice.trace), env) }),
  };
}

/**
 * Returns the folder and the environment in which the agent starts. The agent gets this program's environment with its
 * keys. Commands that the client runs for the agent get no keys.
 */
export function agentPlace({ directory, runnerFolder, env = process.env }: Setup) {
  return { cwd: runnerFolder ?? directory, env };
}
