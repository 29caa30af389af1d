import { createMemoryPair } from "@turnkit/transport/channels";
import { describe, expect, it } from "vitest";
import { differenceFrom } from "./pattern.js";
import { createRawPeer } from "./raw-peer.js";
import { type ClientScript, createScriptedClient } from "./scripted-client.js";

/** A scripted client with bare frames at the other end. */
function open(script: ClientScript) {
  const [end, channel] = createMemoryPair();
  const client = createScriptedClient(channel, { patienceMs: 50, ...script });
  return { client, agent: createRawPeer(end) };
}

const update = (of: object, sessionId = "s-1") => ({ method: "session/update", params: { sessionId, update: of } });
const piece = (text: string) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const state = (of: string, more: object = {}) => update({ sessionUpdate: "state_update", state: of, ...more });

describe("a scripted client", () => {
  it.each([
    ["v1", { protocolVersion: 1, clientInfo: { name: "scripted-client" }, clientCapabilities: { terminal: true } }],
    ["v2", { protocolVersion: 2, info: { name: "scripted-client" }, clientInfo: undefined }],
    ["seed", { protocolVersion: 2, clientInfo: { name: "scripted-client" }, info: undefined }],
  ] as const)("says hello as clients of %s do, and opens a session", async (dialect, hello) => {
    const { client, agent } = open({
      dialect,
      steps: [
        { hello: { _meta: { mine: 1 } }, result: { protocolVersion: hello.protocolVersion } },
        { open: { cwd: "/srv" } },
        { notify: "_here", params: ({ sessionId }) => ({ sessionId }) },
      ],
    });
    const asked = await agent.call("initialize");
    expect(differenceFrom({ ...hello, _meta: { mine: 1 } }, asked.params)).toBeUndefined();
    agent.answer(asked, { protocolVersion: hello.protocolVersion });
    const opened = await agent.call("session/new");
    expect(opened.params).toEqual({ cwd: "/srv", mcpServers: [] });
    agent.answer(opened, { sessionId: "of-the-agent" });
    expect((await agent.call("_here")).params).toEqual({ sessionId: "of-the-agent" });
    await client.done;
  });

  it("sends a prompt, hears the text, and knows the end of version 1", async () => {
    const { client, agent } = open({ steps: [{ prompt: "Hi", says: "Hello", ends: "max_tokens" }] });
    const { id, params } = await agent.call("session/prompt");
    expect(params).toEqual({ sessionId: "s-1", prompt: [{ type: "text", text: "Hi" }] });
    agent.send(piece("Hel"), piece("lo"), { id, result: { stopReason: "max_tokens" } });
    await client.done;
  });

  it.each([["answer first"], ["idle first"]])("knows the end of version 2, %s", async (order) => {
    const { client, agent } = open({ dialect: "v2", steps: [{ prompt: "Hi" }, { prompt: "Again", ends: "refusal" }] });
    const first = await agent.call("session/prompt");
    const answer = { id: first.id, result: { messageId: "u-1" } };
    const idle = state("idle", { stopReason: "end_turn" });
    agent.send(...(order === "idle first" ? [idle, answer] : [state("running"), answer, idle]));
    const second = await agent.call("session/prompt");
    agent.send({ id: second.id, result: { messageId: "u-2" } }, state("idle", { stopReason: "refusal" }));
    await client.done;
  });

  it("an idle state from before the prompt, or of another session, is not its end", async () => {
    const { client, agent } = open({ dialect: "v2", steps: [{ update: { state: "running" } }, { prompt: "Hi" }] });
    agent.send(state("idle"), state("running"));
    const { id } = await agent.call("session/prompt");
    const other = update({ sessionUpdate: "state_update", state: "idle", stopReason: "refusal" }, "s-2");
    agent.send({ id, result: { messageId: "u-1" } }, other, state("idle", { stopReason: "end_turn" }));
    await client.done;
  });

  it("a turn that fails can be expected", async () => {
    const { client, agent } = open({ steps: [{ prompt: "Hi", ends: { error: { code: -32000 } } }] });
    agent.refuse(await agent.call("session/prompt"), { code: -32000, message: "log in" });
    await client.done;
  });

  it("knows a version 2 prompt that was cancelled before it was taken, and says of another error which it was", async () => {
    const { client, agent } = open({
      dialect: "v2",
      steps: [{ prompt: "Hi", during: [{ cancel: true }], ends: "cancelled" }, { prompt: "Again" }],
    });
    agent.refuse(await agent.call("session/prompt"), { code: -32800, message: "Request cancelled" });
    agent.refuse(await agent.call("session/prompt"), { code: -32603, message: "No model" });
    await expect(client.done).rejects.toMatchObject({ code: "mismatch", message: expect.stringContaining("No model") });
  });

  it("takes whole messages of version 2 for what was said, each in the place of its pieces", async () => {
    const { client, agent } = open({ dialect: "v2", steps: [{ prompt: "Hi", says: "Hello there." }] });
    const { id } = await agent.call("session/prompt");
    const message = (messageId: string, text: string) =>
      update({ sessionUpdate: "agent_message", messageId, content: [{ type: "text", text }] });
    const more = { sessionUpdate: "agent_message_chunk", messageId: "a", content: { type: "text", text: "lo " } };
    agent.send({ id, result: { messageId: "u-1" } }, state("running"), message("a", "Hum"), message("a", "Hel"));
    agent.send(update(more), message("b", "there."), update({ sessionUpdate: "agent_message", messageId: "b" }));
    agent.send(state("idle", { stopReason: "end_turn" }));
    await client.done;
  });

  it("does its steps while the turn runs: gives leave by kind, waits for updates, cancels", async () => {
    const { client, agent } = open({
      steps: [
        {
          prompt: "Hi",
          during: [{ permit: "allow_once" }, { update: { sessionUpdate: "plan" } }, { cancel: true }],
          ends: "cancelled",
        },
      ],
    });
    const { id } = await agent.call("session/prompt");
    const options = [
      { optionId: "n", kind: "reject_once" },
      { optionId: "y", kind: "allow_once" },
    ];
    const { result } = await agent.request("session/request_permission", { sessionId: "s-1", options });
    expect(result).toEqual({ outcome: { outcome: "selected", optionId: "y" } });
    agent.send(update({ sessionUpdate: "plan", entries: [] }));
    expect((await agent.call("session/cancel")).params).toEqual({ sessionId: "s-1" });
    agent.answer({ id }, { stopReason: "cancelled" });
    await client.done;
  });

  it.each([
    ["n", { outcome: "selected", optionId: "n" }],
    ["cancelled", { outcome: "cancelled" }],
  ])("answers a question with %s", async (permit, outcome) => {
    const { agent } = open({ steps: [{ permit, params: { sessionId: "s-1" } }] });
    const options = [{ optionId: "n", kind: "reject_once" }];
    const { result } = await agent.request("session/request_permission", { sessionId: "s-1", options });
    expect(result).toEqual({ outcome });
  });

  it("serves what the agent asks for", async () => {
    const { agent } = open({ steps: [], answers: { "fs/read_text_file": { content: "text" } } });
    expect((await agent.request("fs/read_text_file", { path: "/a" })).result).toEqual({ content: "text" });
    expect((await agent.request("fs/write_text_file", { path: "/a" })).error).toMatchObject({ code: -32601 });
  });
});

