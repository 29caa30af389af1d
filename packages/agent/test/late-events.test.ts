import { messageText, type SessionState } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import {
  type AgentHandlers,
  type AgentSession,
  createMemoryLog,
  keepSessions,
  RpcError,
  type SessionLog,
} from "../src/index.js";
import { clientInfo, everything, gate, openAs, seedHello, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: everything };
const dialects = [
  ["version 1", v1Hello, "session/load", {}],
  ["version 2", v2Hello, "session/resume", { replayFrom: { type: "start" } }],
  ["seed", seedHello, "session/load", {}],
] as const;

const saidIn = (state: SessionState | undefined): string[] =>
  [...(state?.timeline ?? [])].flatMap((entry) =>
    entry.type === "message" && entry.role === "agent" ? [messageText(entry)] : [],
  );

const block = (text: string) => ({ type: "text", text }) as const;

test("a restore that says more than 64 MiB before it returns is refused, and nothing of it is stored", async () => {
  const log = createMemoryLog();
  let said = 0;
  const handlers: Partial<AgentHandlers> = {
    log,
    newSession: () => ({}),
    restoreSession(_request, session) {
      const text = "x".repeat(1024 * 1024);
      for (; said < 100; said += 1)
        session.emit({ type: "agent_message", messageId: `m-${said}`, content: [block(text)] });
    },
    prompt: () => undefined,
  };
  const { client, sessionId } = await openAs(v1Hello, handlers);
  await client.ask(sessionId);
  await client.result("session/close", { sessionId });
  const { error } = await client.request("session/load", { sessionId, cwd: "/work", mcpServers: [] });
  expect(error).toBeDefined();
  expect(said).toBeGreaterThan(60);
  expect(said).toBeLessThan(64);
  const stored = [];
  for await (const event of log.read(sessionId)) stored.push(event.type);
  expect(stored).not.toContain("agent_message");
});

