import type { Frame } from "@turnkit/testing";
import { createWire, type WirePeer } from "@turnkit/testing/node";
import { createStdioChannel } from "@turnkit/transport/node";
import { describe, expect, it } from "vitest";
import { Bridge } from "./bridge.js";

const place = { cwd: "/srv", mcpServers: [] };
const prompt = { sessionId: "s", prompt: [{ type: "text", text: "go" }] };
const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
const choices = [
  { value: "ask", name: "Ask" },
  { value: "code", name: "Code" },
];
const modeOption = (currentValue: string) => ({
  ...{ type: "select", configId: "m", category: "mode", name: "Mode", currentValue, options: choices },
});
const modes = { currentModeId: "ask", availableModes: choices.map(({ value: id, name }) => ({ id, name })) };
const state = (name: string, more: object = {}) => ({ sessionUpdate: "state_update", state: name, ...more });
const piece = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hm." } };

/** A bridge whose two sides are bare lines. */
class Joined {
  readonly client: WirePeer;
  readonly agent: WirePeer;

  constructor(readonly clientSpeaks: "v1" | "v2") {
    const [left, right] = [createWire(), createWire()];
    this.client = left.peer;
    this.agent = right.peer;
    new Bridge(createStdioChannel(left), createStdioChannel(right), { clientSpeaks });
  }

  ask(id: string, method: string, params: object): Promise<Frame> {
    this.client.send({ id, method, params });
    return this.client.answer(id);
  }

  /** Sends updates of the session, all in one write with what follows them. */
  say(updates: readonly object[], ...more: readonly object[]): void {
    const params = (update: object) => ({ method: "session/update", params: { sessionId: "s", update } });
    this.agent.send(...updates.map(params), ...more);
  }

  async hello(): Promise<void> {
    const info = { name: "n", version: "1" };
    const [mine, theirs] = this.clientSpeaks === "v1" ? [1, 2] : [2, 1];
    const asked = this.ask("hello", "initialize", { protocolVersion: mine, ...(mine === 2 && { info }) });
    const { id, params } = await this.agent.call("initialize");
    expect(params.protocolVersion).toBe(theirs);
    const result =
      theirs === 2 ? { info, capabilities: { session: {} } } : { agentCapabilities: { loadSession: true } };
    this.agent.send({ id, result: { protocolVersion: theirs, ...result } });
    expect((await asked).result.protocolVersion).toBe(mine);
  }

  /** Opens session `s`; returns the answer. */
  async open(result: object = {}, ...behind: readonly object[]): Promise<Frame> {
    await this.hello();
    const opened = this.ask("new", "session/new", place);
    const { id } = await this.agent.call("session/new");
    this.agent.send({ id, result: { sessionId: "s", ...result } }, ...behind);
    return opened;
  }

  updates(): Frame[] {
    return this.client.frames.flatMap(({ params }) => (params?.update ? [params.update] : []));
  }

  kinds(): string[] {
    return this.client.frames.map(({ id, method, params }) => params?.update?.sessionUpdate ?? method ?? id);
  }
}

