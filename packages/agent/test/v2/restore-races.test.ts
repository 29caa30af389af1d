import { describe, expect, test } from "vitest";
import { type AgentSession, createMemoryLog, type SessionLog } from "../../src/index.js";
import { aborted, connectAs, type Frame, gate, openAs, type RawClient, v2Hello } from "../raw-client.js";

const replayFrom = { type: "start" };
/** Waits until the agent has done what was due, and the client has what it sent. */
const settled = async (client: RawClient) => {
  for (let n = 0; n < 10; n++) await client.request("_nothing");
};

/** Updates that are too many to wait for the end of a replay. */
function flood(session: AgentSession): void {
  const content = { type: "text", text: "x".repeat(1024 * 1024) } as const;
  for (let n = 0; n < 17; n++) session.emit({ type: "agent_message", messageId: "big", content: [content] });
}

/** Log whose writers and readers may wait. */
function slow(
  inner: SessionLog,
  waits: {
    read?: (n: number) => Promise<void> | undefined;
    commit?: () => Promise<void> | undefined;
  },
): SessionLog {
  let reads = 0;
  return {
    ...inner,
    async *read(sessionId) {
      await waits.read?.(reads++);
      yield* inner.read(sessionId);
    },
    async open(sessionId, info) {
      const writer = await inner.open(sessionId, info);
      return {
        append: (event) => writer.append(event),
        async commit() {
          await waits.commit?.();
          await writer.commit();
        },
        [Symbol.asyncDispose]: async () => writer[Symbol.asyncDispose](),
      };
    },
  };
}

// T1
test.each(Array.from({ length: 8 }, (_, ticks) => [ticks]))(
  "P-REPLAY-11: a restore refused %i microtasks before its end leaves the log to the open session",
  async (ticks) => {
    let open!: AgentSession;
    let floods = true;
    const { client, sessionId } = await openAs(v2Hello, {
      log: createMemoryLog(),
      newSession: (_, session) => {
        open = session;
        return undefined;
      },
      restoreSession: async () => {
        if (floods) flood(open);
        for (let n = 0; n < ticks; n++) await undefined;
        return undefined;
      },
    });
    const place = { sessionId, cwd: "/work", replayFrom };
    const one = await client.request("session/resume", place);
    if (one.error === undefined) return;
    floods = false;
    expect(one.error.code).toBe(-32603);
    open.emit({ type: "agent_message", messageId: "a", content: [{ type: "text", text: "LATER" }] });
    const two = await client.request("session/resume", place);
    expect(two.error).toBeUndefined();
    expect(JSON.stringify(client.received.slice(client.received.indexOf(one)))).toContain("LATER");
  },
);

test("P-REPLAY-11: a refused replay that still reads the log does not resume the log of the next restore", async () => {
  const [first, second] = [gate(), gate()];
  // Check and fold of each restore.
  const gates = [undefined, first.promise, undefined, second.promise];
  let reads = 0;
  const log = slow(createMemoryLog(), {
    read: (n) => {
      reads = n + 1;
      return gates[n];
    },
  });
  let open!: AgentSession;
  const { client, sessionId } = await openAs(v2Hello, {
    log,
    newSession: (_, session) => {
      open ??= session;
      return undefined;
    },
  });
  open.emit({ type: "agent_message", messageId: "m", content: [{ type: "text", text: "Hi. " }] });
  const place = { sessionId, cwd: "/work", replayFrom };
  const one = client.request("session/resume", place);
  await expect.poll(() => reads).toBe(2);
  flood(open);
  const refused = await one;
  expect(refused.error.code).toBe(-32603);
  const two = client.request("session/resume", place);
  await expect.poll(() => reads).toBe(4);
  open.emit({ type: "agent_message_chunk", messageId: "m", content: { type: "text", text: "LATE" } });
  first.open();
  await settled(client);
  // A log may write at any time.
  await (open as unknown as { output: { journal: { flush(): Promise<boolean> } } }).output.journal.flush();
  second.open();
  expect((await two).error).toBeUndefined();
  await settled(client);
  const after = client.received.slice(client.received.indexOf(refused));
  // Otherwise in the replay, and again as a live piece: "Hi. LATELATE".
  expect(after.filter((frame) => JSON.stringify(frame).includes("LATE"))).toHaveLength(1);
});

