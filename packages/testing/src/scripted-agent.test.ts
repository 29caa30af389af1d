import { createMemoryPair } from "@turnkit/transport/channels";
import { describe, expect, it } from "vitest";
import { createGate } from "./gate.js";
import { createRawPeer } from "./raw-peer.js";
import { type AgentScript, createScriptedAgent } from "./scripted-agent.js";

/** A scripted agent with bare frames at the other end. */
function open(script: AgentScript) {
  const [end, channel] = createMemoryPair();
  const agent = createScriptedAgent(channel, { patienceMs: 50, ...script });
  return { agent, client: createRawPeer(end) };
}

const prompt = (sessionId = "s-1") => ({ sessionId, prompt: [{ type: "text", text: "hi" }] });
const texts = (frames: readonly Record<string, any>[]) => frames.map(({ params }) => params?.update?.content?.text);

describe("a scripted agent", () => {
  it("says hello and opens sessions without being told", async () => {
    const { client } = open({ steps: [] });
    expect((await client.request("initialize", { protocolVersion: 1 })).result).toMatchObject({ protocolVersion: 1 });
    expect((await client.request("session/new", {})).result).toEqual({ sessionId: "s-1" });
    expect((await client.request("session/new", {})).result).toEqual({ sessionId: "s-2" });
  });

  it("takes a prompt, speaks, and ends the turn in version 1", async () => {
    const { agent, client } = open({
      steps: [{ turn: [{ say: ["Hel", "lo"] }, { think: "hm" }, { update: { sessionUpdate: "plan", entries: [] } }] }],
    });
    await client.request("session/prompt", prompt());
    await agent.done;
    expect(client.received).toEqual([
      ...["Hel", "lo"].map((text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } })),
      update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } }),
      update({ sessionUpdate: "plan", entries: [] }),
      { jsonrpc: "2.0", id: 1, result: { stopReason: "end_turn" } },
    ]);
  });

  it("takes a prompt, speaks, and ends the turn in version 2", async () => {
    const { agent, client } = open({ dialect: "v2", steps: [{ turn: [{ say: "Hello" }], stopReason: "refusal" }] });
    await client.request("session/prompt", prompt());
    await agent.done;
    await client.next(({ params }) => params?.update?.state === "idle");
    expect(client.received).toEqual([
      update({ sessionUpdate: "user_message", messageId: "u-1", content: prompt().prompt }),
      update({ sessionUpdate: "state_update", state: "running" }),
      { jsonrpc: "2.0", id: 1, result: { messageId: "u-1" } },
      update({ sessionUpdate: "agent_message_chunk", messageId: "m-1", content: { type: "text", text: "Hello" } }),
      update({ sessionUpdate: "state_update", state: "idle", stopReason: "refusal" }),
    ]);
  });

  it("takes a prompt, speaks, and ends the turn in the older draft", async () => {
    const { agent, client } = open({ dialect: "seed", steps: [{ turn: [{ say: "Hello" }] }] });
    await client.request("session/prompt", prompt());
    await agent.done;
    expect(client.received).toEqual([
      update({ sessionUpdate: "user_message", messageId: "u-1", content: prompt().prompt }),
      update({ sessionUpdate: "agent_message_chunk", messageId: "m-1", content: { type: "text", text: "Hello" } }),
      { jsonrpc: "2.0", id: 1, result: { stopReason: "end_turn" } },
    ]);
  });

  it.each([
    ["v1", { toolCall: { toolCallId: "t-1", title: "May I?" } }],
    ["v2", { title: "May I?", subject: { type: "tool_call", toolCall: { toolCallId: "t-1", title: "May I?" } } }],
    ["seed", { toolCall: { toolCallId: "t-1", title: "May I?" } }],
  ] as const)("asks for leave in %s, and holds the answer against what was wanted", async (dialect, words) => {
    const { agent, client } = open({ dialect, steps: [{ ask: "May I?", outcome: { optionId: "yes" } }] });
    const question = await client.call("session/request_permission");
    const options = [
      { optionId: "yes", name: "Allow", kind: "allow_once" },
      { optionId: "no", name: "Reject", kind: "reject_once" },
    ];
    expect(question.params).toEqual({ sessionId: "s-1", ...words, options });
    client.answer(question, { outcome: { outcome: "selected", optionId: "no" } });
    await expect(agent.done).rejects.toMatchObject({
      code: "mismatch",
      message: expect.stringContaining('result.outcome.optionId: expected "yes", got "no"'),
    });
  });

  it("expects calls, answers and refuses them, by name and later too", async () => {
    const { agent, client } = open({
      steps: [
        { expect: "session/load", params: { sessionId: "s-7" }, as: "load" },
        { expect: "session/set_mode", as: "mode" },
        { refuse: { code: -32000, message: "log in" }, to: "load" },
        { answer: ({ params }) => ({ was: params.modeId }) },
        { say: "in the session that was named last" },
      ],
    });
    const load = client.request("session/load", { sessionId: "s-7" });
    const mode = client.request("session/set_mode", { sessionId: "s-7", modeId: "code" });
    await agent.done;
    expect((await load).error).toEqual({ code: -32000, message: "log in" });
    expect((await mode).result).toEqual({ was: "code" });
    expect((await client.call("session/update")).params.sessionId).toBe("s-7");
  });

  it("makes calls of its own, and goes on with others open", async () => {
    const { agent, client } = open({
      steps: [
        { start: "fs/read_text_file", params: ({ sessionId }) => ({ sessionId, path: "/a" }), as: "a" },
        { call: "fs/read_text_file", params: { path: "/b" }, result: { content: "B" } },
        { finish: "a", error: { code: -32002 } },
        { notify: "_done", params: {} },
      ],
    });
    const [a, b] = [await client.call("fs/read_text_file"), await client.call("fs/read_text_file")];
    expect(a.params).toEqual({ sessionId: "s-1", path: "/a" });
    client.answer(b, { content: "B" });
    client.refuse(a, { code: -32002, message: "gone" });
    await agent.done;
    await client.call("_done");
  });

  it("sends what waits for nothing in one write, so that an answer can stand before what belongs to it", async () => {
    const { client } = open({
      steps: [{ expect: "session/new" }, { say: "early" }, { answer: { sessionId: "s-9" } }, { say: "late" }],
    });
    await client.request("session/new");
    await client.next(({ params }) => params?.sessionId === "s-9");
    expect(texts(client.received)).toEqual(["early", undefined, "late"]);
  });

  it("waits for the test", async () => {
    const gate = createGate();
    const { agent, client } = open({ steps: [{ wait: gate.opened }, { say: "now" }] });
    expect(client.received).toEqual([]);
    gate.open();
    await agent.done;
    expect(texts([await client.call("session/update")])).toEqual(["now"]);
  });

  it("dies in the middle of a turn", async () => {
    const { agent, client } = open({ steps: [{ turn: [{ say: "I " }, { die: true }] }] });
    await expect(client.request("session/prompt", prompt())).rejects.toMatchObject({ code: "closed" });
    expect(texts(client.received)).toEqual(["I "]);
    await expect(agent.done).resolves.toBeUndefined();
  });

  it("stays silent: what comes then is kept and not answered", async () => {
    const [end, channel] = createMemoryPair();
    const agent = createScriptedAgent(channel, { steps: [{ expect: "session/prompt" }, { silent: true }] });
    const client = createRawPeer(end, { patienceMs: 5 });
    await expect(client.request("session/prompt", prompt())).rejects.toMatchObject({ code: "timeout" });
    await expect(client.request("initialize")).rejects.toMatchObject({ code: "timeout" });
    await agent.done;
    expect(agent.peer.received.map(({ method }) => method)).toEqual(["session/prompt", "initialize"]);
  });

  it("has standing answers for what is beside the point", async () => {
    const { client } = open({
      steps: [],
      answers: { "session/set_mode": ({ params }: { params: object }) => params, "session/list": { sessions: [] } },
    });
    expect((await client.request("session/set_mode", { modeId: "a" })).result).toEqual({ modeId: "a" });
    expect((await client.request("session/list")).result).toEqual({ sessions: [] });
  });

  it("leaves a call to the step that expects it, whatever else could answer it", async () => {
    const { client } = open({ steps: [{ expect: "session/new" }, { answer: { sessionId: "mine" } }] });
    const both = [client.request("session/new"), client.request("session/new")];
    expect((await Promise.all(both)).map(({ result }) => result)).toEqual([
      { sessionId: "mine" },
      { sessionId: "s-1" },
    ]);
  });
});

