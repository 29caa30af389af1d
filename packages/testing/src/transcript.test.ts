import { contract as v1 } from "@turnkit/schema/v1";
import { contract as v2 } from "@turnkit/schema/v2";
import { createMemoryPair } from "@turnkit/transport/channels";
import { describe, expect, it } from "vitest";
import { createRawPeer } from "./raw-peer.js";
import { createTranscript, type TranscriptOptions } from "./transcript.js";

/** Two raw peers, and what is said between them as the client's end sees it. */
function open(options: TranscriptOptions = {}) {
  const [agentEnd, clientEnd] = createMemoryPair();
  const transcript = createTranscript({ patienceMs: 20, ...options });
  const client = createRawPeer(transcript.record(clientEnd, "client"));
  return { transcript, client, agent: createRawPeer(agentEnd) };
}

const piece = (text: string) => ({
  method: "session/update",
  params: { sessionId: "s-1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
});

/** One turn, with a question in it. */
async function talk(options: TranscriptOptions = {}) {
  const opened = open(options);
  const { client, agent } = opened;
  const prompt = client.request("session/prompt", { sessionId: "s-1", prompt: [] });
  const asked = await agent.call("session/prompt");
  agent.send(piece("Hello"));
  const read = agent.request("fs/read_text_file", { sessionId: "s-1", path: "/a" });
  client.refuse(await client.call("fs/read_text_file"), { code: -32002, message: "gone" });
  await read;
  client.notify("session/cancel", { sessionId: "s-1" });
  agent.answer(asked, { stopReason: "cancelled" });
  await prompt;
  return opened;
}

const said = [
  "client: session/prompt",
  "agent: session/update agent_message_chunk",
  "agent: fs/read_text_file",
  "client: error of fs/read_text_file",
  "client: session/cancel",
  "agent: result of session/prompt",
];

describe("a transcript", () => {
  it("says who said what, and what is answered", async () => {
    const { transcript } = await talk();
    expect(transcript.labels).toEqual(said);
    expect(transcript.entries[1]).toEqual({
      by: "agent",
      kind: "notification",
      method: "session/update",
      update: "agent_message_chunk",
      frame: { jsonrpc: "2.0", ...piece("Hello") },
      label: "agent: session/update agent_message_chunk",
    });
    expect(transcript.entries.map(({ kind }) => kind)).toEqual([
      ...["request", "notification", "request", "error", "notification", "result"],
    ]);
  });

  it("tells equal ids of both sides, and of different types, apart", async () => {
    const { transcript, client, agent } = open();
    client.send({ id: 1, method: "a" }, { id: "1", method: "b" });
    agent.send({ id: 1, method: "c" });
    await client.call("c");
    client.send({ id: 1, result: {} });
    agent.send({ id: "1", result: {} }, { id: 1, result: {} }, { id: 1, result: {} });
    await client.next(() => transcript.entries.length === 7);
    expect(transcript.labels.slice(3)).toEqual([
      ...["client: result of c", "agent: result of b", "agent: result of a", "agent: result of ?"],
    ]);
  });

  it("writes down what is no message", async () => {
    const { transcript, client, agent } = open();
    agent.send([1], { id: 3 });
    await client.next((frame) => frame.id === 3);
    expect(transcript.labels).toEqual(["agent: broken frame", "agent: broken frame"]);
  });

  it("may be of the agent's end", async () => {
    const [agentEnd, clientEnd] = createMemoryPair();
    const transcript = createTranscript();
    const agent = createRawPeer(transcript.record(agentEnd, "agent"));
    createRawPeer(clientEnd).notify("a");
    await agent.call("a");
    agent.notify("b");
    expect(transcript.labels).toEqual(["client: a", "agent: b"]);
  });
});

describe("expectations of a transcript", () => {
  it("are met: in order with gaps, exactly, never", async () => {
    const { transcript } = await talk();
    transcript.expectInOrder(said[0], { update: "agent_message_chunk" }, said[5]);
    transcript.expectInOrder();
    transcript.expectExactly(...said);
    transcript.expectExactly(
      said[0],
      { frame: { params: { update: { content: { text: /^Hel/ } } } } },
      ...said.slice(2),
    );
    transcript.expectNever("client: session/close");
    transcript.expectNever({ by: "client", kind: "result" });
  });

  it("in order: says what was expected after what, and what came", async () => {
    const { transcript } = await talk();
    const expectation = () => transcript.expectInOrder(said[0], said[4], said[1]);
    expect(expectation).toThrow(
      expect.objectContaining({
        code: "mismatch",
        message:
          "expected agent: session/update agent_message_chunk after client: session/cancel, " +
          "got agent: result of session/prompt",
        expected: [said[0], said[4], said[1]],
        actual: said,
      }),
    );
  });

  it("one entry meets one of them", async () => {
    const { transcript } = await talk();
    expect(() => transcript.expectInOrder(said[0], said[0])).toThrow(
      `expected ${said[0]} after ${said[0]}, got ${said[1]}`,
    );
  });

  it("exactly: the first that differs, one too few, one too many", async () => {
    const { transcript } = await talk();
    expect(() => transcript.expectExactly("client: initialize")).toThrow(
      /^expected client: initialize, got client: session\/prompt, .* \(label: expected "client: initialize", got "client/,
    );
    expect(() => transcript.expectExactly(...said, "agent: more")).toThrow(
      "expected agent: more after agent: result of session/prompt, got nothing",
    );
    expect(() => transcript.expectExactly(...said.slice(0, 5))).toThrow(
      "expected nothing more after client: session/cancel, got agent: result of session/prompt",
    );
  });

  it("never: says when it was", async () => {
    const { transcript } = await talk();
    expect(() => transcript.expectNever({ kind: "error" })).toThrow(
      /^expected never \{"kind":"error"\}, got client: error of fs\/read_text_file after agent: fs\/read_text_file: .*gone/,
    );
  });

  it("waits for what is not said yet, and ends by patience or with the channel", async () => {
    const { transcript, client, agent } = open();
    const waiting = transcript.when({ method: "later" });
    client.notify("sooner");
    agent.notify("later");
    expect((await waiting).label).toBe("agent: later");
    expect((await transcript.when("client: sooner")).kind).toBe("notification");
    await expect(transcript.when("agent: never")).rejects.toMatchObject({
      code: "timeout",
      message: "expected agent: never within 20 ms, got client: sooner, agent: later",
    });
    const cut = transcript.when("agent: never");
    await agent.close();
    await expect(cut).rejects.toMatchObject({ code: "closed" });
    await expect(transcript.when("agent: never")).rejects.toMatchObject({ code: "closed" });
  });

  it("fail where not everything was kept", async () => {
    const { transcript } = await talk({ limit: 3 });
    expect(transcript.labels).toEqual(said.slice(0, 3));
    for (const expectation of [
      () => transcript.expectInOrder(said[0]),
      () => transcript.expectExactly(...said.slice(0, 3)),
      () => transcript.expectNever("agent: x"),
      () => transcript.expectValid(v1),
    ]) {
      expect(expectation).toThrow(expect.objectContaining({ code: "overflow" }));
    }
    await expect(transcript.when("agent: x")).rejects.toMatchObject({ code: "overflow" });
    expect((await transcript.when(said[0] ?? "")).label).toBe(said[0]);
  });

  it("fail where they wait when there is more than is kept", async () => {
    const { transcript, client } = open({ limit: 1, patienceMs: Number.POSITIVE_INFINITY });
    const awaited = transcript.when("client: third");
    client.notify("first");
    client.notify("second");
    await expect(awaited).rejects.toMatchObject({ code: "overflow" });
  });
});

describe("validity", () => {
  it("passes a proper conversation, and extensions", async () => {
    const { transcript, client, agent } = open();
    const asked = client.request("session/new", { cwd: "/work", mcpServers: [] });
    agent.answer(await agent.call("session/new"), { sessionId: "s-1" });
    await asked;
    client.notify("_mine", { anything: 1 });
    agent.send(piece("Hello"), {
      method: "session/update",
      params: { sessionId: "s-1", update: { sessionUpdate: "x" } },
    });
    await client.next(({ params }) => params?.update?.sessionUpdate === "x");
    transcript.expectValid(v1);
  });

  it.each<[string, object, string]>([
    ["params", { method: "session/update", params: { update: {} } }, "params.sessionId: "],
    ["an unknown method", { method: "session/updaet", params: {} }, "no method session/updaet in the contract"],
    ["an inherited name", { method: "toString" }, "no method toString in the contract"],
    ["a call of the other side", { method: "session/cancel", params: { sessionId: "s-1" } }, "has the client say it"],
    ["a request that is none", { id: 1, method: "session/update", params: {} }, "no request in the contract"],
    ["a notification that is none", { method: "fs/read_text_file", params: {} }, "no notification in the contract"],
    ["a wrong envelope", { jsonrpc: "1.0", method: "_a" }, 'jsonrpc is not "2.0"'],
    ["no message", [1] as object, "no JSON-RPC message"],
  ])("finds %s", async (_, frame, problem) => {
    const { transcript, client, agent } = open();
    agent.send(frame);
    await client.next(() => true);
    expect(() => transcript.expectValid(v1)).toThrow(expect.objectContaining({ code: "invalid" }));
    expect(() => transcript.expectValid(v1, "agent")).toThrow(problem);
    transcript.expectValid(v1, "client");
  });

  it("finds a result that breaks the contract of its version", async () => {
    const { transcript, client, agent } = open();
    const asked = client.request("session/prompt", { sessionId: "s-1", prompt: [{ type: "text", text: "hi" }] });
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    await asked;
    transcript.expectValid(v1);
    expect(() => transcript.expectValid(v2)).toThrow(
      /entry 2, agent: result of session\/prompt: result\.messageId: .* in .*end_turn/,
    );
  });
});
