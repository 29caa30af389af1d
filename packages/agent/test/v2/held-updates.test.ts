import { describe, expect, test } from "vitest";
import {
  type AgentHandlers,
  type AgentSession,
  type ChildSession,
  createMemoryLog,
  type SessionLog,
} from "../../src/index.js";
import { MAX_WAITING_BYTES } from "../../src/outbox.js";
import { aborted, type Frame, gate, openAs, type RawClient, v2Hello } from "../raw-client.js";

const resume = (sessionId: string) => ({ sessionId, cwd: "/work", mcpServers: [], replayFrom: { type: "start" } });
const kinds = (updates: readonly Frame[]) => updates.map(({ sessionUpdate }) => sessionUpdate);
const notice = { type: "notice", severity: "info", title: "live" } as const;
const largeNotice = { ...notice, description: "x".repeat(1024 * 1024) } as const;
/** Number of large notices above the bound. */
const TOO_MANY = Math.ceil(MAX_WAITING_BYTES / largeNotice.description.length);

/** A log whose next read of a conversation, or next commit, waits once it is told to. */
function slowLog() {
  const log = createMemoryLog();
  const waits = { read: gate(), commit: gate() };
  const came = { read: gate(), commit: gate() };
  /** Reads left until one waits. The first read of a restore only checks the log. */
  let readsLeft = Number.POSITIVE_INFINITY;
  let isCommitSlow = false;
  const slow: SessionLog = {
    ...log,
    async *read(id) {
      readsLeft -= 1;
      if (readsLeft === 0) {
        came.read.open();
        await waits.read.promise;
      }
      yield* log.read(id);
    },
    async open(id, info) {
      const writer = await log.open(id, info);
      return {
        append: (event) => writer.append(event),
        async commit() {
          if (isCommitSlow) {
            came.commit.open();
            await waits.commit.promise;
          }
          await writer.commit();
        },
        [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose]() as Promise<void>,
      };
    },
  };
  return {
    log: slow,
    came,
    waits,
    /** @param nth number of the read that waits, from now on */
    slowRead: (nth = 2) => {
      readsLeft = nth;
    },
    slowCommit: () => {
      isCommitSlow = true;
    },
  };
}

/** A session with one turn and a child session, and a log that can be slow. */
async function opened(handlers: Partial<AgentHandlers> = {}) {
  const slow = slowLog();
  const sessions: AgentSession[] = [];
  const children: ChildSession[] = [];
  const { client, sessionId, diagnostics } = await openAs(v2Hello, {
    log: slow.log,
    newSession: (_, session) => void sessions.push(session as AgentSession),
    prompt(turn) {
      if (children.length === 0) children.push(turn.session.child("Kid"));
      turn.session.setBackground([{ type: "subagent", sessionId: children[0]?.id as string }]);
      turn.say("One");
    },
    ...handlers,
  });
  await client.ask(sessionId);
  await client.update("agent_message_chunk");
  await client.next(({ params }) => params?.update?.state === "idle");
  const [session, child] = [sessions[0] as AgentSession, children[0] as ChildSession];
  return { ...slow, client, sessionId, session, child, diagnostics };
}

/** Begins a restore, and waits until it reads the history. */
async function replaying(handlers?: Partial<AgentHandlers>) {
  const all = await opened(handlers);
  const before = all.client.updates().length;
  all.slowRead();
  const answer = all.client.request("session/resume", resume(all.sessionId));
  await all.came.read.promise;
  return { ...all, answer, since: () => all.client.updates().slice(before) };
}

/** Number of bytes of terminal output that the client got. */
const outputOf = (client: RawClient) =>
  client.updates("terminal_output_chunk").reduce((sum, { data }) => sum + Buffer.from(data, "base64").length, 0);

/** Waits until the client has everything that the agent has sent so far. */
const settled = async (client: RawClient) => {
  await client.error("session/prompt", { sessionId: "nobody", prompt: [] });
};

/** Sends updates until none more may wait, however small. */
function fill(session: AgentSession): void {
  for (const length of [1024 * 1024, 32 * 1024, 1024, 32, 0]) {
    const one = { ...notice, title: "x".repeat(length) };
    expect(() => {
      for (let at = 0; at < 3 * TOO_MANY; at += 1) void session.emit(one);
    }).toThrow(expect.objectContaining({ code: "state" }));
  }
}

const allow = { outcome: { outcome: "selected", optionId: "allow_once" } };

