import { allDialects, type Client, type ClientOptions, isAcpError } from "@turnkit/client";
import { createLocalFileHost, createLocalTerminalHost, type LaunchOptions, launchWith } from "@turnkit/client/node";
import { SpawnError } from "@turnkit/transport";
import { version } from "../version.js";
import type { Setup } from "./setup.js";

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
