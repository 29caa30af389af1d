import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Channel, Message } from "../channel.js";
import { createMemoryPair } from "./memory.js";
import { pipeChannels } from "./pipe-channels.js";
import type { PipeOptions } from "./pipe-options.js";

const note: Message = { jsonrpc: "2.0", method: "note", params: { text: "x".repeat(1_000) } };
const sink = { message: () => undefined, invalidLine: () => undefined };
const never = () => new Promise<never>(() => undefined);

function pipe(options: PipeOptions = {}) {
  const [clientEnd, client] = createMemoryPair();
  const [agentEnd, agent] = createMemoryPair();
  const onError = vi.fn();
  const ended = pipeChannels(client, agent, { onError, ...options });
  clientEnd.start(sink);
  agentEnd.start(sink);
  return { clientEnd, agentEnd, client, agent, ended, onError };
}

/** Sends messages until there is no room. */
function fill(channel: Channel): void {
  while (channel.send(note) === undefined);
}

describe("defect R2: a pipe whose target does not read ends with its source", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("when the client dies while the agent does not read", async () => {
    const { clientEnd, agentEnd, agent, ended } = pipe();
    agentEnd.pause();
    for (let round = 0; round < 3; round += 1) {
      fill(clientEnd);
      await vi.advanceTimersByTimeAsync(1);
    }
    await clientEnd.close();
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await ended).map(({ kind }) => kind)).toEqual(["remote", "local"]);
    expect((await agent.closed).message).toContain("The client of this pipe ended");
  });

  it("when neither side reads, and the agent dies", async () => {
    const { clientEnd, agentEnd, ended } = pipe();
    agentEnd.pause();
    clientEnd.pause();
    for (let round = 0; round < 3; round += 1) {
      fill(clientEnd);
      fill(agentEnd);
      await vi.advanceTimersByTimeAsync(1);
    }
    await agentEnd.close();
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await ended).map(({ kind }) => kind)).toEqual(["local", "remote"]);
  });

  it.each([
    ["request", { jsonrpc: "2.0", id: 1, method: "read" }],
    ["notification", note],
  ] as const)("when the function `%s` never settles", async (name, message) => {
    const { clientEnd, ended, onError } = pipe({ [name]: never });
    clientEnd.send(message);
    await vi.advanceTimersByTimeAsync(1);
    await clientEnd.close();
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await ended).map(({ kind }) => kind)).toEqual(["remote", "local"]);
    expect(onError.mock.calls).toEqual([[expect.any(Error), message, "client"]]);
  });

  it("when the function `response` never settles", async () => {
    const { clientEnd, agentEnd, ended } = pipe({ response: never });
    clientEnd.send({ jsonrpc: "2.0", id: 1, method: "read" });
    await vi.advanceTimersByTimeAsync(1);
    agentEnd.send({ jsonrpc: "2.0", id: 1, result: {} });
    await vi.advanceTimersByTimeAsync(1);
    await agentEnd.close();
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await ended).map(({ kind }) => kind)).toEqual(["local", "remote"]);
  });

  it("and a living client is read for 8 MiB at most, and is closed 10 min later", async () => {
    const [clientEnd, client] = createMemoryPair();
    const [agentEnd, agent] = createMemoryPair();
    const ended = pipeChannels(client, agent, { notification: never, onError: () => undefined });
    agentEnd.start(sink);
    const large: Message = { ...note, params: { text: "x".repeat(1024 * 1024) } };
    let taken = 0;
    const feed = async () => {
      for (; taken < 50; taken += 1) await clientEnd.send(large);
    };
    void feed();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(taken).toBeGreaterThan(5);
    expect(taken).toBeLessThan(12);
    await vi.advanceTimersByTimeAsync(11 * 60_000);
    expect((await ended).map(({ kind }) => kind)).toEqual(["overflow", "local"]);
  });

  it("and everything arrives in order when the agent reads again", async () => {
    const { clientEnd, agentEnd } = pipe();
    agentEnd.pause();
    let sent = 0;
    const feed = async () => {
      for (; sent < 1_000; sent += 1) await clientEnd.send({ ...note, params: { sent } });
    };
    const feeding = feed();
    await vi.advanceTimersByTimeAsync(5_000);
    agentEnd.resume();
    await vi.advanceTimersByTimeAsync(5_000);
    await feeding;
    expect(sent).toBe(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
