import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CloseReason, Message, NotificationMessage } from "../channel.js";
import { createMemoryPair } from "./memory.js";
import { pipeChannels } from "./pipe-channels.js";
import type { PipeOptions } from "./pipe-options.js";

const note = (text: string): Message => ({ jsonrpc: "2.0", method: "note", params: { text } });
const never = () => new Promise<never>(() => undefined);

/** A pipe whose ends collect what arrives, and what the program printed. */
function pipe(options: PipeOptions = {}) {
  const [clientEnd, client] = createMemoryPair();
  const [agentEnd, agent] = createMemoryPair();
  const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const received = { client: [] as unknown[], agent: [] as unknown[] };
  const ended = pipeChannels(client, agent, options);
  clientEnd.start({ message: (one) => received.client.push(one), invalidLine: () => undefined });
  agentEnd.start({ message: (one) => received.agent.push(one), invalidLine: () => undefined });
  return {
    clientEnd,
    agentEnd,
    agent,
    ended,
    received,
    printed: () => print.mock.calls.map(([text]) => String(text).replace(/\n +at .*/s, "")),
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("defect N108: a function of a pipe that returns something else", () => {
  it.each([
    ["the params", (message: NotificationMessage) => message.params, "an object of another form"],
    ["a text", () => "one", '"one"'],
  ])("%s is reported with what came, and with what to return", async (_, notification, got) => {
    const { agentEnd, printed } = pipe({ notification } as unknown as PipeOptions);
    agentEnd.send(note("one"));
    await vi.advanceTimersByTimeAsync(1);
    const text = `the function \`notification\` returned no notification, but ${got}. Return the whole message, such as { ...message, params }`;
    expect(printed()).toEqual([expect.stringContaining(text)]);
  });
});

describe("defect N30: a function of a pipe that forgets its return", () => {
  const forgetful = { notification: () => undefined } as unknown as PipeOptions;

  it("lets nothing pass, because its author may refuse the message, and is reported once", async () => {
    const { agentEnd, received, printed } = pipe(forgetful);
    for (const text of ["one", "two"]) agentEnd.send(note(text));
    await vi.advanceTimersByTimeAsync(1);
    expect(received.client).toEqual([]);
    expect(printed()).toEqual([
      "turnkit: The message note of the agent did not pass the pipe: the function `notification` returned undefined. Return the message, or null to drop it.",
    ]);
  });

  it("is reported to `onError`, also for a promise of undefined", async () => {
    const onError = vi.fn();
    const { agentEnd } = pipe({ notification: async () => undefined, onError } as unknown as PipeOptions);
    for (const text of ["one", "two"]) agentEnd.send(note(text));
    await vi.advanceTimersByTimeAsync(1);
    expect(onError.mock.calls).toEqual([[expect.any(TypeError), note("one"), "agent"]]);
  });

  it("differs from one that drops a message with null", async () => {
    const { agentEnd, received, printed } = pipe({
      notification: (message) => ((message.params as { text: string }).text === "one" ? null : message),
    });
    for (const text of ["one", "two"]) agentEnd.send(note(text));
    await vi.advanceTimersByTimeAsync(1);
    expect([received.client, printed()]).toEqual([[note("two")], []]);
  });
});

describe("defect N30: a function of a pipe that does not settle", () => {
  it.each([
    ["request", { jsonrpc: "2.0", id: 1, method: "session/prompt" }],
    ["notification", { jsonrpc: "2.0", method: "session/prompt" }],
  ] as const)("is reported after 10 s with the method: %s", async (name, message) => {
    const { clientEnd, printed } = pipe({ [name]: never });
    clientEnd.send(message);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(printed()).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(printed()).toEqual([
      "turnkit: The message session/prompt of the client did not pass the pipe: its function has not settled for 10 s. Later messages of the client wait for it.",
    ]);
  });

  it("is not reported if it settles in time, and its message passes", async () => {
    const slow = <M>(message: M) => new Promise<M>((resolve) => setTimeout(resolve, 9_000, message));
    const { clientEnd, received, printed } = pipe({ notification: slow });
    clientEnd.send(note("one"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([received.agent, printed()]).toEqual([[note("one")], []]);
  });
});

describe("defect N30: the end of the agent behind a pipe", () => {
  const crash: CloseReason = { kind: "exit", message: "node exited with code 1.", exitCode: 1, stderr: "boom" };

  it("is printed with its reason and its last words, if the client is still there", async () => {
    const { agent, ended, printed } = pipe();
    void agent.close(crash);
    await vi.advanceTimersByTimeAsync(10_000);
    await ended;
    expect(printed()).toEqual(["turnkit: The agent of this pipe ended: node exited with code 1.\nboom"]);
  });

  it("is given to `onError` without a message", async () => {
    const onError = vi.fn();
    const { agent } = pipe({ onError });
    void agent.close(crash);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ reason: crash }), undefined, "agent"]]);
  });

  it.each([
    ["the client ended first", ({ clientEnd }: ReturnType<typeof pipe>) => clientEnd.close()],
    ["the agent closed its connection", ({ agentEnd }: ReturnType<typeof pipe>) => agentEnd.close()],
  ])("is no mistake: %s", async (_, end) => {
    const piped = pipe();
    void end(piped);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(piped.printed()).toEqual([]);
  });
});
