import type { SessionEvent } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import { type AgentHandlers, createMemoryLog, RpcError } from "../src/index.js";
import { clientInfo, connectAs, everything, openAs, type RawClient, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: everything };
const place = { cwd: "/work", mcpServers: [] };

/** An agent with which everything goes wrong. */
const unlucky: Partial<AgentHandlers> = {
  newSession({ cwd }) {
    if (cwd === "/locked") throw RpcError.authRequired();
    if (cwd === "/broken") throw new Error("disk");
    return { configOptions: [{ configId: "fast", name: "Fast", type: "boolean", currentValue: false }] };
  },
  prompt() {
    throw new RpcError(-32042, "Quota.");
  },
  setConfigOption() {
    throw new Error("not now");
  },
};

const notices = (client: RawClient) => client.updates("notice");

describe("notices", () => {
  test("V1-UPD-34: what fails in version 1 is told by an answer and never by a notice", async () => {
    const { client, sessionId } = await openAs(v1Hello, unlucky);
    expect(await client.error("session/new", { ...place, cwd: "/locked" })).toMatchObject({ code: -32000 });
    expect(await client.error("session/new", { ...place, cwd: "/broken" })).toMatchObject({ code: -32603 });
    expect((await client.ask(sessionId)).error).toMatchObject({ code: -32042, message: "Quota." });
    const set = { sessionId, configId: "fast", type: "boolean", value: true };
    expect(await client.error("session/set_config_option", set)).toMatchObject({ code: -32603 });
    expect(notices(client)).toEqual([]);
  });

  test("V2-UPD-23: what fails in version 2 is told by an answer or by the state and never by a notice", async () => {
    const { client, sessionId } = await openAs(v2Hello, unlucky);
    expect(await client.error("session/new", { ...place, cwd: "/locked" })).toMatchObject({ code: -32000 });
    expect((await client.ask(sessionId)).result).toHaveProperty("messageId");
    expect(await client.update("state_update", 1)).toMatchObject({
      state: "idle",
      stopReason: "error",
      error: { code: -32042, message: "Quota." },
    });
    expect(notices(client)).toEqual([]);
  });

  test.each([
    ["V1-UPD-34", v1Hello, "session/load", {}],
    ["V2-UPD-23", v2Hello, "session/resume", { replayFrom: { type: "start" } }],
  ])(
    "%s: one that the agent sends asks for nothing, names nothing and is not kept for a restore",
    async (_, hello, restore, more) => {
      const handlers: Partial<AgentHandlers> = {
        prompt({ session }) {
          session.emit({ type: "notice", severity: "error", title: "The index is old" });
        },
        restoreSession: () => undefined,
      };
      const { client, sessionId } = await openAs(hello, handlers);
      await client.ask(sessionId);
      await client.update("notice");
      const frame = client.received.find(({ params }) => params?.update?.sessionUpdate === "notice");
      expect(frame).toEqual({
        jsonrpc: "2.0",
        method: "session/update",
        params: { sessionId, update: { sessionUpdate: "notice", severity: "error", title: "The index is old" } },
      });
      // It changes nothing: the turn ended well.
      const { client: again } = await connectAs(hello, handlers);
      await again.result(restore, { sessionId, ...place, ...more });
      expect(notices(again)).toEqual([]);
    },
  );

  test.each([
    ["version 1", v1Hello, "session/load", {}],
    ["version 2", v2Hello, "session/resume", { replayFrom: { type: "start" } }],
    ["version 2 without a replay", v2Hello, "session/resume", {}],
  ])(
    "defect P33: the restore of a session says that its last turn did not finish: %s",
    async (_, hello, restore, more) => {
      const log = createMemoryLog();
      const { client } = await connectAs(hello, { log });
      const end = (stopReason: "cancelled" | "end_turn") =>
        ({ type: "turn_ended", promptId: "p", stopReason }) as const;
      const ends: Record<string, readonly SessionEvent[]> = {
        cut: [],
        cancelled: [end("cancelled")],
        whole: [end("end_turn")],
      };
      for (const [sessionId, events] of Object.entries(ends)) {
        const writer = await log.open(sessionId, { sessionId, cwd: place.cwd });
        writer.append({ type: "user_message", messageId: "p", content: [{ type: "text", text: "Hi" }] });
        writer.append({ type: "turn_started", promptId: "p" });
        for (const event of events) writer.append(event);
        await writer[Symbol.asyncDispose]();
        await client.result(restore, { sessionId, ...place, ...more });
      }
      const title = "The last turn did not finish.";
      expect(client.received.filter(({ params }) => params?.update?.sessionUpdate === "notice")).toMatchObject([
        { params: { sessionId: "cut", update: { title } } },
        { params: { sessionId: "cancelled", update: { title } } },
      ]);
    },
  );
});