test("P-REPLAY-02: the replay of child sessions stops when the restore is refused", async () => {
  let open!: AgentSession;
  const { client, sessionId } = await openAs(v2Hello, {
    log: createMemoryLog(),
    newSession: (_, session) => {
      open ??= session;
      return undefined;
    },
  });
  const kid = open.child("Kid");
  for (let n = 0; n < 3_000; n++) kid.emit({ type: "agent_message", messageId: `k-${n}`, content: [] });
  kid.idle();
  await client.next(({ params }) => params?.sessionId === kid.id && params.update.state === "idle");
  const before = client.received.length;
  const restoring = client.request("session/resume", { sessionId, cwd: "/work", replayFrom });
  await client.next((frame) => client.received.length > before && frame === client.received.at(-1));
  flood(open);
  const answer = await restoring;
  expect(answer.error.code).toBe(-32603);
  await settled(client);
  const after = client.received.slice(client.received.indexOf(answer) + 1);
  expect(after.filter(({ params }) => params?.sessionId === kid.id)).toEqual([]);
});

test.each([[undefined], [replayFrom]])(
  "restoreSession may wait for work of the open session that asks, replayFrom %j",
  async (from) => {
    let open: AgentSession | undefined;
    const { client, sessionId } = await openAs(v2Hello, {
      newSession: (_, session) => {
        open = session;
        return undefined;
      },
      restoreSession: async () => {
        await open?.toolCall({ title: "Push" }).ask({ title: "May I push?" });
        return undefined;
      },
    });
    const params = { sessionId, cwd: "/work", ...(from && { replayFrom: from }) };
    const restoring = client.request("session/resume", params);
    const asked = await Promise.race([client.call("session/request_permission"), restoring]);
    // Either the question arrives, or the restore is refused. It must not wait for ever.
    expect(asked).toBeDefined();
  },
);

test.each([[undefined], [replayFrom]])(
  "a cancelled turn that asks on its session does not delay a restore by the whole grace time, replayFrom %j",
  async (from) => {
    const { client, sessionId } = await openAs(v2Hello, {
      log: createMemoryLog(),
      async prompt(turn) {
        await aborted(turn.signal);
        await turn.session.toolCall({ title: "Clean up" }).ask({ title: "Delete the branch?" });
      },
    });
    await client.result("session/prompt", { sessionId, prompt: [{ type: "text", text: "go" }] });
    const params = { sessionId, cwd: "/work", ...(from && { replayFrom: from }) };
    const restoring = client.request("session/resume", params);
    expect(await Promise.race([client.call("session/request_permission"), restoring])).toBeDefined();
  },
);

test("data that changed between turns reaches the restoreSession of an open session", async () => {
  let open!: AgentSession<{ n: number }>;
  let got: unknown;
  const { client, sessionId } = await openAs<{ n: number }>(v2Hello, {
    log: createMemoryLog(),
    newSession: (_, session) => {
      open = session;
      return { data: { n: 1 } };
    },
    restoreSession: ({ data }) => {
      got = data;
      return { data: data as { n: number } };
    },
  });
  open.data.n = 2;
  await client.result("session/resume", { sessionId, cwd: "/work" });
  expect(got).toEqual({ n: 2 });
});

const keyed = (sessionId: string, idempotencyKey: string) => ({
  sessionId,
  prompt: [{ type: "text", text: "hi" }],
  idempotencyKey,
});

/** Stores a prompt with the key K, and ends the connection. */
async function storedKey(log: SessionLog) {
  const { client, sessionId, served } = await openAs(v2Hello, { log });
  const { messageId } = await client.result("session/prompt", keyed(sessionId, "K"));
  await client.next(({ params }) => params?.update?.state === "idle");
  await client.close();
  await served.closed;
  return { sessionId, messageId: messageId as string };
}

/** The messages of a key and the answers with its id, in their order. */
const storyOf = (received: readonly Frame[], messageId: string) =>
  received.flatMap(({ params, result }) => {
    if (params?.update?.messageId === messageId) return [params.update.sessionUpdate];
    return result?.messageId === messageId ? ["answer"] : [];
  });

