import { allDialects, type Client, type ClientOptions, connectWith, isAcpError } from "@turnkit/client";
import { type LaunchOptions, launchWith } from "@turnkit/client/node";
import { type Channel, SpawnError } from "@turnkit/transport";
import { version } from "../version.js";
import { createClientHosts, type WorkNotes } from "./client-hosts.js";
import type { CutListener } from "./connection-cuts.js";
import { agentPlace, type Setup } from "./setup.js";

/** Options of the client that are not part of a {@link Setup}. */
export type StartOptions = Pick<ClientOptions, "permissions" | "elicitations" | "terminalLogin" | "onDiagnostic"> &
  Pick<LaunchOptions, "spawn"> & {
    /** If absent, the client's work for the agent is not shown. */
    readonly work?: WorkNotes;
    readonly onCut?: CutListener;
  };

/** Time limit for the start with a package runner, in milliseconds. The runner may have to fetch the agent first. */
const FETCH_TIMEOUT_MS = 180_000;

/**
 * Starts the agent of a setup, or connects to it. The agent can use the client's files and terminals of the setup. The
 * caller has to close the client.
 *
 * @throws the errors of `launch`, or those of `connect`
 */
export async function startAgent(setup: Setup, options: StartOptions): Promise<Client> {
  const { command, remote, dialects, trace, runnerFolder } = setup;
  const startTimeoutMs = setup.startTimeoutMs ?? (runnerFolder === undefined ? undefined : FETCH_TIMEOUT_MS);
  const { spawn, work = { note() {} }, onCut = () => {}, ...handlers } = options;
  const spoken = allDialects.filter(({ dialect }) => dialects.includes(dialect));
  const wrapChannel = (channel: Channel) => trace?.record(channel) ?? channel;
  const info = { name: "turnkit", title: "turnkit", version };
  const client: ClientOptions = { ...handlers, info, ...createClientHosts(setup, work) };
  if (remote !== undefined) {
    const { connectRemotely } = await import("./open-remote-agent.js");
    return connectRemotely(remote, { ms: startTimeoutMs, onCut }, (channel) =>
      connectWith(spoken, wrapChannel(channel), { ...client, terminalLogin: false }),
    );
  }
  return launchWith(spoken, command, {
    ...client,
    ...agentPlace(setup),
    ...{ spawn, startTimeoutMs, wrapChannel },
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
