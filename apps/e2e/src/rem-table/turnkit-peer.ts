import { listen } from "@turnkit/remote/node";
import { createRemoteServer, type RemoteServer, readToken } from "@turnkit/remote/server";
import { createMemoryPair } from "@turnkit/transport/channels";
import { certificate } from "../remote/certificate.js";
import { createSides, PATH, type PeerSettings, type StartPeer } from "./peer.js";

/** Starts turnkit's server. */
export const startTurnkit: StartPeer = async (settings) => {
  const { sides, serve } = createSides();
  const open = () => {
    const [near, far] = createMemoryPair();
    serve(far);
    return near;
  };
  const { keepAliveMs, graceMs, origins, tokens, unread, stalledMs, retained } = settings;
  const server = createRemoteServer({
    open,
    ...(keepAliveMs !== undefined && { keepAliveMs }),
    ...(graceMs !== undefined && { graceMs }),
    ...(origins && { origins }),
    ...(tokens && { authorize: (request: Request) => principalOf(request, tokens) }),
    ...(unread !== undefined && { limits: { streamCharacters: unread, stalledMs: stalledMs ?? 60_000 } }),
    ...(retained !== undefined && { resumption: { messages: retained } }),
  });
  const tls = settings.tls ? certificate() : undefined;
  const limits = { closeMs: 50 };
  const port = await listen(withCookies(server, settings), { limits, ...(tls && { tls }) });
  return {
    name: "turnkit",
    http1: port.port,
    http2: port.port,
    sides,
    listenBeyond: async () => {
      const beyond = await listen(server, { host: "0.0.0.0", path: PATH, limits });
      await beyond.close();
      return "listens";
    },
    shutDown: () => server.close(),
    close: () => port.close(),
  };
};

function principalOf(request: Request, tokens: Readonly<Record<string, string>>) {
  const id = tokens[readToken(request) ?? ""];
  return id === undefined ? undefined : { id };
}

/** Adds cookies as a host does that wraps the server. */
function withCookies(server: RemoteServer, { cookies = [] }: PeerSettings): RemoteServer {
  const add = <A extends { readonly headers: Headers }>(answer: A): A => {
    for (const cookie of cookies) answer.headers.append("Set-Cookie", cookie);
    return answer;
  };
  if (cookies.length === 0) return server;
  return {
    ...server,
    fetch: async (request) => add(await server.fetch(request)),
    upgrade: async (request) => add(await server.upgrade(request)),
  };
}