describe("a version 1 client and a version 2 agent", () => {
  it("V2-BRG-11, V1-SESS-18: a server that no agent of version 2 takes is refused, not left out", async () => {
    const joined = new Joined("v1");
    await joined.hello();
    const server = { type: "sse", name: "old", url: "https://mcp.example", headers: [] };
    const answer = await joined.ask("new", "session/new", { cwd: "/srv", mcpServers: [server] });
    expect(answer.error).toMatchObject({ code: -32602 });
    expect(joined.agent.frames.map(({ method }) => method)).toEqual(["initialize"]);
  });

  it("V2-BRG-10: files and terminals of the client are refused, not dropped", async () => {
    for (const clientCapabilities of [{ fs: { readTextFile: true } }, { terminal: true }]) {
      const joined = new Joined("v1");
      const { error } = await joined.ask("hello", "initialize", { protocolVersion: 1, clientCapabilities });
      expect(error.code).toBe(-32602);
      expect(joined.agent.frames).toEqual([]);
    }
  });

  it("V2-BRG-08: the prompt is answered by the idle state, an error with an error", async () => {
    const joined = new Joined("v1");
    await joined.open();
    for (const [at, end] of [
      { stopReason: "refusal" },
      { stopReason: "error", error: { code: -32001, message: "Gone", data: 1 } },
    ].entries()) {
      const answered = joined.ask(`p${at}`, "session/prompt", prompt);
      const { id } = await joined.agent.call("session/prompt", at);
      const echo = { sessionUpdate: "user_message", messageId: `u${at}`, content: prompt.prompt };
      joined.say([
        echo,
        state("running"),
        state("requires_action"),
        state("running"),
        { ...piece, messageId: `a${at}` },
      ]);
      joined.agent.send({ id, result: { messageId: `u${at}` } });
      joined.say([state("idle", end)]);
      const { result, error } = await answered;
      expect(result ?? error).toEqual(at === 0 ? end : end.error);
    }
    // It shows its prompts itself, and has no word for states.
    expect(joined.kinds().slice(2)).toEqual(["agent_message_chunk", "p0", "agent_message_chunk", "p1"]);
  });

  it("an end before the agent took the prompt is not its end, one before the agent answered is", async () => {
    const joined = new Joined("v1");
    await joined.open();
    const answered = joined.ask("p", "session/prompt", prompt);
    const { id } = await joined.agent.call("session/prompt");
    const echo = { sessionUpdate: "user_message", messageId: "u", content: prompt.prompt };
    joined.say([state("running"), state("idle", { stopReason: "end_turn" }), echo, state("running")]);
    joined.say([state("idle", { stopReason: "max_tokens" })], { id, result: { messageId: "u" } });
    expect((await answered).result).toEqual({ stopReason: "max_tokens" });
  });

  it("a prompt that the agent held and gave back is a cancelled turn", async () => {
    const joined = new Joined("v1");
    await joined.open();
    const answered = joined.ask("p", "session/prompt", prompt);
    const { id } = await joined.agent.call("session/prompt");
    joined.client.send({ method: "session/cancel", params: { sessionId: "s" } });
    await joined.agent.call("session/cancel");
    joined.agent.send({ id, error: { code: -32800, message: "Request cancelled" } });
    expect((await answered).result).toEqual({ stopReason: "cancelled" });
  });

  it("a permission question that the agent withdraws is withdrawn from the client", async () => {
    const joined = new Joined("v1");
    await joined.open();
    joined.agent.send({
      id: "q",
      method: "session/request_permission",
      params: { sessionId: "s", title: "Go?", options },
    });
    const { id, params } = await joined.client.call("session/request_permission");
    expect(params).toMatchObject({ toolCall: { title: "Go?" }, options });
    joined.agent.send({ method: "$/cancel_request", params: { requestId: "q" } });
    expect((await joined.client.call("$/cancel_request")).params).toEqual({ requestId: id });
    joined.client.send({ id, result: { outcome: { outcome: "cancelled" } } });
    expect((await joined.agent.answer("q")).result).toEqual({ outcome: { outcome: "cancelled" } });
  });

  it("a mode is an option of the agent, told in both forms; commands of an answer follow it as an update", async () => {
    const joined = new Joined("v1");
    const availableCommands = [{ type: "command", name: "test", description: "T" }];
    const opened = await joined.open({ configOptions: [modeOption("ask")], availableCommands });
    expect(opened.result).toMatchObject({ modes, configOptions: [{ id: "m", currentValue: "ask" }] });
    const chosen = joined.ask("mode", "session/set_mode", { sessionId: "s", modeId: "code" });
    const { id, params } = await joined.agent.call("session/set_config_option");
    expect(params).toEqual({ sessionId: "s", configId: "m", type: "id", value: "code" });
    joined.say([{ sessionUpdate: "config_option_update", configOptions: [modeOption("code")] }]);
    joined.agent.send({ id, result: { configOptions: [modeOption("code")] } });
    await chosen;
    expect(joined.kinds()).toEqual([
      ...["hello", "new", "available_commands_update", "config_option_update", "current_mode_update", "mode"],
    ]);
  });

  it("loading is resuming with a replay, resuming is not", async () => {
    const joined = new Joined("v1");
    await joined.hello();
    for (const [at, method] of ["session/load", "session/resume"].entries()) {
      const restored = joined.ask(method, method, { sessionId: "s", ...place });
      const { id, params } = await joined.agent.call("session/resume", at);
      expect(params.replayFrom).toEqual(at === 0 ? { type: "start" } : undefined);
      joined.say([{ ...piece, messageId: "a" }, state("idle")], { id, result: {} });
      await restored;
    }
    // What was said before a restore is said again.
    expect(joined.kinds().slice(1)).toEqual([
      ...["agent_message_chunk", "session/load", "agent_message_chunk", "session/resume"],
    ]);
  });
});

