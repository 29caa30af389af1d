import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { allDialects, type Client, type ClientOptions, isAcpError, type McpServer } from "@turnkit/client";
import { type LaunchOptions, launchWith } from "@turnkit/client/node";
import type { DialectName } from "@turnkit/session";
import { SpawnError } from "@turnkit/transport";
import { safeEnvironment } from "@turnkit/transport/node";
import { type ChosenAgent, chooseAgent } from "../agents/choose-agent.js";
import { UsageError } from "../exit-code.js";
import type { AgentChoice } from "../invocation.js";
import { readMcpServers } from "../mcp/read-servers.js";
import { version } from "../version.js";
import { createClientHosts, type HostLimits, type WorkNotes } from "./client-hosts.js";
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

/** Options of the client that are not part of a {@link Setup}. */
export type StartOptions = Pick<ClientOptions, "permissions" | "elicitations" | "terminalLogin" | "onDiagnostic"> &
  Pick<LaunchOptions, "wrapChannel"> & {
    /** If absent, the client's work for the agent is not shown. */
    readonly work?: WorkNotes;
  };

/** Time limit for the start with a package runner, in milliseconds. The runner may have to fetch the agent first. */
const FETCH_TIMEOUT_MS = 180_000;

/**
 * Starts the agent of a setup. The agent can use files and terminals of the client. The caller has to close the client.
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
    // The agent gets this program's environment with its keys. Commands that the client runs for the agent get no keys.
    env: env ?? process.env,
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    ...createClientHosts(setup, options.work ?? { note() {} }),
    wrapChannel: (channel) => wrapChannel(trace?.record(channel) ?? channel),
  }).catch((error: unknown) => {
    throw inWordsOfThisProgram(error);
  });
}

/** Replaces the advice to raise `startTimeoutMs`, because the command line has no such option. */
function inWordsOfThisProgram(error: unknown): unknown {
  if (!isAcpError(error, "spawn")) return error;
  const message = error.message.replace("raise startTimeoutMs", "for one prompt give it longer with --timeout");
  return new SpawnError(message, { cause: error.cause });
}