describe("a script that is not followed", () => {
  it("says which step expected what, after what, and what came", async () => {
    const { agent, client } = open({
      steps: [{ expect: "session/load" }, { answer: {} }, { expect: "session/prompt" }, { expect: "session/close" }],
    });
    client.notify("session/load", { sessionId: "s-1" });
    client.notify("session/close", { sessionId: "s-1" });
    await expect(agent.done).rejects.toMatchObject({
      code: "mismatch",
      message:
        "scripted agent (v1), step 3 (expect): expected session/prompt after session/load: " +
        'got session/close in {"sessionId":"s-1"}',
      expected: { method: "session/prompt" },
      actual: { method: "session/close", params: { sessionId: "s-1" } },
    });
  });

  it("names the param that differs", async () => {
    const { agent, client } = open({ steps: [{ expect: "session/load", params: { cwd: "/work" } }] });
    client.notify("session/load", { cwd: "/" });
    await expect(agent.done).rejects.toThrow('params.cwd: expected "/work", got "/"');
  });

  it("names a step inside a turn by the way to it", async () => {
    const { agent, client } = open({ steps: [{ turn: [{ say: "a" }, { finish: "x" }] }] });
    client.ask("session/prompt", prompt());
    await expect(agent.done).rejects.toMatchObject({
      code: "script",
      message: expect.stringContaining(
        "step 1 (turn): scripted agent (v1), step 2 (finish): no request was started as x",
      ),
    });
  });

  it("fails on a request that nobody expected, and the other side does not wait", async () => {
    const { agent, client } = open({ steps: [{ expect: "session/prompt" }] });
    const answer = await client.request("session/fork", {});
    expect(answer.error).toMatchObject({ code: -32601 });
    await expect(agent.done).rejects.toMatchObject({
      code: "unexpected",
      message: "scripted agent (v1): nobody expected session/fork: {}",
    });
    expect((await client.closed).kind).toBe("remote");
  });

  it("ends by patience where nothing comes, and with the channel", async () => {
    const { agent } = open({ patienceMs: 1, steps: [{ expect: "session/prompt" }] });
    await expect(agent.done).rejects.toMatchObject({ code: "timeout" });
    const other = open({ steps: [{ expect: "session/prompt" }] });
    await other.client.close();
    await expect(other.agent.done).rejects.toMatchObject({ code: "closed" });
  });

  it("refuses a verb that it does not know, and an answer to nothing", async () => {
    await expect(open({ steps: [{ sya: "hello" } as never] }).agent.done).rejects.toMatchObject({
      code: "script",
      message: expect.stringContaining('no verb is known in {"sya":"hello"}'),
    });
    await expect(open({ steps: [{ answer: {} }] }).agent.done).rejects.toMatchObject({ code: "script" });
  });

  it("a test's own part fails as the script does, and gives its value when both are done", async () => {
    const failing = open({ steps: [{ expect: "a" }] });
    await expect(failing.agent.during(() => failing.client.request("b"))).rejects.toMatchObject({ code: "unexpected" });
    const fine = open({ steps: [{ expect: "a" }, { answer: { n: 1 } }] });
    expect(await fine.agent.during(async () => (await fine.client.request("a")).result)).toEqual({ n: 1 });
    const own = open({ steps: [{ expect: "a" }] });
    const broken = () => {
      throw new Error("mine");
    };
    await expect(own.agent.during(broken)).rejects.toThrow("mine");
  });

  it("fails on a request that comes when every step is done, if the test's own part is not", async () => {
    const { agent, client } = open({ steps: [{ expect: "a" }, { answer: {} }] });
    const twice = async () => {
      await client.request("a");
      await agent.done;
      return client.request("a");
    };
    await expect(agent.during(twice)).rejects.toMatchObject({ code: "unexpected" });
  });
});

function update(of: object) {
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s-1", update: of } };
}
