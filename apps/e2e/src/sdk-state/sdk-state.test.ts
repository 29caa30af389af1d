import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as v1 from "@agentclientprotocol/sdk";
import * as v2 from "@agentclientprotocol/sdk/experimental/v2";
import { type SessionStore, toolCallsByStatus, transcriptText, visiblePlan } from "@turnkit/session";
import { changedFiles } from "@turnkit/session/files";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// What runs here is the code in the README and on the reference page of @turnkit/session, beside clients and agents of the official SDK.
const snippets = fileURLToPath(new URL("../../.snippets/", import.meta.url));
const fences = new Map<string, string>();
let folder = "";

beforeAll(async () => {
  for (const path of ["packages/session/README.md", "docs/reference/session.md"]) {
    const page = await readFile(new URL(`../../../../${path}`, import.meta.url), "utf8");
    for (const [, name = "", code = ""] of page.matchAll(/```ts\n\/\/ (\S+)\n(.*?)```/gs)) fences.set(name, code);
  }
  await mkdir(snippets, { recursive: true });
  folder = await mkdtemp(join(snippets, "sdk-state-"));
  for (const [name, code] of fences) await writeFile(join(folder, name), code);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** A fence of the pages as a module; each time a new one. */
const load = <T>(name: string): Promise<T> => import(/* @vite-ignore */ pathToFileURL(join(folder, name)).href);

type Watching = {
  connect(
    stream: v1.Stream,
    print: (line: string) => void,
  ): { connection: ReturnType<v1.ClientApp["connect"]>; sessions: ReadonlyMap<string, SessionStore> };
};

/** Two streams of messages that are joined. */
function streams(): [v1.Stream, v1.Stream] {
  const [there, back] = [new TransformStream(), new TransformStream()];
  return [
    { readable: back.readable, writable: there.writable },
    { readable: there.readable, writable: back.writable },
  ];
}

const said = { type: "text" as const, text: "Fix it" };
const diff = { path: "/srv/a.ts", oldText: "a\n", newText: "b\n" };

/** A version 1 agent written with the official SDK alone. */
const agentV1 = v1
  .agent({ name: "official" })
  .onRequest(v1.methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest(v1.methods.agent.session.new, () => ({
    sessionId: "s-1",
    modes: { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] },
  }))
  .onRequest(v1.methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const tell = (update: v1.SessionUpdate) => client.notify(v1.methods.client.session.update, { sessionId, update });
    const say = (text: string) => tell({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    for (const content of prompt) await tell({ sessionUpdate: "user_message_chunk", content });
    await say("I ");
    await say("look.");
    await tell({ sessionUpdate: "plan", entries: [{ content: "Fix", priority: "high", status: "in_progress" }] });
    await tell({ sessionUpdate: "tool_call", toolCallId: "t", title: "Edit a.ts", kind: "edit", status: "pending" });
    const content = [{ type: "diff" as const, ...diff }];
    await tell({ sessionUpdate: "tool_call_update", toolCallId: "t", status: "completed", content });
    await say("Done.");
    return { stopReason: "end_turn" as const };
  });

/** A version 2 agent of the same. */
const agentV2 = v2
  .agent({ name: "official" })
  .onRequest(v2.methods.agent.initialize, () => ({
    ...{ protocolVersion: 2, info: { name: "official", version: "1.0.0" }, capabilities: { session: {} } },
  }))
  .onRequest(v2.methods.agent.session.new, () => ({ sessionId: "s-1" }))
  .onRequest(v2.methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const tell = (update: v2.SessionUpdate) => client.notify(v2.methods.client.session.update, { sessionId, update });
    const say = (messageId: string, text: string) =>
      tell({ sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } });
    await tell({ sessionUpdate: "user_message", messageId: "u", content: prompt });
    await tell({ sessionUpdate: "state_update", state: "running" });
    await say("a", "I ");
    await say("a", "look.");
    const entries = [{ content: "Fix", priority: "high" as const, status: "in_progress" as const }];
    await tell({ sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries } });
    const call = { sessionUpdate: "tool_call_update" as const, toolCallId: "t" };
    await tell({ ...call, title: "Edit a.ts", kind: "edit", status: "pending" });
    const patch = "diff --git /srv/a.ts /srv/a.ts\n--- /srv/a.ts\n+++ /srv/a.ts\n@@ -1 +1 @@\n-a\n+b\n";
    const changes = [{ operation: "modify" as const, path: diff.path }];
    const content = [{ type: "diff" as const, changes, patch: { format: "git_patch" as const, text: patch } }];
    await tell({ ...call, status: "completed", content });
    await say("b", "Done.");
    await tell({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    return { messageId: "u" };
  });

describe("the five lines of @turnkit/session's pages, beside a client of the official SDK", () => {
  it("are five", () => {
    const lines = (fences.get("official-v2.ts") ?? "")
      .split("\n")
      .filter((line) => line !== "" && !line.includes("protocol/sdk"));
    expect(lines).toHaveLength(5);
  });

  it("defect F6: a watch of the stream has prompts, activity, options and the id, and the page prints them", async () => {
    const { connect } = await load<Watching>("official-v1.ts");
    const printed: string[] = [];
    const [mine, theirs] = streams();
    agentV1.connect(theirs);
    const { connection, sessions } = connect(mine, (line) => printed.push(line));
    const { agent } = connection;
    await agent.request(v1.methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await agent.request(v1.methods.agent.session.new, { cwd: "/srv", mcpServers: [] });
    await agent.request(v1.methods.agent.session.prompt, { sessionId, prompt: [said] });
    const store = sessions.get(sessionId) as SessionStore;
    expectConversation(store);
    expect(store.getState()).toMatchObject({
      ...{ sessionId, cwd: "/srv", lastTurn: { stopReason: "end_turn" } },
      configOptions: [{ configId: "mode", currentValue: "ask" }],
    });
    expect(changedFiles(store.getState())).toMatchObject([diff]);
    expect(printed).toEqual([
      // The second line is the agent's own copy of the prompt.
      ...[
        "user: Fix it",
        "user: Fix it",
        "agent: I ",
        "agent: I look.",
        "[pending] Edit a.ts",
        "[completed] Edit a.ts",
      ],
      "agent: Done.",
    ]);
  });

  it("version 2: the store has the same, and knows that the work ended", async () => {
    const { app, store } = await load<{ app: v2.ClientApp; store: SessionStore }>("official-v2.ts");
    const { agent } = app.connect(agentV2);
    await agent.request(v2.methods.agent.initialize, {
      ...{ protocolVersion: 2, info: { name: "my-editor", version: "1.0.0" }, capabilities: {} },
    });
    const { sessionId } = await agent.request(v2.methods.agent.session.new, { cwd: "/srv" });
    await agent.request(v2.methods.agent.session.prompt, { sessionId, prompt: [said] });
    expectConversation(store);
    expect(changedFiles(store.getState())).toMatchObject([
      { path: diff.path, changes: [{ patch: expect.any(String) }] },
    ]);
    expect(store.getState().lastTurn).toEqual({ stopReason: "end_turn" });
  });
});

function expectConversation(store: SessionStore): void {
  const state = store.getState();
  expect(transcriptText(state).split("\n\n")).toEqual([
    ...["User: Fix it", "Agent: I look.", "[Edit a.ts (completed)]", "Agent: Done."],
  ]);
  expect(toolCallsByStatus(state, "completed")).toMatchObject([{ toolCallId: "t", kind: "edit" }]);
  expect(visiblePlan(state)).toMatchObject({ entries: [{ content: "Fix", status: "in_progress" }] });
  expect([state.activity.state, state.anomalies]).toEqual(["idle", []]);
}
