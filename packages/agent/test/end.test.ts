import { setImmediate } from "node:timers/promises";
import { createMemoryPair } from "@turnkit/transport/channels";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type AgentSession, createAgent, type Turn } from "../src/index.js";
import { aborted, connect, gate, open, RawClient } from "./raw-client.js";

const unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => unhandled.push(error);

beforeAll(() => {
  process.on("unhandledRejection", onUnhandled);
});
afterAll(() => {
  process.off("unhandledRejection", onUnhandled);
});

afterEach(async () => {
  vi.useRealTimers();
  await setImmediate();
  expect(unhandled).toEqual([]);
});

describe("the end of the connection", () => {
  test("V1-RPC-20 V1-CANCEL-20: signals fire, turns end, sessions are closed, then closed settles", async () => {
    const story: string[] = [];
    const { client, sessionId, served } = await open({
      newSession: (_, session) => void aborted(session.signal).then(() => story.push("session signal")),
      async prompt(turn) {
        turn.say("running");
        await aborted(turn.signal);
        story.push("turn signal");
        await setImmediate();
        story.push("turn over");
      },
      async closeSession(session) {
        await setImmediate();
        story.push(`closed ${session.id === sessionId}`);
      },
    });
    client.prompt(sessionId);
    await client.update("agent_message_chunk");
    await client.close();
    expect(await served.closed).toMatchObject({ kind: "remote" });
    expect(story.slice(0, 2).sort()).toEqual(["session signal", "turn signal"]);
    expect(story.slice(2)).toEqual(["turn over", "closed true"]);
  });

  test("V1-RPC-20: nothing is written after it, whatever handlers still say", async () => {
    const [channel, end] = createMemoryPair();
    const sent: string[] = [];
    const late = gate();
    const over = gate();
    const agent = createAgent({
      info: { name: "a", version: "1" },
      newSession() {},
      async prompt(turn) {
        turn.say("before");
        await late.promise;
        turn.say("after");
        turn.session.setTitle("after");
        const call = turn.toolCall({ title: "after" });
        expect(await call.requestPermission()).toEqual({ allowed: false });
        await expect(turn.files?.read?.("/a")).rejects.toMatchObject({ code: "connection_closed" });
        over.open();
        throw new Error("after");
      },
    });
    const served = agent.serve({
      start: (receiver) => channel.start(receiver),
      send(message) {
        sent.push("method" in message ? message.method : "answer");
        return channel.send(message);
      },
      pause: () => channel.pause(),
      resume: () => channel.resume(),
      close: (reason) => channel.close(reason),
      closed: channel.closed,
    });
    const client = new RawClient(end);
    await client.initialize();
    client.prompt(await client.newSession());
    await client.update("agent_message_chunk");
    const before = sent.length;
    await client.close();
    await channel.closed;
    late.open();
    await over.promise;
    await served.closed;
    expect(sent.length).toBe(before);
  });

  test("a turn that hangs gets a second, then its session is closed", async () => {
    vi.useFakeTimers();
    const closeSession = vi.fn();
    const { client, sessionId, served } = await open({
      prompt: () => new Promise<undefined>(() => undefined),
      closeSession,
    });
    client.prompt(sessionId);
    await vi.advanceTimersByTimeAsync(0);
    await client.close();
    await vi.advanceTimersByTimeAsync(999);
    expect(closeSession).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(closeSession).toHaveBeenCalledTimes(1);
    await served.closed;
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a clean-up that hangs holds closed for the grace", async () => {
    vi.useFakeTimers();
    const { client, served } = await open({ closeSession: () => new Promise<void>(() => undefined) });
    const closed = vi.fn();
    void served.closed.then(closed);
    await client.close();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(closed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(closed).toHaveBeenCalled();
  });

  test("a clean-up is waited for where there is no limit", async () => {
    vi.useFakeTimers();
    const cleaned = gate();
    const { client, served } = await open(
      { closeSession: () => cleaned.promise },
      { cancelGraceMs: Number.POSITIVE_INFINITY },
    );
    const closed = vi.fn();
    void served.closed.then(closed);
    await client.close();
    await vi.advanceTimersByTimeAsync(100_000_000);
    expect(closed).not.toHaveBeenCalled();
    cleaned.open();
    await served.closed;
  });

  test("clean-ups that fail are reported, one by one, also when the hook throws", async () => {
    const reported: unknown[] = [];
    const { client, served } = await open(
      {
        closeSession() {
          throw new Error("disk full");
        },
      },
      {
        onDiagnostic({ code }) {
          reported.push(code);
          throw new Error("broken hook");
        },
      },
    );
    await client.newSession();
    await client.close();
    await served.closed;
    expect(reported).toEqual(["listener_failed", "listener_failed"]);
  });

  test("a session that was being opened hears it, and what its handler made is cleaned up", async () => {
    const made = gate();
    const story: string[] = [];
    const { client, served } = await connect({
      async newSession(_, session) {
        made.open();
        await aborted(session.signal);
        session.setTitle("nobody hears this");
        story.push("made");
      },
      closeSession: () => void story.push("closed"),
    });
    client.send({ id: "n", method: "session/new", params: { cwd: "/w", mcpServers: [] } });
    await made.promise;
    await client.close();
    await served.closed;
    expect(story).toEqual(["made", "closed"]);
  });

  test.each(["newSession", "restoreSession", "prompt", "setConfigOption", "closeSession", "login", "extension"])(
    "an error of %s that comes after it is nobody's",
    async (name) => {
      const began = gate();
      const late = gate();
      const fail = async () => {
        began.open();
        await late.promise;
        throw new Error("late");
      };
      const option = { configId: "fast", name: "Fast", type: "boolean", currentValue: false } as const;
      let first = true;
      const { client, sessionId, served } = await open({
        newSession() {
          if (name === "newSession" && !first) return fail();
          first = false;
          return { configOptions: [option] };
        },
        prompt: fail,
        restoreSession: fail,
        setConfigOption: fail,
        ...(name === "closeSession" && { closeSession: fail }),
        authMethods: [{ type: "agent", methodId: "web", name: "Web" }],
        login: fail,
        extensions: { "_test/x": fail },
      });
      const place = { cwd: "/w", mcpServers: [] };
      const calls: Record<string, () => void> = {
        newSession: () => void client.request("session/new", place),
        restoreSession: () => void client.request("session/load", { ...place, sessionId: "s-0" }),
        prompt: () => void client.prompt(sessionId),
        setConfigOption: () => {
          const params = { sessionId, configId: "fast", type: "boolean", value: true };
          void client.request("session/set_config_option", params);
          client.prompt(sessionId);
          void client.request("session/close", { sessionId });
        },
        closeSession: () => void client.request("session/close", { sessionId }),
        login: () => void client.request("authenticate", { methodId: "web" }),
        extension: () => void client.request("_test/x"),
      };
      calls[name]?.();
      await began.promise;
      await client.close();
      late.open();
      await served.closed;
    },
  );

  test("sessions of a connection that ended say nothing and ask nothing", async () => {
    let session: AgentSession | undefined;
    const { client, served } = await open({
      newSession: (_, opened) => {
        session = opened;
      },
    });
    await client.close();
    await served.closed;
    expect(session?.signal.aborted).toBe(true);
    expect(session?.setTitle("late")).toBeUndefined();
  });
});

describe("Served.close", () => {
  test("cancels all turns, answers them, then closes", async () => {
    const { client, sessionId, served } = await open({
      async prompt(turn) {
        turn.say("running");
        await aborted(turn.signal);
        turn.say("last words");
      },
    });
    const prompts = [client.prompt(sessionId), client.prompt(sessionId), client.prompt(await client.newSession())];
    await client.update("agent_message_chunk", 1);
    await served.close();
    expect(await served.closed).toMatchObject({ kind: "local" });
    await client.channel.closed;
    for (const id of prompts) expect((await client.answer(id)).result).toEqual({ stopReason: "cancelled" });
    expect(client.text).toBe("runningrunninglast wordslast words");
  });

  test("a session that is opened meanwhile is not handed out, and cleaned up", async () => {
    const made = gate();
    const stops = gate();
    const closeSession = vi.fn();
    let first = true;
    const { client, sessionId, served } = await open({
      newSession() {
        if (!first) return made.promise;
        first = false;
      },
      prompt: () => stops.promise,
      closeSession,
    });
    client.prompt(sessionId);
    client.send({ id: "new", method: "session/new", params: { cwd: "/w", mcpServers: [] } });
    await setImmediate();
    const closed = served.close();
    await setImmediate();
    made.open();
    expect((await client.answer("new")).error).toMatchObject({ code: -32002 });
    stops.open();
    await closed;
    expect(closeSession).toHaveBeenCalledTimes(2);
  });

  test("of a session whose opening is refused, whatever the moment, the client hears nothing", async () => {
    for (let moment = 0; moment < 40; moment++) {
      const made = gate();
      const stops = gate();
      let first = true;
      const { client, sessionId, served } = await open({
        newSession(_, session) {
          if (!first) {
            session.setTitle("held");
            return made.promise;
          }
          first = false;
        },
        prompt: () => stops.promise,
      });
      client.prompt(sessionId);
      await setImmediate();
      const closed = served.close();
      await setImmediate();
      client.send({ id: "new", method: "session/new", params: { cwd: "/w", mcpServers: [] } });
      await setImmediate();
      stops.open();
      for (let tick = 0; tick < moment; tick++) await Promise.resolve();
      made.open();
      await closed;
      const answer = await client.answer("new");
      const heard = client.received.filter(({ params }) => params?.update && params.sessionId !== sessionId);
      expect("error" in answer ? heard : [], `moment ${moment}`).toEqual([]);
    }
  });

  test("a prompt that comes meanwhile is cancelled, and no handler runs for it", async () => {
    const stops = gate();
    const begun: string[] = [];
    const { client, sessionId, served } = await open({
      prompt: async (turn) => {
        begun.push((turn.prompt[0] as { text: string }).text);
        await stops.promise;
      },
    });
    const running = client.prompt(sessionId, "before");
    await setImmediate();
    const closed = served.close();
    await setImmediate();
    const late = client.prompt(sessionId, "meanwhile");
    await setImmediate();
    stops.open();
    await closed;
    for (const id of [running, late]) expect((await client.answer(id)).result).toEqual({ stopReason: "cancelled" });
    expect(begun).toEqual(["before"]);
  });

  test("gives turns as long as it is told", async () => {
    vi.useFakeTimers();
    const handler = (_: Turn) => new Promise<undefined>(() => undefined);
    const { client, sessionId, served } = await open({ prompt: handler });
    const prompt = client.prompt(sessionId);
    await vi.advanceTimersByTimeAsync(0);
    client.cancel(sessionId);
    await vi.advanceTimersByTimeAsync(0);
    const closed = served.close(100);
    await vi.advanceTimersByTimeAsync(100);
    await closed;
    expect((await client.answer(prompt)).result).toEqual({ stopReason: "cancelled" });
  });

  test("may be called twice, and by using", async () => {
    const { served } = await connect({});
    await Promise.all([served.close(), served.close(), served[Symbol.asyncDispose]()]);
    await served.close();
  });
});