test("P-IDEM-09: the replay of a refused restore does not count as the message of a key", async () => {
  const log = createMemoryLog();
  const { sessionId, messageId } = await storedKey(log);
  let refuses = false;
  const { client } = await connectAs(v2Hello, {
    log,
    restoreSession: () => {
      if (refuses) throw new Error("no");
      return undefined;
    },
  });
  await client.result("session/resume", { sessionId, cwd: "/work" });
  refuses = true;
  await client.error("session/resume", { sessionId, cwd: "/work", replayFrom });
  await client.result("session/prompt", keyed(sessionId, "K"));
  expect(storyOf(client.received, messageId)).toEqual(["user_message", "answer"]);
});

// R6, R6b
test.each([["succeeds"], ["is refused"]])(
  "P-IDEM-09: a retry during a restore that %s is answered after its message",
  async (end) => {
    const log = createMemoryLog();
    const { sessionId, messageId } = await storedKey(log);
    let held: Promise<undefined> | undefined;
    const { client } = await connectAs(v2Hello, { log, restoreSession: () => held });
    await client.result("session/resume", { sessionId, cwd: "/work" });
    const done = gate<undefined>();
    held = done.promise;
    const restoring = client.request("session/resume", { sessionId, cwd: "/work" });
    await settled(client);
    const retry = client.request("session/prompt", keyed(sessionId, "K"));
    await settled(client);
    if (end === "succeeds") done.open(undefined);
    else done.fail(new Error("no"));
    await restoring;
    await retry;
    await settled(client);
    expect(storyOf(client.received, messageId)).toEqual(["user_message", "answer"]);
  },
);

test("P-IDEM-09: a retry while another prompt is stored is answered after its message", async () => {
  const inner = createMemoryLog();
  const { sessionId, messageId } = await storedKey(inner);
  let held: Promise<void> | undefined;
  const { client } = await connectAs(v2Hello, { log: slow(inner, { commit: () => held }) });
  await client.result("session/resume", { sessionId, cwd: "/work" });
  const stored = gate();
  held = stored.promise;
  const other = client.request("session/prompt", keyed(sessionId, "K2"));
  await settled(client);
  const retry = client.request("session/prompt", keyed(sessionId, "K"));
  await settled(client);
  stored.open();
  await Promise.all([other, retry]);
  expect(storyOf(client.received, messageId)).toEqual(["user_message", "answer"]);
});

test("P-REPLAY-03: live updates wait from the receipt of a restore that waits for an earlier call", async () => {
  const chosen = gate();
  let open!: AgentSession;
  const { client, sessionId } = await openAs(v2Hello, {
    log: createMemoryLog(),
    setConfigOption: () => chosen.promise,
    newSession: (_, session) => {
      open ??= session;
      return { configOptions: [{ type: "boolean", configId: "b", name: "B", currentValue: false }] };
    },
  });
  const choice = { sessionId, configId: "b", type: "boolean", value: true };
  const choosing = client.request("session/set_config_option", choice);
  const restoring = client.request("session/resume", { sessionId, cwd: "/work", replayFrom });
  await settled(client);
  open.emit({ type: "agent_message_chunk", messageId: "m", content: { type: "text", text: "LIVE" } });
  await settled(client);
  const early = client.updates("agent_message_chunk");
  chosen.open();
  await Promise.all([choosing, restoring]);
  expect(early).toEqual([]);
});

test("restoreSession is not called for a waiting restore after the end of its connection", async () => {
  const slowly = gate<undefined>();
  let calls = 0;
  const { client, served, sessionId } = await openAs(v2Hello, {
    restoreSession: () => {
      calls += 1;
      return slowly.promise;
    },
  });
  void client.request("session/resume", { sessionId, cwd: "/work" });
  void client.request("session/resume", { sessionId, cwd: "/work" });
  await settled(client);
  await client.close();
  slowly.open(undefined);
  await served.closed;
  expect(calls).toBe(1);
});