describe("live updates during a replay", () => {
  test("P-REPLAY-03: follow the marker, also when there are thousands", async () => {
    const { session, waits, answer, since } = await replaying();
    for (let at = 0; at < 3_000; at += 1) void session.emit(notice);
    waits.read.open();
    expect(await answer).toHaveProperty("result");
    const received = kinds(since());
    expect(received.indexOf("notice")).toBeGreaterThan(received.lastIndexOf("replay_complete"));
    expect(received.filter((kind) => kind === "notice")).toHaveLength(3_000);
  });

  test("P-REPLAY-11: too many of them fail the restore without a marker, and follow the refusal; the session goes on", async () => {
    const { client, sessionId, session, waits, answer, since } = await replaying();
    for (let at = 0; at < TOO_MANY; at += 1) void session.emit(largeNotice);
    expect(await answer).toMatchObject({ error: { code: -32603 } });
    await settled(client);
    const received = kinds(since());
    expect(received).not.toContain("replay_complete");
    expect(received.filter((kind) => kind === "notice")).toHaveLength(TOO_MANY);
    waits.read.open();
    await client.ask(sessionId);
    await client.result("session/resume", resume(sessionId));
    expect(client.updates("agent_message").filter(({ content }) => content[0].text === "One")).toHaveLength(2);
  });

  test("P-REPLAY-11: at twice the bound, a further update is refused", async () => {
    const { session } = await replaying();
    const emitAll = () => {
      for (let at = 0; at < 3 * TOO_MANY; at += 1) void session.emit(largeNotice);
    };
    expect(emitAll).toThrow(expect.objectContaining({ code: "state" }));
  });

  test("P-REPLAY-03: a question of a child session sends none of them into the replay; after a refusal it is asked behind them", async () => {
    const { client, session, child, waits, answer, since } = await replaying({
      restoreSession() {
        throw new Error("no");
      },
    });
    void session.emit(notice);
    const allowed = child.ask({ title: "Delete it?" } as never);
    await settled(client);
    expect(since()).toEqual([]);
    waits.read.open();
    expect(await answer).toHaveProperty("error");
    const question = await client.call("session/request_permission");
    const { story } = client;
    expect(story.indexOf("notice")).toBeLessThan(story.indexOf("session/request_permission"));
    client.reply(question, { outcome: { outcome: "selected", optionId: "allow_once" } });
    expect(await allowed).toBe(true);
  });

  test("defect R13: P-REPLAY-11: a question that waits while a restore checks a slow log makes the restore fail", async () => {
    const { client, sessionId, child, waits, came, slowRead } = await opened();
    slowRead(1);
    const answer = client.request("session/resume", resume(sessionId));
    await came.read.promise;
    const allowed = child.ask({ title: "Delete it?" });
    expect(await answer).toMatchObject({ error: { code: -32603 } });
    client.reply(await client.call("session/request_permission"), allow);
    expect(await allowed).toBe(true);
    waits.read.open();
    expect(await client.request("session/resume", resume(sessionId))).toHaveProperty("result");
  });

  test("P-REPLAY-03: a notice of a child session, which no replay repeats, follows the replay", async () => {
    const { client, sessionId } = await openAs(v2Hello, {
      log: createMemoryLog(),
      async prompt(turn) {
        const kid = turn.session.child("Kid");
        await aborted(turn.signal);
        void kid.emit(notice);
        void turn.session.emit(notice);
      },
    });
    await client.ask(sessionId);
    await client.update("subagent_update");
    await client.result("session/resume", resume(sessionId));
    const { story } = client;
    expect(client.updates("notice")).toHaveLength(2);
    expect(story.indexOf("notice")).toBeGreaterThan(story.lastIndexOf("replay_complete"));
  });

  test("V2-TERM-14: no output of a terminal is dropped while they wait", async () => {
    const { client, session, waits, answer } = await replaying();
    const terminal = session.terminal();
    for (let at = 0; at < 10; at += 1) await terminal.write("x".repeat(64 * 1024));
    waits.read.open();
    expect(await answer).toHaveProperty("result");
    await client.next(() => outputOf(client) >= 10 * 64 * 1024);
    expect(outputOf(client)).toBe(10 * 64 * 1024);
  });

  test("P-REPLAY-03: a question of a child session that ends with the restore is never shown inside the replay, and counts as refused", async () => {
    const { client, child, waits, answer } = await replaying();
    const allowed = child.ask({ title: "Delete it?" } as never);
    waits.read.open();
    expect(await answer).toHaveProperty("result");
    expect(await allowed).toBe(false);
    const { story } = client;
    expect(story.slice(0, story.lastIndexOf("replay_complete"))).not.toContain("session/request_permission");
  });
});

