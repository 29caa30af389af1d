import { openRemote, type RemoteState } from "@turnkit/remote/client";
import { AcpError, type Channel, isAcpError, textOf } from "@turnkit/transport";
import { WebSocket } from "ws";
import type { RemoteAgent } from "../agents/remote-agent.js";
import { tokenVariable } from "./access-token.js";

/** Listener for cuts of a connection. It gets a sentence for each attempt to connect again, and `undefined` afterwards. */
export type CutListener = (cut: string | undefined) => void;

/** Attempts to connect again. A laptop that slept for five minutes goes on by itself, and a lost server is noticed. */
const ATTEMPTS = 40;

/**
 * Opens a channel to a remote agent. A cut of the network is repaired, if the server allows it.
 *
 * @throws ConnectionClosedError if the agent cannot be reached
 */
export async function openRemoteAgent({ url, token }: RemoteAgent, onCut: CutListener): Promise<Channel> {
  return openRemote(url, {
    ...(token !== undefined && { token }),
    reconnect: { attempts: ATTEMPTS },
    // Node 20 has no WebSocket, and the one of newer versions sends no pings.
    webSocket: (address, { headers, protocols }) =>
      new WebSocket(address, [...protocols], { headers, perMessageDeflate: false }),
    onState: (state) => onCut(cutText(state)),
  });
}

function cutText(state: RemoteState): string | undefined {
  return state.status === "reconnecting" ? `Attempt ${state.attempt} to connect again: ${state.message}` : undefined;
}

/** Replaces the error of a connection that could not be opened with advice for a person. */
export function inWordsOfUrl(error: unknown, { url, token }: RemoteAgent): unknown {
  if (!isAcpError(error, "connection_closed")) return error;
  const agent = `The agent at ${url.href}`;
  const advice = `Put it into ${tokenVariable}, or into a private file for --token-file.`;
  const isRefused = /\b401\b/.test(error.message);
  const wanted = token === undefined ? "needs a token" : "refused the token, and needs the one of its start";
  const message = isRefused ? `${agent} ${wanted}. ${advice}` : `${agent} cannot be reached.`;
  return new AcpError("connection_closed", `${message}\n${textOf(error)}`, { cause: error });
}
