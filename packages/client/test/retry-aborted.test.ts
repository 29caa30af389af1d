import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "../src/index.js";
import { echo, NOW, openDraft } from "./draft-agent.js";
import { known, lose, restore } from "./lost-prompt.js";
import { gate, isSettled, type RawAgent } from "./raw-agent.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the signal of a retry", () => {
  test("P-RETRY-07, defect K4: ends it while the connection opens, and closes the connection that opens later", async () => {
    const { retry } = await lose();
    const stop = new AbortController();
    const opening = gate<Client>();
    const retried = retry({ evidence: known(), signal: stop.signal, connect: () => opening.promise });
    await vi.advanceTimersByTimeAsync(500);
    stop.abort();
    const outcome = await retried;
    expect(outcome).toMatchObject({ status: "unknown" });
    expect(outcome.client).toBeUndefined();
    const { agent, client } = await openDraft();
    opening.open(client);
    await client.closed;
    expect(agent.count("session/resume")).toBe(0);
  });

  test("P-RETRY-07, defect K4: ends it while the connection opens, if the connection fails later", async () => {
    const { retry } = await lose();
    const stop = new AbortController();
    let fail: (reason: Error) => void = () => undefined;
    const connect = () => new Promise<Client>((_, reject) => (fail = reject));
    const retried = retry({ evidence: known(), signal: stop.signal, connect });
    await vi.advanceTimersByTimeAsync(500);
    stop.abort();
    expect(await retried).toMatchObject({ status: "unknown" });
    fail(new Error("no such program"));
    await vi.advanceTimersByTimeAsync(60_000);
  });

  test("P-RETRY-07, defect K4: ends it while the session is restored, and closes the connection", async () => {
    const opened = await openDraft(NOW);
    const { retry } = await lose({ next: async () => opened });
    const stop = new AbortController();
    const retried = retry({ evidence: known(), signal: stop.signal });
    await vi.advanceTimersByTimeAsync(500);
    await opened.agent.call("session/resume");
    stop.abort();
    expect(await retried).toMatchObject({ status: "unknown" });
    await opened.client.closed;
  });

  test("P-RETRY-07, defect K4: leaves the reason of the last attempt", async () => {
    const { retry } = await lose();
    const stop = new AbortController();
    const cause = new Error("no such program");
    const connect = vi.fn<() => Promise<Client>>(() => new Promise(() => undefined)).mockRejectedValueOnce(cause);
    const retried = retry({ evidence: known(), signal: stop.signal, connect });
    await vi.advanceTimersByTimeAsync(500);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(connect).toHaveBeenCalledTimes(2);
    stop.abort();
    expect(await retried).toMatchObject({ status: "unknown", cause });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(connect).toHaveBeenCalledTimes(2);
  });
});

/** Lets the next attempt begin, and refuses its restore with `data`. */
async function refuseRestore(agents: readonly RawAgent[], ms: number, data?: unknown) {
  const index = agents.length;
  await vi.advanceTimersByTimeAsync(ms);
  await vi.waitFor(() => expect(agents).toHaveLength(index + 1));
  const agent = agents[index] as RawAgent;
  agent.refuse(await agent.call("session/resume"), -32600, "the session is open", data);
}

const LOCKED = { sessionId: "s-1", problem: "locked" };

describe("a session that the agent has not closed yet", () => {
  test("P-RETRY-07, defect K5: is restored by the next attempt", async () => {
    const { agents, retry } = await lose();
    const retried = retry();
    await refuseRestore(agents, 500, LOCKED);
    await restore(agents, 1, 2_000, echo("u-9"));
    expect(await retried).toMatchObject({ status: "inserted", messageId: "u-9" });
  });

  test("P-RETRY-07, defect K5: is asked for at most three times, and its refusal is the cause", async () => {
    const { agents, retry } = await lose();
    const retried = retry();
    for (const ms of [500, 2_000, 8_000]) await refuseRestore(agents, ms, LOCKED);
    expect(await retried).toMatchObject({ status: "unknown", cause: { code: -32600, data: LOCKED } });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(agents).toHaveLength(3);
  });

  test("P-RETRY-02: is told by the data only; another refusal ends the attempts", async () => {
    const { agents, retry } = await lose();
    for (const data of [undefined, "locked", ["locked"], { problem: "cursor" }]) {
      const retried = retry();
      await refuseRestore(agents, 500, data);
      expect(await retried).toMatchObject({ status: "unknown", cause: { code: -32600 } });
    }
  });
});

describe("a failure of a retry", () => {
  test("P-RETRY-06, defect K4: of a `connect` that throws at once is the cause, after three attempts", async () => {
    const { retry } = await lose();
    const cause = new Error("no such program");
    const connect = vi.fn<() => Promise<Client>>(() => {
      throw cause;
    });
    const retried = retry({ evidence: known(), connect });
    await vi.advanceTimersByTimeAsync(10_500);
    expect(await retried).toMatchObject({ status: "unknown", cause });
    expect(connect).toHaveBeenCalledTimes(3);
  });

  test("P-RETRY-06, defect K4: of the restore is the cause, and closes the connection", async () => {
    const opened = await openDraft(NOW);
    const { retry } = await lose({ next: async () => opened });
    const retried = retry({ evidence: known(), workspace: { cwd: "relative" } });
    await vi.advanceTimersByTimeAsync(500);
    expect(await retried).toMatchObject({ status: "unknown", cause: { code: "invalid_message" } });
    await opened.client.closed;
  });

  test("P-RETRY-06, defect K4: of the close of a connection without the session hides no outcome", async () => {
    const { client, agent } = await openDraft(NOW);
    const close = () => client.close().then(() => Promise.reject(new Error("the close failed")));
    const faulty = { peer: client.peer, close, restore: client.restore.bind(client) } as unknown as Client;
    const { retry } = await lose({ next: async () => ({ agent, client: faulty }) });
    const retried = retry({ evidence: known() });
    await vi.advanceTimersByTimeAsync(500);
    agent.refuse(await agent.call("session/resume"), -32002, "no such session");
    expect(await retried).toMatchObject({ status: "unknown", cause: { code: -32002 } });
  });

  test("P-RETRY-07: during the first wait nothing is opened after an abort", async () => {
    const { retry, agents } = await lose();
    const stop = new AbortController();
    stop.abort();
    const retried = retry({ signal: stop.signal });
    expect(await isSettled(retried)).toBe(true);
    expect(agents).toEqual([]);
  });
});
