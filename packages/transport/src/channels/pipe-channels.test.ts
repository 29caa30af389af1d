import { describe, expect, it, vi } from "vitest";
import { RawPeer } from "../../test/raw-peer.js";
import type { ResponseMessage } from "../channel.js";
import { RpcError } from "../errors.js";
import { createMemoryPair } from "./memory.js";
import { pipeChannels } from "./pipe-channels.js";
import type { PipeOptions } from "./pipe-options.js";

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
    notification: (message) => (message.method === "secret" ? null : { ...message, params: { seen: true } }),
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

describe("defect F12: functions of a pipe that return promises", () => {
  const later = async <M>(message: M): Promise<M> => {
    await new Promise((resolve) => setImmediate(resolve));
    return message;
  };

  it("keep the order of their side, and later messages wait", async () => {
    const { client, agent } = pipe({
      notification: (message) => (message.method === "slow" ? later(message) : message),
      request: (message) => (message.method === "ask" ? later(message) : message),
      response: (message) => later(message),
    });
    client.send({ jsonrpc: "2.0", method: "slow" }, { jsonrpc: "2.0", method: "fast" });
    client.request(1, "ask");
    client.send({ jsonrpc: "2.0", method: "last" });
    await agent.call("ask");
    agent.send({ jsonrpc: "2.0", id: 1, result: "yes" }, { jsonrpc: "2.0", method: "after" });
    await client.answerTo(1);
    await vi.waitFor(() => expect(client.received).toHaveLength(2));
    expect(agent.received.map(({ method }) => method)).toEqual(["slow", "fast", "ask", "last"]);
    expect(client.received.map(({ id, method }) => id ?? method)).toEqual([1, "after"]);
  });

  it("pass what they hold before the end", async () => {
    const { clientEnd, agent, ended } = pipe({ notification: later });
    clientEnd.send({ jsonrpc: "2.0", method: "one" });
    clientEnd.send({ jsonrpc: "2.0", method: "two" });
    await clientEnd.close();
    await ended;
    expect(agent.received.map(({ method }) => method)).toEqual(["one", "two"]);
  });

  it("fail their own message when they reject, answer nothing, or answer something else", async () => {
    const onError = vi.fn();
    const answers: readonly unknown[] = [Promise.reject(new Error("no")), undefined, Promise.resolve("text")];
    const { client, agent } = pipe({
      request: ({ id, ...others }) => (id === 4 ? { id, ...others } : (answers[Number(id) - 1] as never)),
      onError,
    });
    for (const id of [1, 2, 3, 4]) client.request(id, "read");
    for (const id of [1, 2, 3]) expect(await client.answerTo(id)).toMatchObject({ error: { code: -32603 } });
    await agent.call("read");
    expect(agent.received).toHaveLength(1);
    expect(onError).toHaveBeenCalledTimes(3);
  });

  it("are printed without `onError`", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { client } = pipe({ request: () => Promise.reject(new Error("no key")) });
    client.request(1, "read");
    await client.answerTo(1);
    expect(print.mock.calls[0]?.[0]).toContain("The message read of the client did not pass the pipe: no key");
    print.mockRestore();
  });
});

it("defect F12: the side that stays is closed with the reason of the side that ended", async () => {
  const { agentEnd, ended } = pipe();
  await agentEnd.close();
  const [client, agent] = await ended;
  expect(agent.kind).toBe("remote");
  expect(client).toMatchObject({ kind: "local", cause: agent });
  expect(client.message).toBe(`The agent of this pipe ended: ${agent.message}`);
});

describe("defect F12: a side that does not read holds no memory", () => {
  const params = { text: "x".repeat(64 * 1024) };
  /** Sends until there is no room. Returns the number of messages. */
  const flood = async (send: () => Promise<void> | undefined) => {
    let sent = 0;
    for (let room = send(); room === undefined && sent < 5_000; sent += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      room = send();
    }
    return sent;
  };

  it("when the pipe itself answers its requests", async () => {
    const { clientEnd } = pipe({ request: ({ id }) => ({ jsonrpc: "2.0", id, result: params }) });
    clientEnd.pause();
    let id = 0;
    const sent = await flood(() => {
      id += 1;
      return clientEnd.send({ jsonrpc: "2.0", id, method: "read" });
    });
    expect(sent).toBeLessThan(200);
  });

  it("when the functions of the pipe are slow", async () => {
    let release: (nothing: null) => void = () => undefined;
    const slow = new Promise<null>((resolve) => {
      release = resolve;
    });
    const { clientEnd, ended } = pipe({ notification: () => slow });
    expect(await flood(() => clientEnd.send({ jsonrpc: "2.0", method: "note", params }))).toBeLessThan(10);
    release(null);
    await clientEnd.close();
    await ended;
  });

  it("when it answers no requests, whose responses are rewritten", async () => {
    const { client, clientEnd, agent } = pipe({ response: (message) => message });
    const large = { text: "x".repeat(1024 * 1024) };
    for (let id = 1; id <= 80; id += 1) await clientEnd.send({ jsonrpc: "2.0", id, method: "read", params: large });
    await vi.waitFor(() => expect(client.received.length + agent.received.length).toBe(80));
    expect(agent.received.length).toBeLessThan(65);
    expect(client.received.at(-1)).toMatchObject({ error: { code: -32603 } });
    for (const { id } of agent.received) agent.send({ jsonrpc: "2.0", id, result: null } as never);
    await vi.waitFor(() => expect(client.received).toHaveLength(80));
    client.request(100, "read");
    await vi.waitFor(() => expect(agent.received.at(-1)).toMatchObject({ id: 100 }));
  });
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
