import type { Buffer } from "node:buffer";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Stream } from "@agentclientprotocol/sdk";
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from "@agentclientprotocol/sdk/experimental/node";
import { AcpServer, type ConnectionLimits } from "@agentclientprotocol/sdk/experimental/server";
import { type Agent, type AgentConnection, outgoingContracts, type ServeOptions } from "@turnkit/agent";
import { createMessageStreamChannel } from "@turnkit/transport/channels";
import { onTestFinished } from "vitest";
import { FramedSocket } from "./framed-socket.js";

/** Function that takes the connections of a remote server: their streams, until `closed`. */
export type Connector = (stream: Stream) => { readonly closed: Promise<unknown> };

/** Settings of a remote server beyond its defaults. */
export type RemoteOptions = {
  readonly limits?: ConnectionLimits;
  /** Sees every request, also upgrades; may add headers to the answer of one that is no upgrade. */
  readonly onRequest?: (request: IncomingMessage, answer: ServerResponse | undefined) => void;
  /** Sees the server's side of each WebSocket before anything is sent. */
  readonly onSocket?: (socket: FramedSocket) => void;
};

/** A server that listens, until the end of the test. */
export type RemoteServer = {
  readonly http: string;
  readonly webSocket: string;
  /** Shuts down as a server does that is stopped. */
  close(): Promise<void>;
};

/** The official SDK's remote server, over HTTP and WebSocket at one address, in front of any connector. */
export async function startRemoteServer(connect: Connector, options: RemoteOptions = {}): Promise<RemoteServer> {
  const acp = new AcpServer({ agent: { connect }, ...options.limits });
  const handle = createNodeHttpHandler(acp);
  const server = createServer((request, answer) => {
    options.onRequest?.(request, answer);
    handle(request, answer);
  });
  const upgrades = createNodeWebSocketUpgradeHandler(acp, new Upgrades(options.onSocket));
  server.on("upgrade", (request: IncomingMessage, pipe: Duplex, head: Buffer) => {
    options.onRequest?.(request, undefined);
    upgrades(request, pipe, head);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await acp.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    http: `http://127.0.0.1:${port}/acp`,
    webSocket: `ws://127.0.0.1:${port}/acp`,
    close: () => acp.close(),
  };
}

/** A server of nothing but WebSockets, until the end of the test; gives its address. */
export async function startSocketServer(onSocket: (socket: FramedSocket, path: string) => void): Promise<string> {
  const server = createServer();
  server.on("upgrade", (request: IncomingMessage, pipe: Duplex, head: Buffer) => {
    onTestFinished(() => void pipe.destroy());
    onSocket(FramedSocket.accept(request, pipe, head), request.url ?? "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
}

/** A remote server in front of our agent. `served` holds every connection, in the order in which they came. */
export async function startRemoteAgent(
  agent: Agent,
  options: RemoteOptions & { readonly serve?: ServeOptions } = {},
): Promise<RemoteServer & { readonly served: readonly AgentConnection[] }> {
  const served: AgentConnection[] = [];
  const server = await startRemoteServer((stream) => {
    const one = agent.serve(createMessageStreamChannel(stream), {
      validateOutgoing: outgoingContracts,
      ...options.serve,
    });
    served.push(one);
    return one;
  }, options);
  return { ...server, served };
}

type OnHeaders = (headers: string[], request: IncomingMessage) => void;

/** Accepts upgrades as the server's adapter expects it of a WebSocket library. */
class Upgrades {
  readonly #listeners = new Set<OnHeaders>();
  readonly #onSocket: RemoteOptions["onSocket"];

  constructor(onSocket: RemoteOptions["onSocket"]) {
    this.#onSocket = onSocket;
  }

  on(_event: "headers", listener: OnHeaders): void {
    this.#listeners.add(listener);
  }

  off(_event: "headers", listener: OnHeaders): void {
    this.#listeners.delete(listener);
  }

  handleUpgrade(request: IncomingMessage, pipe: Duplex, head: Buffer, done: (socket: FramedSocket) => void): void {
    const headers: string[] = [];
    for (const listener of this.#listeners) listener(headers, request);
    const socket = FramedSocket.accept(request, pipe, head, headers);
    this.#onSocket?.(socket);
    done(socket);
  }
}
