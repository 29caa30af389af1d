import { describe, expect, test } from "vitest";
import { connectAs, type Frame, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientCapabilities: {} };
const text = (said: string) => ({ type: "text", text: said });
const appended = { mode: "append", content: [text("Answer in French.")] };
const replaced = { mode: "override", content: [text("You are a tester.")] };
const place = { cwd: "/work", mcpServers: [] };

const offeredIn = (dialect: "v1" | "v2", initialized: Frame) =>
  (dialect === "v1" ? initialized.agentCapabilities.sessionCapabilities : initialized.capabilities.session)
    .systemPrompt;

describe.each([
  ["v1", v1Hello, ["session/new", "session/load", "session/resume"]],
  ["v2", v2Hello, ["session/new", "session/resume"]],
] as const)("a system prompt in %s", (dialect, hello, methods) => {
  const opened = async (systemPrompt?: "append" | "override") => {
    const seen: unknown[] = [];
    const { client } = await connectAs(hello, {
      ...(systemPrompt && { sessionCapabilities: { systemPrompt } }),
      newSession: (request) => void seen.push(request.systemPrompt),
      restoreSession: (request) => void seen.push(request.systemPrompt),
    });
    const initialized = client.received[0]?.result as Frame;
    return { client, seen, offered: offeredIn(dialect, initialized) };
  };
  const request = (method: string, systemPrompt: unknown) => ({
    ...place,
    ...(method === "session/new" ? {} : { sessionId: "s-1" }),
    systemPrompt,
  });

  test.each(methods)("P-SYS-01: %s hands it to the agent, also one that replaces the agent's own", async (method) => {
    const { client, seen, offered } = await opened("override");
    expect(offered).toEqual({ mode: { override: {} } });
    await client.result(method, request(method, appended));
    await client.result(method, request(method, replaced));
    await client.result(method, request(method, null));
    expect(seen).toEqual([appended, replaced, undefined]);
  });

  test.each(methods)(
    "P-SYS-02: %s fails for a mode or block that the agent cannot apply, and opens nothing",
    async (method) => {
      const { client, seen, offered } = await opened("append");
      expect(offered).toEqual({});
      for (const systemPrompt of [
        replaced,
        { ...appended, mode: "_prepend" },
        { ...appended, content: [text("Hi"), { type: "resource_link", uri: "file:///a", name: "a" }] },
      ]) {
        expect(await client.error(method, request(method, systemPrompt))).toMatchObject({ code: -32602 });
      }
      expect(seen).toEqual([]);
    },
  );

  test("P-SYS-03: one without content is refused, and so is any if the agent offers none", async () => {
    const { client, seen } = await opened("append");
    const empty = { mode: "append", content: [] };
    expect(await client.error("session/new", request("session/new", empty))).toMatchObject({ code: -32602 });
    const other = await opened();
    expect(other.offered).toBeUndefined();
    expect(await other.client.error("session/new", request("session/new", appended))).toMatchObject({ code: -32602 });
    expect([...seen, ...other.seen]).toEqual([]);
  });
});