describe("live updates while the log stores a prompt with a key", () => {
  /** Sends a prompt with a key, and waits until the log stores it. */
  async function storing() {
    const all = await opened();
    const before = all.client.updates().length;
    all.slowCommit();
    const answer = all.client.request("session/prompt", {
      sessionId: all.sessionId,
      prompt: [{ type: "text", text: "Deploy" }],
      idempotencyKey: "k-1",
    });
    await all.came.commit.promise;
    return { ...all, answer, since: () => all.client.updates().slice(before) };
  }

  test("P-IDEM-07: send nothing of the prompt, also when there are thousands", async () => {
    const { client, session, waits, answer, since } = await storing();
    for (let at = 0; at < 3_000; at += 1) void session.emit(notice);
    await settled(client);
    expect(since()).toEqual([]);
    waits.commit.open();
    expect(await answer).toHaveProperty("result");
    const received = kinds(since());
    expect(received.filter((kind) => kind === "notice")).toHaveLength(3_000);
    expect(received.indexOf("user_message")).toBeLessThan(received.indexOf("notice"));
  });

  test("P-IDEM-07: a question of a child session sends nothing of the prompt either", async () => {
    const { client, child, waits, answer, since } = await storing();
    const allowed = child.ask({ title: "Delete it?" } as never);
    await settled(client);
    expect(since()).toEqual([]);
    expect(client.story).not.toContain("session/request_permission");
    waits.commit.open();
    expect(await answer).toHaveProperty("result");
    client.reply(await client.call("session/request_permission"), {
      outcome: { outcome: "selected", optionId: "allow_once" },
    });
    expect(await allowed).toBe(true);
  });

  test("P-IDEM-07: at twice the bound, a further update is refused", async () => {
    const { session, waits, answer } = await storing();
    const emitAll = () => {
      for (let at = 0; at < 3 * TOO_MANY; at += 1) void session.emit(largeNotice);
    };
    expect(emitAll).toThrow(expect.objectContaining({ code: "state" }));
    waits.commit.open();
    expect(await answer).toHaveProperty("result");
  });

  test.each([
    ["works", (_: ChildSession) => undefined],
    ["is idle", (child: ChildSession) => child.idle()],
  ])(
    "defect R10: P-IDEM-07: a question of a child session that %s never rejects, also if no update may wait",
    async (_, rest) => {
      const { client, session, child, waits, answer, diagnostics } = await storing();
      rest(child);
      fill(session);
      const asked = Promise.all([child.requestPermission({ title: "Delete it?" }), child.ask({ title: "And this?" })]);
      waits.commit.open();
      expect(await answer).toHaveProperty("result");
      for (const n of [0, 1]) client.reply(await client.call("session/request_permission", n), allow);
      expect((await asked).map((one) => (typeof one === "object" ? one.allowed : one))).toEqual([true, true]);
      expect(diagnostics.some(({ message }) => message.includes("could not be sent"))).toBe(true);
    },
  );
});

test("defect R10: a question of a turn never rejects, also if no update may wait for a restore", async () => {
  const slow = slowLog();
  const [filled, asking] = [gate(), gate()];
  let asked: unknown;
  const { client, sessionId } = await openAs(v2Hello, {
    log: slow.log,
    async prompt(turn) {
      turn.say("One");
      await asking.promise;
      fill(turn.session as AgentSession);
      asked = Promise.allSettled([turn.requestPermission({ title: "Delete it?" }), turn.ask({ title: "And this?" })]);
      filled.open();
      asked = await asked;
    },
  });
  await client.ask(sessionId);
  await client.update("agent_message_chunk");
  slow.slowRead(1);
  const answer = client.request("session/resume", resume(sessionId));
  await slow.came.read.promise;
  asking.open();
  await filled.promise;
  expect(await answer).toMatchObject({ error: { code: -32603 } });
  slow.waits.read.open();
  for (const n of [0, 1]) client.reply(await client.call("session/request_permission", n), allow);
  await client.next(({ params }) => params?.update?.state === "idle");
  expect(asked).toEqual([
    { status: "fulfilled", value: expect.objectContaining({ allowed: true }) },
    { status: "fulfilled", value: true },
  ]);
});