describe("a version 2 client and a version 1 agent", () => {
  it("V2-BRG-11: a prompt is inserted at once, updates tell its turn, and messages have ids", async () => {
    const joined = new Joined("v2");
    await joined.open();
    const { result } = await joined.ask("p", "session/prompt", prompt);
    const { id } = await joined.agent.call("session/prompt");
    joined.say([piece, piece], { id, result: { stopReason: "max_tokens" } });
    await joined.client.next(({ params }) => params?.update?.state === "idle");
    const [user, running, one, two, idle] = joined.updates();
    expect(user).toEqual({ sessionUpdate: "user_message", messageId: result.messageId, content: prompt.prompt });
    expect(running).toEqual(state("running"));
    expect([one?.messageId, one]).toEqual([expect.any(String), two]);
    expect(idle).toEqual(state("idle", { stopReason: "max_tokens" }));
  });

  it("a prompt waits for the one before; an error of the agent is the end of the work", async () => {
    const joined = new Joined("v2");
    await joined.open();
    await joined.ask("p1", "session/prompt", prompt);
    const held = joined.ask("p2", "session/prompt", prompt);
    const { id } = await joined.agent.call("session/prompt");
    joined.agent.send({ id, error: { code: -32603, message: "Broke" } });
    const { result } = await held;
    expect(joined.updates().slice(2)).toEqual([
      state("idle", { stopReason: "error", error: { code: -32603, message: "Broke" } }),
      { sessionUpdate: "user_message", messageId: result.messageId, content: prompt.prompt },
      state("running"),
    ]);
  });

  it("a cancel reaches the turn, prompts that wait and open questions, which the agent has answered", async () => {
    const joined = new Joined("v2");
    await joined.open();
    await joined.ask("p1", "session/prompt", prompt);
    const { id } = await joined.agent.call("session/prompt");
    const question = { sessionId: "s", toolCall: { toolCallId: "t", title: "Run" }, options };
    joined.agent.send({ id: "q", method: "session/request_permission", params: question });
    const asked = await joined.client.call("session/request_permission");
    expect(asked.params).toMatchObject({ title: "Run", subject: { type: "tool_call", toolCall: { toolCallId: "t" } } });
    expect(joined.updates().at(-1)).toEqual(state("requires_action"));
    joined.client.send({ id: "p2", method: "session/prompt", params: prompt });
    joined.client.send({ method: "session/cancel", params: { sessionId: "s" } });
    await joined.agent.call("session/cancel");
    expect((await joined.client.call("$/cancel_request")).params).toEqual({ requestId: asked.id });
    joined.client.send({ id: asked.id, result: { outcome: { outcome: "cancelled" } } });
    expect((await joined.agent.answer("q")).result).toEqual({ outcome: { outcome: "cancelled" } });
    joined.agent.send({ id, result: { stopReason: "cancelled" } });
    expect((await joined.client.answer("p2")).error.code).toBe(-32800);
    expect(joined.updates().slice(-2)).toEqual([state("running"), state("idle", { stopReason: "cancelled" })]);
  });

  it("a prompt and a cancel in one write: the agent never sees the prompt", async () => {
    const joined = new Joined("v2");
    await joined.open();
    const cancel = { method: "session/cancel", params: { sessionId: "s" } };
    joined.client.send({ id: "p", method: "session/prompt", params: prompt }, cancel);
    expect((await joined.client.answer("p")).error.code).toBe(-32800);
    await joined.ask("q", "session/prompt", prompt);
    await joined.agent.call("session/prompt");
    expect(joined.agent.frames.map(({ method }) => method).slice(2)).toEqual(["session/cancel", "session/prompt"]);
  });

  it("P-REPLAY-01: a replay is loading; its mark and its state come before its answer", async () => {
    const joined = new Joined("v2");
    await joined.hello();
    const replayFrom = { type: "start" };
    const restored = joined.ask("r", "session/resume", { sessionId: "s", ...place, replayFrom });
    const { id } = await joined.agent.call("session/load");
    joined.say([piece], { id, result: {} });
    await restored;
    expect(joined.kinds()).toEqual(["hello", "agent_message_chunk", "replay_complete", "state_update", "r"]);
    expect(joined.updates().at(-1)).toEqual(state("idle"));
  });

  it("P-IDEM-04: a second attempt with the key of a prompt gets the first answer, and the agent one prompt", async () => {
    const joined = new Joined("v2");
    await joined.open();
    const keyed = { ...prompt, idempotencyKey: "k" };
    const first = await joined.ask("p1", "session/prompt", keyed);
    expect((await joined.ask("p2", "session/prompt", keyed)).result).toEqual(first.result);
    const { id } = await joined.agent.call("session/prompt");
    joined.agent.send({ id, result: { stopReason: "end_turn" } });
    await joined.client.next(({ params }) => params?.update?.state === "idle");
    expect((await joined.ask("p3", "session/prompt", keyed)).result).toEqual(first.result);
    expect(joined.agent.frames.filter(({ method }) => method === "session/prompt")).toHaveLength(1);
  });

  it("V2-SES-09: a replay from elsewhere than the start is refused, not made one from there, nor none", async () => {
    const joined = new Joined("v2");
    await joined.open();
    const replayFrom = { type: "_mark", at: 3 };
    const { error } = await joined.ask("r", "session/resume", { sessionId: "s", ...place, replayFrom });
    expect(error.code).toBe(-32602);
    expect(joined.agent.frames.map(({ method }) => method)).toEqual(["initialize", "session/new"]);
  });

  it("modes are an option, which is set as a mode", async () => {
    const joined = new Joined("v2");
    const opened = await joined.open({ modes });
    expect(opened.result.configOptions).toMatchObject([{ configId: "mode", category: "mode", currentValue: "ask" }]);
    const chosen = joined.ask("c", "session/set_config_option", {
      ...{ sessionId: "s", configId: "mode", type: "id", value: "code" },
    });
    const { id, params } = await joined.agent.call("session/set_mode");
    expect(params).toEqual({ sessionId: "s", modeId: "code" });
    joined.agent.send({ id, result: {} });
    expect((await chosen).result.configOptions).toMatchObject([{ configId: "mode", currentValue: "code" }]);
  });
});

