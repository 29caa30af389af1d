import { describe, expect, it, vi } from "vitest";
import { RawPeer } from "../../test/raw-peer.js";
import { createMemoryPair } from "./memory.js";
import { pipeChannels } from "./pipe-channels.js";
import type { PipeOptions } from "./pipe-options.js";

const WRONG = "pipeChannels got its channels in the wrong order";

function swappedPipe(options?: PipeOptions) {
  const [clientEnd, client] = createMemoryPair();
  const [agentEnd, agent] = createMemoryPair();
  const ended = pipeChannels(agent, client, options).catch((error: unknown) => error);
  return { client: new RawPeer(clientEnd), agent: new RawPeer(agentEnd), clientEnd, agentEnd, ended };
}

describe("defect N3: swapped channels of a pipe", () => {
  it.each<[string, object]>([
    ["a request", { id: 0 }],
    ["a notification by mistake", {}],
  ])("are recognised by initialize as %s: nothing passes, and both sides end", async (_, id) => {
    const functions = { request: vi.fn((one) => one), notification: vi.fn((one) => one) };
    const { client, agent, clientEnd, agentEnd, ended } = swappedPipe(functions);
    client.send({ jsonrpc: "2.0", ...id, method: "initialize", params: {} });
    const error = await ended;
    expect(error).toMatchObject({ name: "TypeError", message: expect.stringContaining(WRONG) });
    expect(error).toMatchObject({ message: expect.stringContaining("Call pipeChannels(client, agent).") });
    await Promise.all([clientEnd.closed, agentEnd.closed]);
    expect(agent.received).toEqual([]);
    expect([functions.request.mock.calls, functions.notification.mock.calls]).toEqual([[], []]);
  });

  it("answer the client, so that its user reads the reason too", async () => {
    const { client } = swappedPipe();
    client.request(0, "initialize");
    expect(await client.answerTo(0)).toMatchObject({ error: { message: expect.stringContaining(WRONG) } });
  });

  it("are recognised after other messages", async () => {
    const { client, ended } = swappedPipe();
    client.send({ jsonrpc: "2.0", method: "_hello" }, { jsonrpc: "2.0", id: 1, method: "initialize" });
    expect(await ended).toBeInstanceOf(TypeError);
  });
});

it("an agent may call a method of this name after the client has initialized", async () => {
  const [clientEnd, client] = createMemoryPair();
  const [agentEnd, agent] = createMemoryPair();
  void pipeChannels(client, agent);
  const [one, other] = [new RawPeer(clientEnd), new RawPeer(agentEnd)];
  one.request(0, "initialize");
  await other.call("initialize");
  other.request(5, "initialize");
  expect(await one.call("initialize")).toMatchObject({ id: 5 });
});
