import { allDialects, type Client, type ClientOptions, isAcpError } from "@turnkit/client";
import { type LaunchOptions, launchWith } from "@turnkit/client/node";
import { SpawnError } from "@turnkit/transport";
import { version } from "../version.js";
import { createClientHosts, type WorkNotes } from "./client-hosts.js";
import { agentPlace, type Setup } from "./setup.js";

/** Options of the client that are not part of a {@link Setup}. */
export type StartOptions = Pick<ClientOptions, "permissions" | "elicitations" | "terminalLogin" | "onDiagnostic"> &
  Pick<LaunchOptions, "wrapChannel" | "spawn"> & {
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
  const { command, dialects, trace, runnerFolder } = setup;
  const startTimeoutMs = setup.startTimeoutMs ?? (runnerFolder === undefined ? undefined : FETCH_TIMEOUT_MS);
  const { wrapChannel = (unchanged) => unchanged } = options;
  const spoken = allDialects.filter(({ dialect }) => dialects.includes(dialect));
  return launchWith(spoken, command, {
    ...options,
    info: { name: "turnkit", title: "turnkit", version },
    ...agentPlace(setup),
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
