import { createHttpStream, MemoryAcpCookieStore } from "@agentclientprotocol/sdk/experimental/http-client";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
import { type AgentSession, createAgent, type RestoreSession } from "@turnkit/agent";
import { type Client, connectWith } from "@turnkit/client";
import type { WireEvent } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";
import { createMessageStreamChannel, type MessageStream } from "@turnkit/transport/channels";
import { describe, expect, it } from "vitest";
import { only } from "../kit/only.js";
import { RawWebSocket } from "./raw-web-socket.js";
import { type RemoteServer, startRemoteAgent } from "./remote-server.js";
import { WebSocket } from "./transports.js";

const info = { name: "remote", version: "1.0.0" };
const headers = { Authorization: "Bearer 7" };
const place = {
  cwd: "/srv",
  mcpServers: [{ type: "stdio", name: "tools", command: "/bin/tools", args: ["-q"], env: [] }],
} as const;

/** An agent whose sessions live in `kept`, beyond any connection. */
function keeper() {
  const kept = new Map<string, string[]>();
  const closed: string[] = [];
  const restored: RestoreSession[] = [];
  const signals: AbortSignal[] = [];
  const remember = (session: AgentSession) => {
    signals.push(session.signal);
    return kept.set(session.id, kept.get(session.id) ?? []).get(session.id) as string[];
  };
  const agent = createAgent({
    info,
    newSession: (_, session) => void remember(session),
    async prompt(turn) {
      const text = `Line ${(kept.get(turn.session.id)?.push("") ?? 0) as number}. `;
      kept.get(turn.session.id)?.splice(-1, 1, text);
      turn.say(text);
      if (turn.prompt[0]?.type !== "text" || turn.prompt[0].text !== "wait") return;
      await new Promise((resolve) => turn.signal.addEventListener("abort", resolve, { once: true }));
      turn.say("Lost.");
    },
    restoreSession(request, session) {
      const lines = kept.get(request.sessionId);
      if (lines === undefined) throw RpcError.resourceNotFound({ sessionId: request.sessionId });
      restored.push(request);
      signals.push(session.signal);
      if (!request.replay) return;
      for (const [at, text] of lines.entries()) {
        const content = { type: "text", text } as const;
        session.emit({ type: "agent_message_chunk", messageId: `m-${at}`, content } as WireEvent);
      }
    },
    closeSession: (session) => void closed.push(session.id),
  });
  return { agent, kept, closed, restored, signals };
}

type Transport = (server: RemoteServer, cookieStore: MemoryAcpCookieStore) => MessageStream;

const transports: readonly (readonly [string, Transport])[] = [
  ["HTTP", (server, cookieStore) => createHttpStream(server.http, { headers, cookieStore })],
  ["WebSocket", (server, cookieStore) => createWebSocketStream(server.webSocket, { headers, cookieStore, WebSocket })],
];

const shown = (state: { readonly timeline: Iterable<{ readonly type: string }> }) =>
  JSON.stringify([...state.timeline]);

describe.each(["v1", "v2"] as const)("a client of version %s that lost its connection", (dialect) => {
  it.each(transports)("V2-REM-09: goes on over %s in a new connection", async (_, transport) => {
    const { agent, closed, restored, signals } = keeper();
    const seen: { cookie: string | undefined; authorization: string | undefined }[] = [];
    const pipes = new Set<() => void>();
    const server = await startRemoteAgent(agent, {
      onRequest({ headers: { cookie, authorization }, socket }, answer) {
        seen.push({ cookie, authorization });
        pipes.add(() => socket.destroy());
        answer?.setHeader("Set-Cookie", "node=seven");
      },
      onSocket: (socket) => void pipes.add(() => socket.destroy()),
    });
    const cookies = new MemoryAcpCookieStore();
    cookies.store(new Headers({ "Set-Cookie": "affinity=here" }));
    const open = (): Promise<Client> =>
      connectWith(only(dialect), createMessageStreamChannel(transport(server, cookies)), { info });

    const first = await open();
    const session = await first.newSession(place);
    await session.prompt("go").ended;
    const turn = session.prompt("wait");
    for await (const event of turn) if (event.type === "agent_message_chunk") break;
    for (const cut of pipes) cut();
    await expect(turn.ended).rejects.toMatchObject({ code: "connection_closed" });
    expect((await first.closed).kind).not.toBe("local");
    await server.served[0]?.closed;
    expect([closed, signals[0]?.aborted]).toEqual([[session.id], true]);

    const before = seen.length;
    const second = await open();
    expect(second).not.toBe(first);
    const outcome = await second.restore(session.id, place);
    if (outcome.status !== "replayed") throw new Error(outcome.status);
    const { session: again } = outcome;
    expect(again.id).toBe(session.id);
    expect(restored).toMatchObject([{ sessionId: session.id, ...place, replay: true }]);
    expect(shown(again.state)).toContain("Line 1. ");
    expect(shown(again.state)).toContain("Line 2. ");
    await again.prompt("go").ended;
    expect(shown(again.state)).toContain("Line 3. ");
    expect(shown(again.state)).not.toContain("Lost.");
    expect(seen.length).toBeGreaterThan(before);
    for (const { cookie, authorization } of seen.slice(before)) {
      expect(cookie).toContain("affinity=here");
      expect(authorization).toBe(headers.Authorization);
    }
    expect(await second.restore("somebody-else's", place)).toMatchObject({
      reason: "unknown",
      error: { code: -32002 },
    });
    await second.close();
  });
});

describe("a WebSocket that closes", () => {
  it.each(["politely", "without a word"])("V2-REM-13: %s, ends the connection and frees its sessions", async (how) => {
    const { agent, closed, signals } = keeper();
    const server = await startRemoteAgent(agent);
    const raw = await RawWebSocket.open(server.webSocket);
    await raw.initialize();
    const id = await raw.newSession();
    raw.send({ id: 2, method: "session/prompt", params: { sessionId: id, prompt: [{ type: "text", text: "wait" }] } });
    await raw.call("session/update");
    if (how === "politely") raw.socket.close(1000);
    else raw.socket.destroy();
    await server.served[0]?.closed;
    expect([closed, signals[0]?.aborted]).toEqual([[id], true]);

    const next = await RawWebSocket.open(server.webSocket);
    await next.initialize();
    next.prompt(id, 3);
    expect(await next.answer(3)).toMatchObject({ error: { code: -32002 } });
    expect(next.frames.filter(({ id }) => id === 2)).toEqual([]);
  });
});
