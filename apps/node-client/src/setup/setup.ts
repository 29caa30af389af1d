import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { McpServer } from "@turnkit/client";
import type { DialectName } from "@turnkit/session";
import { type ChosenAgent, chooseAgent } from "../agents/choose-agent.js";
import type { AgentChoice } from "../invocation.js";
import { UsageError } from "../usage-error.js";
import { readMcpServers } from "./mcp-servers.js";
import { createTrace, type Trace } from "./trace.js";

/** What is to be started where, and what goes with it: everything that is known before an agent runs. */
export type Setup = ChosenAgent & {
  /** Absolute. The agent starts in it, and sessions work on it. */
  readonly directory: string;
  readonly dialects: readonly DialectName[];
  readonly mcpServers: readonly McpServer[];
  /** How long the agent may take to start, in milliseconds; what is usual unless given. */
  readonly startTimeoutMs?: number;
  readonly trace?: Trace;
};

/**
 * Looks up what the command line names: the agent, the directory, the MCP servers.
 *
 * @throws UsageError with a sentence for the user
 */
export async function readSetup(choice: AgentChoice, env: NodeJS.ProcessEnv): Promise<Setup> {
  const directory = resolve(choice.cwd ?? ".");
  const isDirectory = await stat(directory)
    .then((found) => found.isDirectory())
    .catch(() => false);
  if (!isDirectory) throw new UsageError(`--cwd: there is no directory ${directory}.`);
  const agent = await chooseAgent(choice, env);
  return {
    ...agent,
    ...{ directory, dialects: choice.dialects, mcpServers: await readMcpServers(choice.mcp, env) },
    // Whoever has more patience in all has it for the start, too.
    ...(choice.timeoutMs !== undefined && { startTimeoutMs: choice.timeoutMs }),
    ...(choice.trace !== undefined && { trace: await createTrace(resolve(choice.trace), env) }),
  };
}