test("the end of a connection while a restore flushes the log is not reported as a failed log", async () => {
  let held: Promise<void> | undefined;
  const log = slow(createMemoryLog(), { commit: () => held });
  const { client, served, sessionId, diagnostics } = await openAs(v2Hello, { log });
  const flushed = gate();
  held = flushed.promise;
  void client.request("session/resume", { sessionId, cwd: "/work" });
  await settled(client);
  await client.close();
  flushed.open();
  await served.closed;
  expect(diagnostics).toEqual([]);
});

test("P-REPLAY-03: a close that was received before a restore loses nothing of the turn that it ends", async () => {
  const log = createMemoryLog();
  const stop = gate();
  const { client, sessionId } = await openAs(v2Hello, {
    log,
    async prompt(turn) {
      await aborted(turn.signal);
      await stop.promise;
      turn.say("Stopped.");
    },
  });
  await client.result("session/prompt", { sessionId, prompt: [{ type: "text", text: "go" }] });
  const closing = client.request("session/close", { sessionId });
  const restoring = client.request("session/resume", { sessionId, cwd: "/work", replayFrom });
  await settled(client);
  stop.open();
  await Promise.all([closing, restoring]);
  expect(client.updates("state_update").map(({ stopReason }) => stopReason)).toContain("cancelled");
});

describe("two restores that were received together", () => {
  const said = (text: string) =>
    ({ type: "agent_message_chunk", messageId: "m", content: { type: "text", text } }) as const;
  const storyAfter = (client: RawClient, answer: Frame) =>
    client.received
      .slice(client.received.indexOf(answer) + 1)
      .flatMap(({ params }) => params?.update?.sessionUpdate ?? []);

  test("defect R11: P-REPLAY-03: what the session says after the first one waits for the replay of the second one", async () => {
    const [choosing, chosen] = [gate(), gate()];
    let isRestored = false;
    let newest!: AgentSession;
    const { client, sessionId } = await openAs(v2Hello, {
      log: createMemoryLog(),
      async setConfigOption() {
        if (!isRestored) return;
        choosing.open();
        await chosen.promise;
      },
      newSession: (_, session) => {
        newest = session;
        return { configOptions: [{ type: "boolean", configId: "b", name: "B", currentValue: false }] };
      },
    });
    await client.result("session/set_config_option", { sessionId, configId: "b", type: "boolean", value: true });
    isRestored = true;
    const one = client.request("session/resume", { sessionId, cwd: "/work", replayFrom });
    const two = client.request("session/resume", { sessionId, cwd: "/work", replayFrom });
    await choosing.promise;
    newest.emit(said("LIVE"));
    await settled(client);
    expect(client.updates("agent_message_chunk")).toEqual([]);
    chosen.open();
    const story = storyAfter(client, (await Promise.all([one, two]))[0]);
    expect(story.indexOf("agent_message")).toBeLessThan(story.indexOf("replay_complete"));
    expect(story).toContain("agent_message");
    expect(story).not.toContain("agent_message_chunk");
  });

  test("defect R11: P-REPLAY-03: what the session says during the first one, which is refused, waits too", async () => {
    const [asked, refused, read] = [gate(), gate(), gate()];
    let restores = 0;
    let open!: AgentSession;
    const inner = createMemoryLog();
    const { client, sessionId } = await openAs(v2Hello, {
      // Check and fold of each restore.
      log: slow(inner, { read: (n) => (n === 3 ? read.promise : undefined) }),
      newSession: (_, session) => {
        open ??= session;
        return undefined;
      },
      async restoreSession() {
        restores += 1;
        if (restores > 1) return undefined;
        asked.open();
        await refused.promise;
        throw new Error("no");
      },
    });
    const one = client.request("session/resume", { sessionId, cwd: "/work", replayFrom });
    const two = client.request("session/resume", { sessionId, cwd: "/work", replayFrom });
    await asked.promise;
    open.emit(said("LIVE"));
    refused.open();
    const refusal = await one;
    expect(refusal).toHaveProperty("error");
    await settled(client);
    open.emit(said(" TOO"));
    await settled(client);
    read.open();
    expect(await two).toHaveProperty("result");
    expect(storyAfter(client, refusal).slice(0, 2)).toEqual(["agent_message", "replay_complete"]);
    expect(client.text).toBe(" TOO");
  });
});
