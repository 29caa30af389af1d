import { describe, expect, test } from "vitest";
import type { AgentHandlers, ClientInfo } from "../src/index.js";
import { clientInfo, connectAs, openAs, serve, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: {} };

/** Handlers that do the same for every client. */
const handlers: Partial<AgentHandlers> = {
  authMethods: [{ type: "agent", methodId: "web", name: "Web" }],
  login: () => undefined,
  logout: () => undefined,
  restoreSession: () => undefined,
  prompt(turn) {
    turn.toolCall({ title: "Look" }).finish();
    turn.say("done");
  },
};

describe("the version that was agreed on", () => {
  test.each([
    {
      version: 1,
      hello: v1Hello,
      does: ["authenticate", "logout", "session/load"],
      doesNot: ["auth/login", "auth/logout", "tool_call/cancel", "terminal/cancel"],
      updates: ["tool_call", "tool_call_update", "agent_message_chunk"],
      answer: { stopReason: "end_turn" },
    },
    {
      version: 2,
      hello: v2Hello,
      does: ["auth/login", "auth/logout", "session/resume"],
      doesNot: ["authenticate", "logout", "session/load", "session/set_mode"],
      updates: [
        "user_message",
        "state_update",
        "tool_call_update",
        "tool_call_update",
        "agent_message_chunk",
        "state_update",
      ],
      answer: { messageId: expect.any(String) },
    },
  ])("V1-INIT-07: $version counts for all of the connection", async ({ hello, does, doesNot, updates, answer }) => {
    const { client } = await connectAs(hello, handlers);
    for (const method of doesNot) {
      expect(await client.error(method, { sessionId: "s", cwd: "/w" })).toMatchObject({ code: -32601 });
    }
    const params = { methodId: "web", sessionId: "s-0", cwd: "/w", mcpServers: [] };
    for (const method of does) expect(await client.result(method, params)).toEqual({});
    // Also in sessions that are opened later, and again.
    for (const sessionId of [await client.newSession(), await client.newSession()]) {
      const before = client.updates().length;
      expect((await client.ask(sessionId)).result).toEqual(answer);
      await client.next(() => client.updates().length >= before + updates.length);
      expect(
        client
          .updates()
          .slice(before)
          .map(({ sessionUpdate }) => sessionUpdate),
      ).toEqual(updates);
    }
  });
});

describe("custom features", () => {
  const customCapabilities = { "example.com": { undo: true } } as const;

  test("V1-INIT-17 V1-EXT-05: version 1 finds them in _meta of the capabilities, by name", async () => {
    const { agentCapabilities } = await serve({ customCapabilities }).client.result("initialize", v1Hello);
    expect(agentCapabilities._meta).toEqual(customCapabilities);
    expect(Object.keys(agentCapabilities)).not.toContain("example.com");
    const plain = await serve({}).client.result("initialize", v1Hello);
    expect(plain.agentCapabilities).not.toHaveProperty("_meta");
  });

  test("V2-INIT-17: and so does version 2", async () => {
    const { capabilities } = await serve({ customCapabilities }).client.result("initialize", v2Hello);
    expect(capabilities._meta).toEqual(customCapabilities);
  });

  test.each([
    ["V1-EXT-05", { ...v1Hello, clientCapabilities: { _meta: { "example.com": { blame: 1 } } } }],
    ["V2-INIT-17", { ...v2Hello, capabilities: { _meta: { "example.com": { blame: 1 } } } }],
  ])("%s: the agent can look at the client's before it uses them", async (_, hello) => {
    let client: ClientInfo | undefined;
    await openAs(hello, {
      newSession: (_request, session) => {
        client = session.client;
      },
    });
    expect(client?.capabilities._meta).toEqual({ "example.com": { blame: 1 } });
  });
});
