import { type AgentHandlers, createAgent } from "@turnkit/agent";
import { createGate, createRawPeer, type RawPeer } from "@turnkit/testing";
import { createMemoryPair } from "@turnkit/transport/channels";
import { describe, expect, test } from "vitest";
import { hellos } from "../hostile/hostile-frames.js";
import { arrive, dialects } from "./stage.js";

type Limits = NonNullable<Parameters<ReturnType<typeof createAgent>["serve"]>[1]>["limits"];

const option = { configId: "fast", name: "Fast", type: "boolean", currentValue: false } as const;

/** Our agent with two sessions, spoken to in raw frames. */
async function open(dialect: (typeof dialects)[number], handlers: Partial<AgentHandlers>, limits?: Limits) {
  const [channel, end] = createMemoryPair();
  const agent = createAgent({
    info: { name: "ordered", version: "1.0.0" },
    newSession: () => ({ configOptions: [option] }),
    prompt: () => undefined,
    ...handlers,
  });
  agent.serve(channel, limits && { limits });
  const peer = createRawPeer(end);
  await peer.request("initialize", hellos[dialect]);
  const opened = async () =>
    ((await peer.request("session/new", { cwd: "/work", mcpServers: [] })).result as { sessionId: string }).sessionId;
  return { peer, one: await opened(), two: await opened() };
}

const choose = (peer: RawPeer, sessionId: string, value = true) =>
  peer.ask("session/set_config_option", { sessionId, configId: "fast", type: "boolean", value });

const prompt = (peer: RawPeer, sessionId: string, text: string) =>
  peer.ask("session/prompt", { sessionId, prompt: [{ type: "text", text }] });

const answered = (peer: RawPeer) => peer.received.filter((frame) => !("method" in frame)).map(({ id }) => id);

describe.each(dialects)("a call that waits for its session (%s)", (dialect) => {
  test("defect B4: does not keep a cancel of another session from being handled", async () => {
    const setting = createGate();
    let cancelled = false;
    const { peer, one, two } = await open(dialect, {
      setConfigOption: () => setting.opened as Promise<void>,
      prompt: ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            cancelled = true;
            resolve("cancelled");
          });
        }),
    });
    prompt(peer, two, "work");
    await arrive();
    choose(peer, one);
    prompt(peer, one, "x".repeat(5 * 1024 * 1024));
    for (let n = 0; n < 3; n += 1) prompt(peer, one, "y".repeat(2 * 1024 * 1024));
    peer.notify("session/cancel", { sessionId: two });
    await arrive();
    expect(cancelled).toBe(true);
    setting.open();
  });

  test("defect B4: does not keep a request of another session from being answered, however many calls wait", async () => {
    const setting = createGate();
    const { peer, one, two } = await open(
      dialect,
      {
        setConfigOption: (session) => (session.id === one ? (setting.opened as Promise<void>) : undefined),
      },
      { waitingMessages: 2, waitingBytes: 100 },
    );
    for (let n = 0; n < 50; n += 1) choose(peer, one);
    const id = choose(peer, two);
    await arrive();
    expect(answered(peer)).toContain(id);
    setting.open();
  });

  test("defect B4: is refused, and everything else goes on, when the store of such calls is full", async () => {
    const setting = createGate();
    const { peer, one } = await open(
      dialect,
      { setConfigOption: () => setting.opened as Promise<void> },
      {
        waitingCalls: 3,
      },
    );
    const ids = Array.from({ length: 6 }, () => choose(peer, one));
    const [late, later] = [prompt(peer, one, "late"), ids[5] as number];
    await arrive();
    const refused = peer.received.filter(({ error }) => error).map(({ id }) => id);
    expect(refused.sort()).toEqual([ids[4], later, late].sort());
    expect(peer.received.find(({ id }) => id === late)?.error).toMatchObject({ code: -32603 });
    setting.open();
    await arrive();
    expect(answered(peer).slice(-4)).toEqual(ids.slice(0, 4));
    const id = prompt(peer, one, "again");
    await arrive();
    expect(peer.received.find((frame) => frame.id === id)?.error).toBeUndefined();
  });

  test("defect B4: is refused where its bytes would exceed the store, prompts that wait for a turn included", async () => {
    const turn = createGate();
    const { peer, one } = await open(
      dialect,
      { prompt: () => turn.opened as Promise<void> },
      { waitingCallBytes: 1_000 },
    );
    prompt(peer, one, "first");
    prompt(peer, one, "x".repeat(700));
    const refused = prompt(peer, one, "x".repeat(700));
    await arrive();
    expect(peer.received.find(({ id }) => id === refused)?.error).toMatchObject({ code: -32603 });
    turn.open();
    await arrive();
    const id = prompt(peer, one, "x".repeat(700));
    await arrive();
    expect(peer.received.find((frame) => frame.id === id)?.error).toBeUndefined();
  });

  test("defect B5: starts only when the call before it was answered, also when that asks the client", async () => {
    const log: string[] = [];
    const { peer, one } = await open(
      dialect,
      {
        async setConfigOption(session) {
          log.push("set begins");
          await session.client.request("_ask", {});
          log.push("set ends");
        },
        prompt: () => void log.push("prompt"),
      },
      { waitingMessages: 1, waitingBytes: 1 },
    );
    choose(peer, one);
    prompt(peer, one, "x".repeat(5 * 1024 * 1024));
    const asked = await peer.call("_ask");
    await arrive();
    expect(log).toEqual(["set begins"]);
    peer.answer(asked, {});
    await arrive();
    expect(log).toEqual(["set begins", "set ends", "prompt"]);
  });

  test("defect B5: is one of ten that run one at a time, in order, each asking the client", async () => {
    let running = 0;
    let most = 0;
    const { peer, one } = await open(
      dialect,
      {
        async setConfigOption(session) {
          running += 1;
          most = Math.max(most, running);
          await session.client.request("_ask", {});
          running -= 1;
        },
      },
      { waitingMessages: 4 },
    );
    peer.onFrame((frame) => void (frame.method === "_ask" && peer.answer(frame, {})));
    const ids = Array.from({ length: 10 }, () => choose(peer, one));
    await arrive(60);
    expect(most).toBe(1);
    expect(answered(peer).slice(-10)).toEqual(ids);
  });

  test("defect B5: is a close that follows a choice, and prompts between them", async () => {
    const log: string[] = [];
    const setting = createGate();
    const { peer, one } = await open(
      dialect,
      {
        async setConfigOption() {
          await setting.opened;
          log.push("set");
        },
        prompt: () => void log.push("prompt"),
        closeSession: () => void log.push("close"),
      },
      { waitingMessages: 1 },
    );
    const ids = [
      choose(peer, one),
      prompt(peer, one, "a"),
      choose(peer, one),
      peer.ask("session/close", { sessionId: one }),
    ];
    await arrive();
    setting.open();
    await arrive(20);
    // The close cancels what was received before it: the prompt ends, and does not run.
    expect(log).toEqual(["set", "set", "close"]);
    expect(
      answered(peer)
        .filter((id) => ids.includes(id as number))
        .sort(),
    ).toEqual([...ids].sort());
  });
});
