import { expect, it, vi } from "vitest";
import { RawPeer } from "../../test/raw-peer.js";
import type { ResponseMessage } from "../channel.js";
import { RpcError } from "../errors.js";
import { createMemoryPair } from "./memory.js";
import { type PipeOptions, pipeChannels } from "./pipe-channels.js";

function pipe(options?: PipeOptions) {
  const [clientEnd, client] = createMemoryPair();
  const [agentEnd, agent] = createMemoryPair();
  const ended = pipeChannels(client, agent, options);
  return { client: new RawPeer(clientEnd), agent: new RawPeer(agentEnd), clientEnd, agentEnd, ended };
}

it("defect F12: passes calls of both sides and their answers, equal ids included", async () => {
  const { client, agent } = pipe();
  client.request(1, "prompt", { text: "Hi" });
  expect(await agent.call("prompt")).toEqual({ jsonrpc: "2.0", id: 1, method: "prompt", params: { text: "Hi" } });
  agent.request(1, "ask");
  await client.call("ask");
  client.send({ jsonrpc: "2.0", id: 1, result: "yes" });
  expect(await agent.answerTo(1)).toMatchObject({ result: "yes" });
  agent.send({ jsonrpc: "2.0", id: 1, error: { code: 4, message: "no" } });
  expect(await client.answerTo(1)).toMatchObject({ error: { code: 4, message: "no" } });
});

it("rewrites requests, answers and notifications, and drops what is not returned", async () => {
  const { client, agent } = pipe({
    request: (message) => ({ ...message, params: { text: "changed" } }),
    response: (message, request) => ({ jsonrpc: "2.0", id: message.id, result: request.params }),
    notification: (message) => (message.method === "secret" ? undefined : { ...message, params: { seen: true } }),
  });
  client.request(1, "prompt", { text: "Hi" });
  expect(await agent.call("prompt")).toMatchObject({ params: { text: "changed" } });
  agent.send({ jsonrpc: "2.0", method: "secret" }, { jsonrpc: "2.0", method: "note" });
  agent.send({ jsonrpc: "2.0", id: 1, result: null });
  expect(await client.answerTo(1)).toMatchObject({ result: { text: "changed" } });
  expect(client.received.filter((frame) => "method" in frame)).toEqual([
    { jsonrpc: "2.0", method: "note", params: { seen: true } },
  ]);
});

it("answers a request itself", async () => {
  const { client, agent } = pipe({
    request: (message) => (message.method === "list" ? { jsonrpc: "2.0", id: message.id, result: ["mine"] } : message),
  });
  client.request(1, "list");
  expect(await client.answerTo(1)).toMatchObject({ result: ["mine"] });
  expect(agent.received).toEqual([]);
});

it("a function that throws fails its own message and nothing else", async () => {
  const onError = vi.fn();
  const fail = () => {
    throw new RpcError(1, "broken");
  };
  const { client, agent } = pipe({
    request: (message) => (message.method === "bad" ? fail() : message),
    notification: fail,
    onError,
  });
  client.request(1, "bad");
  expect(await client.answerTo(1)).toMatchObject({ error: { code: -32603 } });
  client.send({ jsonrpc: "2.0", method: "note" });
  client.request(2, "good");
  await agent.call("good");
  expect(agent.received).toHaveLength(1);
  expect(onError.mock.calls.map(([, { method }, from]) => [method, from])).toEqual([
    ["bad", "client"],
    ["note", "client"],
  ]);
});

it("ends both sides with the end of either", async () => {
  const { agentEnd, clientEnd, ended } = pipe();
  await agentEnd.close();
  expect((await ended).map(({ kind }) => kind)).toEqual(["local", "remote"]);
  expect((await clientEnd.closed).kind).toBe("remote");
});

it("a full side pauses the other one", async () => {
  const [clientEnd, client] = createMemoryPair();
  const [agentEnd, agent] = createMemoryPair();
  void pipeChannels(client, agent);
  const peer = new RawPeer(agentEnd);
  agentEnd.pause();
  const params = { text: "x".repeat(64 * 1024) };
  let sent = 0;
  let room = clientEnd.send({ jsonrpc: "2.0", method: "note", params });
  for (; room === undefined && sent < 10_000; sent += 1) {
    room = clientEnd.send({ jsonrpc: "2.0", method: "note", params });
    await Promise.resolve();
  }
  expect(sent).toBeLessThan(10_000);
  agentEnd.resume();
  await room;
  await clientEnd.close();
  await agentEnd.closed;
  expect(peer.received).toHaveLength(sent + 1);
});

it("refuses a second open request of one id, whose response would pass unchanged", async () => {
  const response = (message: ResponseMessage): ResponseMessage => ({
    jsonrpc: "2.0",
    id: message.id,
    result: "hidden",
  });
  const { client, agent } = pipe({ response });
  agent.request(1, "read");
  agent.request(1, "ask");
  await client.call("read");
  expect(await agent.answerTo(1)).toMatchObject({ error: { code: -32603 } });
  client.send({ jsonrpc: "2.0", id: 1, result: "secret" });
  const answers = () => agent.received.filter((frame) => !("method" in frame));
  await vi.waitFor(() => expect(answers()).toHaveLength(2));
  expect(answers()[1]).toMatchObject({ result: "hidden" });
  expect(client.received.map(({ method }) => method)).toEqual(["read"]);
});
