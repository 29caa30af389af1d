import { describe, expect, test } from "vitest";
import { type AgentHandlers, createMemoryLog, RpcError, type ToolCallFields, type Turn } from "../src/index.js";
import { openAs, serve, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientCapabilities: {} };
const hellos = { "version 1": v1Hello, "version 2": v2Hello };
const full = new Error("disk full");
const place = { cwd: "/work", mcpServers: [] };
const login = { authMethods: [{ type: "agent", methodId: "key", name: "Key" }], login() {}, logout() {} };

describe.each(Object.entries(hellos))("defect N99: an error that a handler returns is a failure, in %s", (_, hello) => {
  const begin = async (handlers: object) => {
    const connected = serve(handlers as Partial<AgentHandlers>);
    await connected.client.result("initialize", hello);
    return connected;
  };

  test("of newSession", async () => {
    const { client } = await begin({ newSession: () => RpcError.authRequired() });
    expect(await client.error("session/new", place)).toMatchObject({ code: -32000 });
  });

  test("of newSession with a log", async () => {
    const { client, diagnostics } = await begin({ newSession: async () => full, log: createMemoryLog() });
    expect(await client.error("session/new", place)).toMatchObject({ message: "Internal error: disk full" });
    expect(diagnostics).toMatchObject([{ code: "handler_failed" }]);
  });

  test("of login and of an extension", async () => {
    const { client } = await begin({
      ...login,
      ...{ login: async () => full, extensions: { _undo: () => full }, fallback: async () => full },
    });
    const name = hello === v1Hello ? "authenticate" : "auth/login";
    for (const [method, params] of [[name, { methodId: "key" }], ["_undo"], ["_other"]] as const)
      expect(await client.error(method, params)).toMatchObject({ code: -32603, message: "Internal error: disk full" });
  });

  test("of deleteSession and listSessions", async () => {
    const { client } = await begin({ restoreSession() {}, deleteSession: () => full, listSessions: () => full });
    expect(await client.error("session/list")).toMatchObject({ message: "Internal error: disk full" });
    expect(await client.error("session/delete", { sessionId: "s" })).toMatchObject({
      message: "Internal error: disk full",
    });
  });

  test("of restoreSession", async () => {
    const { client } = await begin({ restoreSession: () => RpcError.resourceNotFound({ sessionId: "s" }) });
    expect(await client.error("session/resume", { sessionId: "s", ...place })).toMatchObject({ code: -32002 });
  });

  test("of prompt", async () => {
    const { client, sessionId, diagnostics } = await openAs(hello, { prompt: (async () => full) as never });
    client.prompt(sessionId);
    await expect.poll(() => JSON.stringify(client.received)).toContain("disk full");
    expect(diagnostics).toMatchObject([{ code: "handler_failed", error: full }]);
  });

  const ran = async (work: (turn: Turn) => Promise<unknown>) => {
    const connected = await openAs(hello, { prompt: async (turn) => void (await work(turn)) });
    connected.client.prompt(connected.sessionId);
    await expect.poll(() => connected.client.updates("tool_call_update").at(-1)?.status).toMatch(/completed|failed/);
    return connected;
  };

  test("of run, which returns it unchanged", async () => {
    let value: unknown;
    const { client } = await ran(
      async (turn) => (value = await (await turn.toolCall({ title: "Save" })).run(() => full)),
    );
    expect(client.updates("tool_call_update").at(-1)?.status).toBe("failed");
    expect(JSON.stringify(client.received)).toContain("disk full");
    expect(value).toBe(full);
  });

  test("of run is no failure if `result` reads it", async () => {
    const { client } = await ran(async (turn) =>
      (await turn.toolCall({ title: "Save" })).run(() => full, { result: ({ message }) => ({ rawOutput: message }) }),
    );
    expect(client.updates("tool_call_update").at(-1)).toMatchObject({ status: "completed", rawOutput: "disk full" });
  });

  test("defect N99: `result` without its value is reported", async () => {
    const result = () => undefined as unknown as ToolCallFields;
    const { diagnostics } = await ran(async (turn) =>
      (await turn.toolCall({ title: "Save" })).run(() => 1, { result }),
    );
    expect(diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining("The option result of run returned nothing. Return the members, such as { rawOutput }."),
    ]);
  });
});
