import { once } from "node:events";
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { checkArgument, checkOptions, type OptionTypes, refuseOption } from "@turnkit/transport";
import { type RemoteServer, SERVER_OPTIONS } from "../server/remote-server.js";
import { isLoopbackHost } from "../wire/loopback.js";
import { createHandler } from "./create-handler.js";
import { readProtocol } from "./first-bytes.js";
import { createHttp1 } from "./http1.js";
import { createHttp2 } from "./http2.js";
import { type ListenLimits, listenLimits } from "./limits.js";
import type { Listening, ListenOptions } from "./listen-options.js";
import { Undecided } from "./undecided.js";

/**
 * Serves on one port: HTTP/1.1, HTTP/2 and WebSocket.
 *
 * - HTTP/2 is selected by ALPN with TLS, and by its preface without TLS.
 * - Without `beyondLoopback`, only programs on this machine reach the port.
 *
 * @throws TypeError for a host beyond loopback without `beyondLoopback`, and for a path without `/` at its start
 * @throws TypeError for a value that is not a server, an unknown or misspelled option or bound, and a bound that is not
 * a number
 *
 * @example
 * const server = createRemoteServer({ agent });
 * const { url } = await listen(server, { port: 4000, path: "/acp" });
 */
export async function listen(server: RemoteServer, options: ListenOptions = {}): Promise<Listening> {
  const isServer = typeof server?.fetch === "function" && typeof server.upgrade === "function";
  const advice = "pass a server, such as createRemoteServer({ agent })";
  checkArgument(isServer, "listen", { got: server, remedy: advice });
  checkOptions("listen", options, LISTEN_OPTIONS, {
    unknown: refuseOption,
    others: { createRemoteServer: SERVER_OPTIONS },
  });
  const { port = 0, host = "127.0.0.1", path, tls } = options;
  const remedy = "set beyondLoopback, and pass authorize to createRemoteServer";
  checkArgument(options.beyondLoopback === true || isLoopbackHost(host), "listen", { got: host, remedy });
  const isValidPath = path === undefined || path.startsWith("/");
  checkArgument(isValidPath, "listen", { got: path, remedy: "pass a path such as /acp" });
  const limits = listenLimits(options.limits);
  const handler = createHandler(server, { limits, path });
  const undecided = new Undecided(limits);
  const speakers = { http1: createHttp1(handler, undecided), http2: createHttp2(handler, undecided) };
  const accepted = new Set<Socket>();
  /** Sockets without a byte so far. */
  const silent = new Set<Socket>();

  const net = openPort(tls, limits);
  net.maxConnections = limits.connections;
  net.on("connection", (socket: Socket) => {
    accepted.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => accepted.delete(socket));
  });
  net.on(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
    const late = setTimeout(() => socket.destroy(), limits.headerMs);
    silent.add(socket);
    const end = () => void socket.destroy();
    const spoke = () => {
      clearTimeout(late);
      silent.delete(socket);
      socket.removeListener("end", end);
    };
    socket.once("end", end);
    socket.once("close", spoke);
    readProtocol(socket, (protocol) => {
      spoke();
      if (!socket.destroyed) speakers[protocol].take(socket);
    });
  });
  net.listen(port, host);
  await once(net, "listening");

  const { port: actual } = net.address() as AddressInfo;
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  let closing: Promise<void> | undefined;
  const close = async () => {
    const closed = once(net, "close");
    net.close();
    await server.close();
    speakers.http1.close();
    speakers.http2.close();
    for (const socket of silent) socket.destroy();
    const late = setTimeout(() => {
      for (const socket of accepted) socket.destroy();
    }, limits.closeMs);
    await closed;
    clearTimeout(late);
  };
  return {
    url: `${tls === undefined ? "http" : "https"}://${name}:${actual}${path ?? "/"}`,
    port: actual,
    close: () => (closing ??= close()),
  };
}

const LISTEN_OPTIONS: OptionTypes<ListenOptions> = {
  ...{ port: "number", host: "string", tls: "any", path: "string", beyondLoopback: "boolean", limits: "any" },
};

/** Creates the server of sockets. Half-open sockets are allowed, because a client may end its side before the answer. */
function openPort(tls: ListenOptions["tls"], { headerMs, pingMs }: ListenLimits): Server {
  const settings = { allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: pingMs };
  if (tls === undefined) return createPlainServer(settings);
  const server = createTlsServer({
    ...settings,
    ...tls,
    ALPNProtocols: ["h2", "http/1.1"],
    handshakeTimeout: headerMs,
  });
  // Node leaves the socket of a failed or slow handshake open.
  server.on("tlsClientError", (_, socket) => socket.destroy());
  return server;
}
