import { describe, expect, test } from "vitest";
import { connectAs, openAs, v2Hello } from "../raw-client.js";

const text = (said: string) => ({ type: "text", text: said }) as const;
const place = { cwd: "/work" };

describe("an agent of the Preview", () => {
  test("P-ERR-01: reads params of null as absent ones, and sends no params of null", async () => {
    const { client } = await connectAs(v2Hello, {
      authMethods: [{ type: "agent", methodId: "m", name: "M" }],
      login: () => undefined,
      logout: () => undefined,
    });
    for (const params of [null, undefined]) {
      expect(await client.request("session/list", params as never)).toMatchObject({ result: { sessions: [] } });
      expect(await client.request("auth/logout", params as never)).toMatchObject({ result: {} });
    }
    expect(client.received.filter((frame) => frame.params === null)).toEqual([]);
  });

  test("P-CAP-01: offers replays, keys, children and plans without a capability", async () => {
    const { client } = await connectAs(v2Hello, {
      restoreSession: () => undefined,
      sessionCapabilities: { additionalDirectories: true, systemPrompt: "override" },
      deleteSession: () => undefined,
    });
    const [initialized = {}] = client.received;
    const { capabilities } = initialized.result;
    expect(Object.keys(capabilities)).toEqual(["session"]);
    expect(Object.keys(capabilities.session).sort()).toEqual([
      ...["additionalDirectories", "delete", "mcp", "prompt", "systemPrompt"],
    ]);
  });

  test("P-CONF-01, P-CONF-03, P-OLD-03, P-META-02: says the same to every client of version 2, because nothing tells their drafts apart", async () => {
    const stories = [v2Hello, { ...v2Hello, info: { name: "on-sdk-2.4.0", version: "1.0.0" } }].map(async (hello) => {
      const { client, sessionId } = await openAs(hello, {
        prompt({ session }) {
          session.emit({ type: "compaction_update", compactionId: "c" });
          session.emit({ type: "compaction_update", compactionId: "c", summary: [text("S")] });
          session.emit({ type: "usage_update", used: 1, size: 9, _meta: { a: null, b: 1 } });
          session.emit({ type: "plan_update", plan: { type: "items", planId: "p", entries: [] } });
          session.emit({ type: "plan_removed", planId: "p" });
        },
      });
      await client.ask(sessionId);
      await client.next(({ params }) => params?.update?.state === "idle");
      return client.updates().filter(({ sessionUpdate }) => !/^(user_message|state_update)$/.test(sessionUpdate));
    });
    const [story, older] = await Promise.all(stories);
    expect(story).toEqual(older);
    expect(story).toEqual([
      { sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress" },
      { sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress", summary: [text("S")] },
      { sessionUpdate: "usage_update", used: 1, size: 9, _meta: { a: null, b: 1 } },
      { sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries: [] } },
      { sessionUpdate: "plan_removed", planId: "p" },
    ]);
  });
});

test("P-SUB-02: an agent may hide a subagent or show it; a hidden one works in a tool call, and no update names it", async () => {
  const { client, sessionId } = await openAs(v2Hello, {
    async prompt(turn) {
      const call = turn.toolCall({ title: "Delegate" });
      await call.run(() => call.append({ type: "content", content: text("12 tests") }));
      turn.say("12 tests pass.");
      turn.session.child("Shown").idle();
    },
  });
  await client.ask(sessionId);
  await client.next(({ params }) => params?.sessionId === sessionId && params.update?.state === "idle");
  const said = client.received.filter(({ method }) => method === "session/update").map(({ params }) => params);
  const shown = said.findIndex(({ update }) => update.sessionUpdate === "subagent_update");
  expect(said[shown].update).toMatchObject({ title: "Shown" });
  const hidden = said.slice(0, shown);
  expect(new Set(hidden.map((one) => one.sessionId))).toEqual(new Set([sessionId]));
  expect(hidden.map(({ update }) => update.status).filter(Boolean)).toEqual(["pending", "in_progress", "completed"]);
  expect(JSON.stringify(hidden)).not.toContain('"background":[{');
});

describe("unstable features of the Preview, of an agent that does not offer them", () => {
  test("P-UNST-04: initial values of options are ignored, also unknown ones", async () => {
    const { client } = await connectAs(v2Hello, {
      newSession: () => ({
        configOptions: [
          { type: "select", configId: "o", name: "O", currentValue: "a", options: [{ value: "a", name: "A" }] },
        ],
      }),
    });
    const configOptions = [
      { configId: "o", type: "id", value: "z" },
      { configId: "unknown", type: "id", value: "a" },
    ];
    const opened = await client.result("session/new", { ...place, configOptions });
    expect(opened).toMatchObject({ configOptions: [{ configId: "o", currentValue: "a" }] });
  });

  test("P-UNST-02: its methods do not exist, and a fork is none", async () => {
    const { client } = await connectAs(v2Hello, {});
    for (const method of ["session/options", "session/fork"]) {
      expect(await client.error(method, { ...place, sessionId: "s", cursorId: "c" })).toMatchObject({ code: -32601 });
    }
  });
});
