import { type Client, type ClientOptions, everyDialect } from "@turnkit/client";
import { createFileHost, createTerminalHost, type LaunchOptions, launchIn } from "@turnkit/client/node";
import { version } from "../version.js";
import type { Setup } from "./setup.js";

/** What a client can do for its agent beside what a {@link Setup} says. */
export type StartOptions = Pick<ClientOptions, "permissions" | "elicitations" | "terminalLogin" | "onDiagnostic"> &
  Pick<LaunchOptions, "through">;

/** A package runner may have to fetch the agent first. */
const FETCH_TIMEOUT_MS = 180_000;

/**
 * Starts the agent of a setup, and lends it files and terminals. The caller closes the client.
 *
 * @throws what `launch` throws
 */
export function startAgent(setup: Setup, options: StartOptions): Promise<Client> {
  const { command, env, directory, dialects, trace } = setup;
  const { through = (unchanged) => unchanged } = options;
  const spoken = everyDialect.filter(({ dialect }) => dialects.includes(dialect));
  return launchIn(spoken, command, {
    ...options,
    info: { name: "turnkit", title: "turnkit", version },
    cwd: directory,
    // The person chose this agent, and its keys are in the environment; the commands that it runs do not get them.
    env: env ?? process.env,
    ...(command[0] === "npx" && { startTimeoutMs: FETCH_TIMEOUT_MS }),
    files: createFileHost({ missingAsEmpty: true }),
    terminals: createTerminalHost(),
    through: (channel) => through(trace?.record(channel) ?? channel),
  });
}
