import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { allDialects, type Client, type ClientOptions, isAcpError, type McpServer } from "@turnkit/client";
import { type LaunchOptions, launchWith } from "@turnkit/client/node";
import type { DialectName } from "@turnkit/session";
import { SpawnError } from "@turnkit/transport";
import { type ChosenAgent, chooseAgent } from "../agents/choose-agent.js";
import { UsageError } from "../exit-code.js";
import type { AgentChoice } from "../invocation.js";
import { version } from "../version.js";
import { createClientHosts, type HostLimits, type WorkNotes } from "./client-hosts.js";
import { readMcpServers } from "./mcp-servers.js";
import { createTrace, type Trace } from "./trace.js";

/** Everything that is known before an agent runs: command, directory, dialects, MCP servers. */
export type Setup = ChosenAgent &
  HostLimits & {
    /** Absolute path. Agents but those of package runners start in it, and sessions work on it. */
    readonly directory: string;
    readonly dialects: readonly DialectName[];
    readonly mcpServers: readonly McpServer[];
    /** Milliseconds that the agent may take to start. Absent: the default of the client. */
    readonly startTimeoutMs?: number;
    readonly trace?: Trace;
  };

/**
 * Reads the setup of the command line: agent, directory, MCP servers.
 *
 * @throws UsageError with a sentence for the user
 */
export async function readSetup(choice: AgentChoice, env: NodeJS.ProcessEnv): Promise<Setup> {
  const directory = resolve(choice.cwd ?? ".");
  const isDirectory = await stat(directory)
    .then((found) => found.isDirectory())
    .catch(() => false);
  if (!isDirectory) throw new UsageError(`--cwd: there is no directory ${directory}.`);
  const agent = await chooseAgent(choice, env, directory);
  return {
    ...agent,
    ...{ directory, dialects: choice.dialects, mcpServers: await readMcpServers(choice.mcp, { env, directory }) },
    // Commands without a choice of permissions need neither.
    readOnly: choice.readOnly ?? true,
    noTerminals: choice.noTerminals ?? true,
    // A longer limit for the run is also one for the start.
    ...(choice.timeoutMs !== undefined && { startTimeoutMs: choice.timeoutMs }),
    ...(choice.trace !== undefined && { trace: createTrace(resolve(choice.trace), env) }),
  };
}

/** Abilities of the client that a {@link Setup} does not name. */
export type StartOptions = Pick<ClientOptions, "permissions" | "elicitations" | "terminalLogin" | "onDiagnostic"> &
  Pick<LaunchOptions, "wrapChannel"> & {
    /** Absent: the work of the client for the agent is not shown. */
    readonly work?: WorkNotes;
  };

/** Start limit for a package runner, which may have to fetch the agent first. */
const FETCH_TIMEOUT_MS = 180_000;

/**
 * Starts the agent of a setup with access to files and terminals. The caller closes the client.
 *
 * @throws the errors of `launch`
 */
export async function startAgent(setup: Setup, options: StartOptions): Promise<Client> {
  const { command, env, directory, dialects, trace, runnerFolder } = setup;
  const startTimeoutMs = setup.startTimeoutMs ?? (runnerFolder === undefined ? undefined : FETCH_TIMEOUT_MS);
  const { wrapChannel = (unchanged) => unchanged } = options;
  const spoken = allDialects.filter(({ dialect }) => dialects.includes(dialect));
  return launchWith(spoken, command, {
    ...options,
    info: { name: "turnkit", title: "turnkit", version },
    cwd: runnerFolder ?? directory,
    // The agent gets this program's environment with its keys; commands that the agent runs do not get them.
    env: env ?? process.env,
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    ...createClientHosts(setup, options.work ?? { note() {} }),
    wrapChannel: (channel) => wrapChannel(trace?.record(channel) ?? channel),
  }).catch((error: unknown) => {
    throw inWordsOfThisProgram(error);
  });
}

/** Replaces the library's advice: its option does not exist on a command line. */
function inWordsOfThisProgram(error: unknown): unknown {
  if (!isAcpError(error, "spawn")) return error;
  const message = error.message.replace("raise startTimeoutMs", "for one prompt give it longer with --timeout");
  return new SpawnError(message, { cause: error.cause });
}
