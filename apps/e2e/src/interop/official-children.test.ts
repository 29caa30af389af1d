import * as stable from "@agentclientprotocol/sdk/experimental/v2";
import * as unstable from "@agentclientprotocol/sdk/experimental/v2/unstable";
import { createAgent, createMemoryLog } from "@turnkit/agent";
import { allowOnce, connect, isOutcomeUnknown, retryPrompt, type Session } from "@turnkit/client";
import type { SessionState } from "@turnkit/session";
import { watchSessions, watchStream } from "@turnkit/session/watch";
import { createGate, createTranscript, draftForms } from "@turnkit/testing";
import { createMessageStreamChannel } from "@turnkit/transport/channels";
import { describe, expect, it } from "vitest";
import { childStories } from "../story/child-stories.js";
import { pictureOf, pictureOfTree } from "../story/picture.js";
import { tell } from "../story/tell.js";

// Rows of section 6 of the Preview's catalogue: turnkit and programs on SDK 2.4.0, both as agent and as client.

const entries = [
  ["stable", stable],
  ["unstable", unstable as unknown as typeof stable],
] as const;
const info = { name: "official", version: "2.4.0" };
const { agent: calls, client: served } = stable.methods;

/** Two joined streams of messages. */
function streams(): [stable.Stream, stable.Stream] {
  const [there, back] = [new TransformStream(), new TransformStream()];
  return [
    { readable: back.readable, writable: there.writable },
    { readable: there.readable, writable: back.writable },
  ];
}

/** Picture of a session and its children, from the states of a watch. */
function pictureIn(states: ReadonlyMap<string, SessionState>, id: string): object {
  const state = states.get(id) as SessionState;
  const children = [...state.subagents].map(({ sessionId }) => pictureIn(states, sessionId));
  return { ...pictureOf(state), children };
}

const bare = ({ announced: _, children, ...picture }: ReturnType<typeof pictureOfTree>): object => ({
  ...picture,
  children: children.map(bare),
});

describe.each(entries)("a client on the %s entry of SDK 2.4.0, and an agent of turnkit", (_, sdk) => {
  /** Client on the SDK, whose stream is watched. */
  async function open(handlers: Parameters<typeof createAgent>[0]) {
    const [mine, theirs] = streams();
    createAgent(handlers).serve(createMessageStreamChannel(theirs as never));
    const watch = watchSessions();
    const heard: { readonly sessionId: string; readonly update: { readonly sessionUpdate: string } }[] = [];
    const idle = createGate();
    const { agent } = sdk
      .client({ name: "official" })
      .onNotification(served.session.update, ({ params }) => {
        heard.push(params as never);
        if (params.sessionId === root && "state" in params.update && params.update.state === "idle") idle.open();
      })
      .onRequest(served.session.requestPermission, ({ params: { options } }) => ({
        outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" },
      }))
      .connect(watchStream(mine, watch as never) as never);
    let root = "";
    await agent.request(calls.initialize, { protocolVersion: 2, info, capabilities: {} });
    root = (await agent.request(calls.session.new, { cwd: "/srv" })).sessionId;
    const states = () => new Map([...watch.sessions].map(([id, store]) => [id, store.getState()]));
    return { agent, root, heard, idle, states };
  }

  const received = childStories.filter(({ name }) => !/cancel|restored/.test(name));
  it.each(received.map((story) => [story.name, story] as const))("rows 4, 5, 8: %s", async (_name, story) => {
    const { agent, root, idle, states, heard } = await open({ info, newSession() {}, prompt() {}, ...story.agent });
    await agent.request(calls.session.prompt, { sessionId: root, prompt: [{ type: "text", text: "Test it" }] });
    await idle.opened;
    expect(pictureIn(states(), root)).toEqual(bare((await tell(story, "v2", "memory")).picture));
    // The handlers of the program get the updates too, those of child sessions with their own ids.
    const ids = new Set(heard.map(({ sessionId }) => sessionId));
    expect([...ids].sort()).toEqual([...states().keys()].sort());
  });

  it("row 1: gets the marker of each replayed session as an update, and the answer after it", async () => {
    const story = childStories[0] as (typeof childStories)[0];
    const log = createMemoryLog();
    const { agent, root, idle, heard } = await open({ info, newSession() {}, prompt() {}, ...story.agent, log });
    await agent.request(calls.session.prompt, { sessionId: root, prompt: [{ type: "text", text: "Test it" }] });
    await idle.opened;
    heard.length = 0;
    await agent.request(calls.session.resume, { sessionId: root, cwd: "/srv", replayFrom: { type: "start" } });
    const marked = heard.filter(({ update }) => update.sessionUpdate === "replay_complete");
    expect(marked).toHaveLength(2);
    expect(marked.at(-1)?.sessionId).toBe(root);
  });

  it("row 3: its retry with a key that the SDK sends on is answered with the first id", async () => {
    const runs: string[] = [];
    const { agent, root } = await open({ info, newSession() {}, prompt: () => void runs.push("run") });
    const params = { sessionId: root, prompt: [{ type: "text" as const, text: "Go" }], idempotencyKey: "k" };
    const first = await agent.request(calls.session.prompt, params as never);
    const again = await agent.request(calls.session.prompt, params as never);
    expect(again).toEqual(first);
    expect(runs).toHaveLength(1);
  });
});

