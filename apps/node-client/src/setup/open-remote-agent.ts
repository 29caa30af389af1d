import { openRemote } from "@turnkit/remote/client";
import { AcpError, type Channel, isAcpError, textOf } from "@turnkit/transport";
import { WebSocket } from "ws";
import type { RemoteAgent } from "../agents/remote-agent.js";
import { Interrupted, unlessAborted } from "../interrupts.js";
import { tokenVariable } from "./access-token.js";
import { type CutListener, cutsIn } from "./connection-cuts.js";

/**
 * Attempts to connect again, which take about five minutes. The server has its own limit for a connection without a
 * client.
 */
const ATTEMPTS = 40;

/** Time limit for the start, in milliseconds: the opening of a WebSocket and `initialize` have 30 s each. */
const START_MS = 60_000;

/** Opens a channel to a remote agent. A cut of the network is repaired, if the server allows it. */
async function openRemoteAgent({ url, token }: RemoteAgent, onCut: CutListener): Promise<Channel> {
  return openRemote(url, {
    token,
    reconnect: { attempts: ATTEMPTS },
    // Node 20 has no WebSocket, and the WebSocket of newer versions sends no pings.
    webSocket: (address, { headers, protocols }) =>
      new WebSocket(address, [...protocols], { headers, perMessageDeflate: false }),
    onState: cutsIn(onCut),
  });
}

/**
 * Opens a channel and connects over it. If both take longer than `ms` milliseconds, the channel is closed.
 *
 * @throws AcpError with advice for a person
 */
export async function connectRemotely<T>(
  remote: RemoteAgent,
  { ms = START_MS, onCut }: { readonly ms?: number | undefined; readonly onCut: CutListener },
  connect: (channel: Channel) => Promise<T>,
): Promise<T> {
  const opening = openRemoteAgent(remote, onCut);
  try {
    return await unlessAborted(opening.then(connect), AbortSignal.timeout(ms));
  } catch (error) {
    void opening.then((channel) => channel.close()).catch(() => undefined);
    if (!(error instanceof Interrupted)) throw inWordsOfUrl(error, remote);
    const text = `The agent at ${remote.url.href} did not answer within ${ms / 1000} s. For one prompt give it longer with --timeout.`;
    throw new AcpError("connection_closed", text);
  }
}

/** Replaces the error of a connection that could not be opened with advice for a person. */
function inWordsOfUrl(error: unknown, { url, token }: RemoteAgent): unknown {
  if (!isAcpError(error, "connection_closed")) return error;
  const agent = `The agent at ${url.href}`;
  const advice = `Put it into ${tokenVariable}, or into a private file for --token-file.`;
  const isRefused = /\b401\b/.test(error.message);
  const wanted =
    token === undefined ? "needs a token" : "refused the token. Use the token that it printed at its start";
  const message = isRefused ? `${agent} ${wanted}. ${advice}` : `${agent} cannot be reached.`;
  return new AcpError("connection_closed", `${message}\n${textOf(error)}`, { cause: error });
}