describe.each(["v1", "v2"] as const)("whatever they speak (%s client)", (clientSpeaks) => {
  it("an update in one write with the answer that opens its session comes behind that answer", async () => {
    const joined = new Joined(clientSpeaks);
    const title = { sessionUpdate: "session_info_update", title: "T" };
    await joined.open({}, { method: "session/update", params: { sessionId: "s", update: title } });
    expect((await joined.client.call("session/update")).params.update).toEqual(title);
    expect(joined.kinds()).toEqual(["hello", "new", "session_info_update"]);
  });

  it("extensions pass both ways as they are, with their errors; other methods do not exist", async () => {
    const joined = new Joined(clientSpeaks);
    await joined.hello();
    const asked = joined.ask("x", "_own/thing", { a: [null] });
    const { id, params } = await joined.agent.call("_own/thing");
    expect(params).toEqual({ a: [null] });
    joined.agent.send({ id, error: { code: 7, message: "No", data: { b: 1 } } });
    expect((await asked).error).toEqual({ code: 7, message: "No", data: { b: 1 } });
    joined.agent.send({ method: "_own/news", params: { c: 2 } });
    expect((await joined.client.call("_own/news")).params).toEqual({ c: 2 });
    expect((await joined.ask("y", "session/dance", {})).error.code).toBe(-32601);
  });

  it("when one side ends, the bridge ends the other", async () => {
    const joined = new Joined(clientSpeaks);
    await joined.hello();
    joined.client.end();
    await joined.agent.ended;
  });
});