describe.each(entries)("an agent on the %s entry of SDK 2.4.0, and a client of turnkit", (_, sdk) => {
  const prompts: string[] = [];

  /** Agent on the SDK that announces a child, and reports its state only on the parent. */
  const official = () =>
    sdk
      .agent({ name: "official" })
      .onRequest(calls.initialize, () => ({ protocolVersion: 2, info, capabilities: { session: {} } }))
      .onRequest(calls.session.new, () => ({ sessionId: "s" }))
      .onRequest(calls.session.resume, async ({ client }) => {
        for (const [sessionId, update] of history())
          await client.notify(served.session.update, { sessionId, update } as never);
        return {};
      })
      .onRequest(calls.session.prompt, async ({ params, client }) => {
        prompts.push(JSON.stringify(params));
        const messageId = `u-${prompts.length}`;
        const say = (sessionId: string, update: object) =>
          client.notify(served.session.update, { sessionId, update } as never);
        await say("s", { sessionUpdate: "user_message", messageId, content: params.prompt });
        await say("s", { sessionUpdate: "state_update", state: "running" });
        for (const [sessionId, update] of history().slice(1)) await say(sessionId, update);
        const options = [{ optionId: "y", name: "Yes", kind: "allow_once" as const }];
        const question = {
          sessionId: "kid",
          title: "Run?",
          options,
          subject: { type: "command", command: "x", cwd: "/" },
        };
        await client.request(served.session.requestPermission, question as never);
        await say("s", { sessionUpdate: "plan_update", plan: { type: "file", planId: "p", uri: "file:///p" } });
        await say("s", { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
        return { messageId };
      });

  const history = (): [string, object][] => [
    ["s", { sessionUpdate: "user_message", messageId: "u-1", content: [{ type: "text", text: "hi" }] }],
    ["s", { sessionUpdate: "subagent_update", sessionId: "kid", title: "Runner", state: { state: "running" } }],
    ["kid", { sessionUpdate: "agent_message", messageId: "k", content: [{ type: "text", text: "All green" }] }],
    ["s", { sessionUpdate: "subagent_update", sessionId: "kid", state: { state: "idle", stopReason: "end_turn" } }],
  ];

  async function open() {
    const [mine, theirs] = streams();
    official().connect(theirs);
    const asked: string[] = [];
    const transcript = createTranscript();
    const client = await connect(transcript.record(createMessageStreamChannel(mine as never), "client"), {
      info: { name: "reader", version: "1.0.0" },
      permissions: (question) => {
        asked.push(question.session.titles.join(" › "));
        return allowOnce(question);
      },
    });
    return { client, asked, transcript };
  }

  it("rows 12 to 14: its child works, asks by its title, and ends by the report of its parent; a file plan is kept", async () => {
    const { client, asked, transcript } = await open();
    const session = await client.newSession({ cwd: "/srv" });
    await session.prompt("hi").ended;
    const [kid] = session.children as [Session];
    expect(pictureOfTree(kid)).toMatchObject({ timeline: [{ text: "All green" }], activity: "idle" });
    expect(asked).toEqual(["Runner"]);
    expect([...session.state.plans]).toMatchObject([{ type: "file", uri: "file:///p" }]);
    expect(draftForms(transcript.entries).map(({ form }) => form)).toEqual(["file-plan", "state-of-parent-only"]);
    await client.close();
  });

  it("row 11: its replay without a marker is complete at the answer, with the child", async () => {
    const { client, transcript } = await open();
    const outcome = await client.restore("s", { cwd: "/srv" });
    if (outcome.status !== "replayed") throw new Error(outcome.status);
    expect(outcome.session.state.history).toBeDefined();
    expect(outcome.session.children.map(({ titles }) => titles)).toEqual([["Runner"]]);
    expect(draftForms(transcript.entries, { claimsPreview: true })).toMatchObject([
      { form: "replay-without-marker", verdict: "error" },
      { form: "state-of-parent-only", verdict: "older draft" },
    ]);
    await client.close();
  });

  it("row 3: it does not get the key, so a prompt whose answer was lost is searched and never sent again", async () => {
    prompts.length = 0;
    const { client } = await open();
    const session = await client.newSession({ cwd: "/srv" });
    const turn = session.prompt("hi");
    // The agent has the prompt, and its answer is lost.
    await client.close();
    const error = await turn.ended.catch((failure: unknown) => failure);
    if (!isOutcomeUnknown(error)) throw error;
    const before = prompts.length;
    const retried = await retryPrompt(session, error, { connect: async () => (await open()).client });
    expect(retried).toMatchObject({ status: "inserted", messageId: "u-1" });
    expect(prompts.length).toBe(before);
    expect(prompts.join()).not.toContain("idempotencyKey");
  });
});
