import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { createWebSocketStream, type WebSocketConstructor } from "@agentclientprotocol/sdk/experimental/ws-client";
import { openRemote, type RemoteOptions } from "@turnkit/remote/client";
import type { Channel } from "@turnkit/transport";
import { createMessageStreamChannel, createWebSocketChannel } from "@turnkit/transport/channels";
import { onTestFinished } from "vitest";
import { WebSocket as LibrarySocket } from "ws";
import { certificate } from "./certificate.js";
import { FramedSocket } from "./framed-socket.js";
import { createHttp2Fetch } from "./http2-fetch.js";
import { MemoryNetwork } from "./memory-network.js";
import { startOwnServer } from "./own-server.js";
import { startRemoteServer, startSocketServer } from "./remote-server.js";

/** Serves the agent's end of a connection, until `closed`. */
export type Serve = (channel: Channel) => { readonly closed: Promise<unknown> };

/** Joins two sides over the network: has the agent's end served, and gives the client's. */
export type RemoteTransport = (serve: Serve) => Promise<Channel>;

/** The tests' WebSocket as the constructor that the SDK takes. */
export const WebSocket = FramedSocket as unknown as WebSocketConstructor;

/** The tests' WebSocket as the option of our client. */
const webSocket: RemoteOptions["webSocket"] = (url, { headers, protocols }) =>
  new FramedSocket(url, [...protocols], { headers });

const ours = (serve: Serve, resumption?: false) => MemoryNetwork.to({ agent: { serve }, resumption });

/** Our client and server, with resumption: it adds an offer to the answer of `initialize`. */
export const resumableTransports = {
  "http, resumable": async (serve) => ours(serve).open("http"),
  "websocket, resumable": async (serve) => ours(serve).open("ws"),
  "http/2, resumable": async (serve) => openRemote((await startOwnServer(serve)).http, { fetch: http2Fetch() }),
} satisfies Readonly<Record<string, RemoteTransport>>;

/** Settings of our server for messages without additions. */
const plain = { server: { resumption: false } } as const;

const official = (serve: Serve) => startRemoteServer((stream) => serve(createMessageStreamChannel(stream)));

/** The WebSocket of the library `ws` as the option of our client. It trusts the certificate of the tests. */
const librarySocket: RemoteOptions["webSocket"] = (url, { headers, protocols }) =>
  new LibrarySocket(url, [...protocols], { headers, ca: certificate().cert });

function http2Fetch(ca?: string): typeof fetch {
  const { fetch, close } = createHttp2Fetch(ca);
  onTestFinished(close);
  return fetch;
}

/** Each profile of the remote transport, and each way to speak it. */
export const remoteTransports = {
  http: async (serve) => createMessageStreamChannel(createHttpStream((await official(serve)).http)),
  websocket: async (serve) =>
    createMessageStreamChannel(createWebSocketStream((await official(serve)).webSocket, { WebSocket })),
  "websocket, with our channel": async (serve) =>
    createWebSocketChannel(new FramedSocket((await official(serve)).webSocket)),
  "http, with our client": async (serve) => openRemote((await official(serve)).http),
  "websocket, with our client": async (serve) => openRemote((await official(serve)).webSocket, { webSocket }),
  "http, with our server": async (serve) =>
    createMessageStreamChannel(createHttpStream((await startOwnServer(serve)).http)),
  "websocket, with our server": async (serve) =>
    createMessageStreamChannel(createWebSocketStream((await startOwnServer(serve)).webSocket, { WebSocket })),
  "http in memory, with our client and server": async (serve) => ours(serve, false).open("http"),
  "websocket in memory, with our client and server": async (serve) => ours(serve, false).open("ws"),
  "websocket, with our channels": async (serve) =>
    createWebSocketChannel(
      new FramedSocket(await startSocketServer((socket) => void serve(createWebSocketChannel(socket)))),
    ),
  "websocket, with our client and the library ws": async (serve) =>
    openRemote((await official(serve)).webSocket, { webSocket: librarySocket }),
  "http, with our client and server": async (serve) => openRemote((await startOwnServer(serve, plain)).http),
  "http/2, with our client and server": async (serve) =>
    openRemote((await startOwnServer(serve, plain)).http, { fetch: http2Fetch() }),
  "websocket, with our client and server": async (serve) =>
    openRemote((await startOwnServer(serve, plain)).webSocket, { webSocket: librarySocket }),
  "websocket and TLS, with our client and server": async (serve) =>
    openRemote((await startOwnServer(serve, { ...plain, tls: certificate() })).webSocket, { webSocket: librarySocket }),
  "http/2 and TLS, with our client and server": async (serve) => {
    const tls = certificate();
    return openRemote((await startOwnServer(serve, { ...plain, tls })).http, { fetch: http2Fetch(tls.cert) });
  },
} satisfies Readonly<Record<string, RemoteTransport>>;
