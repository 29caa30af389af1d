import { describe, expect, it, vi } from "vitest";
import { RawPeer } from "../../test/raw-peer.js";
import { createMemoryPair } from "./memory.js";
import { pipeChannels } from "./pipe-channels.js";
import type { PipeOptions } from "./pipe-options.js";

function pipe(options: object) {
  const [clientEnd, client] = createMemoryPair();
  const [agentEnd, agent] = createMemoryPair();
  const onError = vi.fn();
  void pipeChannels(client, agent, { onError, ...(options as PipeOptions) });
  return { client: new RawPeer(clientEnd), agent: new RawPeer(agentEnd), onError };
}

/** Values that functions of JavaScript programs return by mistake. The same value is returned at once or later. */
const wrong: readonly (readonly [string, (message: object) => unknown])[] = [
  ["nothing", () => undefined],
  ["null", () => null],
  ["a text", () => "text"],
  ["an empty object", () => ({})],
  ["a list", (message) => [message]],
  ["another id", (message) => ({ ...message, id: 99 })],
  ["its message with a changed id", (message) => Object.assign(message, { id: 99 })],
  ["the id as a text", (message) => ({ ...message, id: "1" })],
  ["a promise of nothing", async () => undefined],
  ["a promise of another id", async (message) => ({ ...message, id: 99 })],
];

describe("defect R3: a wrong value of a function of a pipe is reported, and the requester gets an error", () => {
  it.each(wrong)("request: %s", async (_what, request) => {
    const { client, agent, onError } = pipe({ request });
    client.request(1, "read");
    expect(await client.answerTo(1)).toMatchObject({ error: { code: -32603 } });
    expect(agent.received).toEqual([]);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it.each([
    ...wrong,
    ["a request", ({ id }: { id?: unknown }) => ({ jsonrpc: "2.0", id, method: "read" })],
    ["no result", ({ id }: { id?: unknown }) => ({ jsonrpc: "2.0", id, result: undefined })],
  ] as typeof wrong)("response: %s", async (_what, response) => {
    const { client, agent, onError } = pipe({ response });
    client.request(1, "read");
    await agent.call("read");
    agent.send({ jsonrpc: "2.0", id: 1, result: "secret" });
    expect(await client.answerTo(1)).toMatchObject({ error: { code: -32603 } });
    expect(client.received).toHaveLength(1);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["nothing", () => undefined],
    ["a text", () => "text"],
    ["an empty object", () => ({})],
    ["a request", (message: object) => ({ ...message, id: 1 })],
    ["a promise of nothing", async () => undefined],
  ])("notification: %s", async (_what, notification) => {
    const { client, agent, onError } = pipe({ notification });
    client.send({ jsonrpc: "2.0", method: "note" });
    client.request(1, "read");
    await agent.call("read");
    expect(agent.received).toHaveLength(1);
    expect(onError).toHaveBeenCalledTimes(1);
  });
});

describe("defect R4: no response passes a pipe without its function", () => {
  const hide = (message: object) => ({ ...message, result: "hidden" });
  /** Returns a function `request` that waits for a call of `go`. */
  const gate = () => {
    let go = () => undefined as undefined;
    const gone = new Promise<void>((resolve) => {
      go = () => void resolve();
    });
    return { go: () => go(), wait: <M>(message: M) => gone.then(() => message) };
  };

  it("also if it arrives while the function of its request runs", async () => {
    const { go, wait } = gate();
    const { client, agent } = pipe({ request: wait, response: hide });
    client.request(1, "read");
    await Promise.resolve();
    agent.send({ jsonrpc: "2.0", id: 1, result: "secret" });
    expect(await client.answerTo(1)).toMatchObject({ result: "hidden" });
    go();
    agent.send({ jsonrpc: "2.0", id: 1, result: "secret" }, { jsonrpc: "2.0", method: "last" });
    await client.call("last");
    expect(JSON.stringify(client.received)).not.toContain("secret");
    expect(agent.received).toEqual([]);
  });

  it("also if its request was never sent, or was answered before", async () => {
    const { client, agent, onError } = pipe({ response: hide });
    agent.send({ jsonrpc: "2.0", id: 2, result: "secret" });
    client.request(1, "read");
    await agent.call("read");
    agent.send({ jsonrpc: "2.0", id: 1, result: "secret" }, { jsonrpc: "2.0", id: 1, result: "secret" });
    agent.send({ jsonrpc: "2.0", method: "last" });
    await client.call("last");
    expect(client.received).toMatchObject([{ id: 1, result: "hidden" }, { method: "last" }]);
    expect(onError).toHaveBeenCalledTimes(2);
  });

  it("and an id can be used again after the function of its request has failed or answered", async () => {
    const results: unknown[] = [Promise.reject(new Error("no")), { jsonrpc: "2.0", id: 1, result: "own" }];
    const { client, agent } = pipe({ request: (message: object) => results.shift() ?? message, response: hide });
    for (let count = 0; count < 3; count += 1) client.request(1, "read");
    await agent.call("read");
    agent.send({ jsonrpc: "2.0", id: 1, result: "secret" });
    await vi.waitFor(() => expect(client.received).toHaveLength(3));
    expect(client.received).toMatchObject([{ error: { code: -32603 } }, { result: "own" }, { result: "hidden" }]);
  });
});