describe.each(dialects)("what an open session says during its restore, %s", (_, hello, method, params) => {
  /** A session with one answer, and what its handlers may do during a restore. */
  async function openSession({ restoreSession, log = createMemoryLog(), ...more }: Partial<AgentHandlers> = {}) {
    const sessions: AgentSession[] = [];
    const opened = await openAs(hello, {
      log,
      newSession: (_place, session) => void sessions.push(session),
      async restoreSession(request, session) {
        sessions.push(session);
        return restoreSession?.(request, session);
      },
      prompt: (turn) => void turn.say("Answer."),
      ...more,
    });
    const { client, sessionId } = opened;
    await client.ask(sessionId);
    const restore = (id: string) =>
      client.send({ id, method, params: { sessionId, cwd: "/work", mcpServers: [], ...params } });
    let serial = 0;
    const say = (text: string) => {
      serial += 1;
      return sessions[0]?.emit({ type: "agent_message", messageId: `bg-${serial}`, content: [{ type: "text", text }] });
    };
    /** Texts on the wire, and the answers of restores in their place. */
    const wire = () =>
      client.received.flatMap(({ id, error, method: name, params: sent }) => {
        if (name === undefined && typeof id === "string") return [error ? "refused" : "restored"];
        const { sessionUpdate = "", content } = sent?.update ?? {};
        return sessionUpdate.startsWith("agent_message") ? [content].flat().map((block: any) => block.text) : [];
      });
    /** Texts in the log, once the session is closed. */
    const stored = async () => {
      await client.result("session/close", { sessionId });
      const texts: string[] = [];
      for await (const event of log.read(sessionId)) {
        if (event.type !== "agent_message") continue;
        for (const block of event.content ?? [])
          if (block.type === "text" && "text" in block) texts.push(`${block.text}`);
      }
      return texts;
    };
    return { ...opened, sessions, restore, say, wire, stored };
  }

  /** Expects the text of the background work once: in the restored state, on the wire behind the replay, in the log. */
  async function expectBuiltOnce({ client, sessions, wire, stored }: Awaited<ReturnType<typeof openSession>>) {
    expect((await client.answer("one")).error).toBeUndefined();
    expect(saidIn(sessions[1]?.state)).toEqual(["Answer.", "Built."]);
    expect(wire()).toEqual(["Answer.", "Answer.", "Built.", "restored"]);
    expect(await stored()).toEqual(["Built."]);
  }

  test("defect B2: is in both states, on the wire and in the log once, behind the replay", async () => {
    const asked = gate();
    const goOn = gate();
    const opened = await openSession({
      async restoreSession() {
        asked.open();
        await goOn.promise;
        return undefined as never;
      },
    });
    const { sessions, restore, say } = opened;
    restore("one");
    await asked.promise;
    say("Built.");
    expect(saidIn(sessions[0]?.state)).toEqual(["Answer.", "Built."]);
    goOn.open();
    await expectBuiltOnce(opened);
  });

  test("defect B2: while the log is read, is neither lost nor doubled", async () => {
    const log = createMemoryLog();
    const reading = gate();
    const goOn = gate();
    let reads = 0;
    const slow: SessionLog = {
      keep: keepSessions,
      async open(id, info) {
        const writer = await log.open(id, info);
        const append = (event: Parameters<typeof writer.append>[0]) => {
          const room = writer.append(event);
          // Written at once, so that a read sees it.
          void writer.commit();
          return room;
        };
        return { append, commit: () => writer.commit(), [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose]() };
      },
      list: (query) => log.list(query),
      delete: (id) => log.delete(id),
      async *read(id) {
        reads += 1;
        // The first read checks the log. The second is the restore's: it sees what is written while it reads.
        if (reads === 2) {
          reading.open();
          await goOn.promise;
        }
        yield* log.read(id);
      },
    };
    const opened = await openSession({ log: slow });
    const { restore, say } = opened;
    restore("one");
    await reading.promise;
    say("Built.");
    goOn.open();
    await expectBuiltOnce(opened);
  });

  test("defect B2: comes after a refusal, and is stored", async () => {
    const asked = gate();
    const goOn = gate();
    const opened = await openSession({
      async restoreSession() {
        asked.open();
        await goOn.promise;
        throw RpcError.invalidRequest("not now");
      },
    });
    const { client, sessionId, sessions, restore, say, wire, stored } = opened;
    restore("one");
    await asked.promise;
    say("Built.");
    goOn.open();
    expect((await client.answer("one")).error).toBeDefined();
    say("Tested.");
    await client.ask(sessionId);
    expect(saidIn(sessions[0]?.state)).toEqual(["Answer.", "Built.", "Tested.", "Answer."]);
    // Nothing of the refused replay is sent.
    expect(wire()).toEqual(["Answer.", "refused", "Built.", "Tested.", "Answer."]);
    expect(await stored()).toEqual(["Built.", "Tested."]);
  });

  test("defect B2: is never refused for its number", async () => {
    const { client, sessions, restore, say, wire } = await openSession({
      async restoreSession() {
        for (let n = 0; n < 1_100; n++) await say("x");
        return undefined as never;
      },
    });
    restore("one");
    expect((await client.answer("one")).error).toBeUndefined();
    expect(wire().filter((text) => text === "x")).toHaveLength(1_100);
    expect(saidIn(sessions[1]?.state)).toHaveLength(1_101);
  });
});

test.each(dialects)(
  "defect B2: a restore does not overtake the answers to a close and calls before it, whenever it arrives, %s",
  async (_, hello, method, params) => {
    for (let moment = 0; moment < 40; moment++) {
      const asked = gate();
      const goOn = gate();
      const { client, sessionId } = await openAs(hello, {
        newSession() {},
        async closeSession() {
          asked.open();
          await goOn.promise;
        },
        restoreSession() {
          throw RpcError.invalidRequest("not now");
        },
        prompt() {},
      });
      client.send({ id: "close", method: "session/close", params: { sessionId } });
      const choice = { sessionId, configId: "mode", value: "fast", type: "id" };
      for (const id of ["one", "two"]) client.send({ id, method: "session/set_config_option", params: choice });
      await asked.promise;
      goOn.open();
      for (let step = 0; step < moment; step++) await undefined;
      client.send({ id: "load", method, params: { sessionId, cwd: "/work", mcpServers: [], ...params } });
      await Promise.all(["close", "one", "two", "load"].map((id) => client.answer(id)));
      const ids = client.received.map(({ id }) => id).filter((id) => typeof id === "string");
      expect(ids, `after ${moment} steps`).toEqual(["close", "one", "two", "load"]);
    }
  },
);