describe("a scripted client whose agent does otherwise", () => {
  it("says what was said instead", async () => {
    const { client, agent } = open({ steps: [{ prompt: "Hi", says: /hello/i }] });
    const { id } = await agent.call("session/prompt");
    agent.send(piece("Good day"), { id, result: { stopReason: "end_turn" } });
    await expect(client.done).rejects.toMatchObject({
      code: "mismatch",
      message: 'scripted client (v1), step 1 (prompt): what the agent said: expected "/hello/i", got "Good day"',
    });
  });

  it("says how the turn ended instead", async () => {
    const { client, agent } = open({ steps: [{ prompt: "Hi" }] });
    agent.answer(await agent.call("session/prompt"), { stopReason: "refusal" });
    await expect(client.done).rejects.toThrow('the end of the turn: stopReason: expected "end_turn", got "refusal"');
  });

  it("says that an answer is an error, or is none", async () => {
    const { client, agent } = open({ steps: [{ open: {} }] });
    agent.refuse(await agent.call("session/new"), { code: -32000, message: "log in" });
    await expect(client.done).rejects.toThrow(/the answer to session\/new: expected a result, got the error .*log in/);
    const other = open({ steps: [{ open: {}, error: { code: -32000 } }] });
    other.agent.answer(await other.agent.call("session/new"), { sessionId: "s-1" });
    await expect(other.client.done).rejects.toThrow('error: expected {"code":-32000}, got nothing');
  });

  it("says that a question offers no such option", async () => {
    const { client, agent } = open({ steps: [{ permit: "allow_always" }] });
    agent.ask("session/request_permission", { options: [{ optionId: "n", kind: "reject_once" }] });
    await expect(client.done).rejects.toThrow("the question offers no allow_always");
  });
});
