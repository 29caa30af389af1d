import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { allDialects, type Client, type ClientOptions, isAcpError, type McpServer } from "@turnkit/client";
import { createLocalFileHost, createLocalTerminalHost, type LaunchOptions, launchWith } from "@turnkit/client/node";
import type { DialectName } from "@turnkit/session";
import { SpawnError } from "@turnkit/transport";
import { type ChosenAgent, chooseAgent } from "../agents/choose-agent.js";
import { UsageError } from "../exit-code.js";
import type { AgentChoice } from "../invocation.js";
import { version } from "../version.js";
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

/** What a client can do for its agent beside what a {@link Setup} says. */
export type StartOptions = Pick<ClientOptions, "permissions" | "elicitations" | "terminalLogin" | "onDiagnostic"> &
  Pick<LaunchOptions, "wrapChannel">;

/** A package runner may have to fetch the agent first. */
const FETCH_TIMEOUT_MS = 180_000;

/**
 * Starts the agent of a setup, and lends it files and terminals. The caller closes the client.
 *
 * @throws what `launch` throws
 */
export async function startAgent(setup: Setup, options: StartOptions): Promise<Client> {
  const { command, env, directory, dialects, trace } = setup;
  const startTimeoutMs = setup.startTimeoutMs ?? (command[0] === "npx" ? FETCH_TIMEOUT_MS : undefined);
  const { wrapChannel = (unchanged) => unchanged } = options;
  const spoken = allDialects.filter(({ dialect }) => dialects.includes(dialect));
  return launchWith(spoken, command, {
    ...options,
    info: { name: "turnkit", title: "turnkit", version },
    cwd: directory,
    // The person chose this agent, and its keys are in the environment; the commands that it runs do not get them.
    env: env ?? process.env,
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    files: createLocalFileHost({ missingAsEmpty: true }),
    terminals: createLocalTerminalHost(),
    wrapChannel: (channel) => wrapChannel(trace?.record(channel) ?? channel),
  }).catch((error: unknown) => {
    throw inWordsOfThisProgram(error);
  });
}

/** The library's advice names its own option, which nobody can set on a command line. */
function inWordsOfThisProgram(error: unknown): unknown {
  if (!isAcpError(error, "spawn")) return error;
  const message = error.message.replace("raise startTimeoutMs", "for one prompt give it longer with --timeout");
  return new SpawnError(message, { cause: error.cause });
}
