import { type ClientOptions, createFileHandlers, type Session, type SessionEvent } from "@turnkit/client";
import { createGate, type Frame, installManualClock } from "@turnkit/testing";
import type { Diagnostic } from "@turnkit/transport";
import { describe, expect, test } from "vitest";
import { arrive, bySteps, type ClientStage, dialects, question, sessionId, stageSession } from "./stage.js";

const permissions: ClientOptions["permissions"] = () => ({ outcome: "selected", optionId: "yes" });

const textOf = (event: SessionEvent): string | undefined =>
  event.type === "agent_message_chunk" && event.content.type === "text" ? event.content.text : undefined;

/** The answer to a request of the agent. */
const answerTo = ({ peer }: ClientStage, id: string): Frame | undefined =>
  peer.received.find((frame) => frame.id === id && !("method" in frame));

/** Has a second session opened. */
async function openSecond({ client, peer }: ClientStage, onEvent?: (event: SessionEvent) => unknown): Promise<Session> {
  const opening = client.newSession({ cwd: "/work" }, onEvent as (event: SessionEvent) => void);
  peer.answer(await peer.call("session/new"), { sessionId: "s-2" });
  return opening;
}

describe.each(dialects)("a listener that awaits a request of its own (%s)", (speak) => {
  test("defect B3: a question asked meanwhile reaches the permission handler, and the request ends", async () => {
    const ended: string[] = [];
    const stage = await stageSession(bySteps(), { speak, permissions }, async (event) => {
      if (textOf(event) !== "one") return;
      await stage.client.request("_ask", {});
      ended.push("listener");
    });
    stage.say("one");
    const asked = await stage.peer.call("_ask");
    stage.peer.send({ id: "q", method: "session/request_permission", params: question(sessionId) });
    await arrive();
    expect(answerTo(stage, "q")?.result).toMatchObject({ outcome: { optionId: "yes" } });
    stage.peer.answer(asked, {});
    await arrive();
    expect(ended).toEqual(["listener"]);
  });

  test("defect B3: so it is in a loop: the question comes after the updates before it, and those after it wait", async () => {
    const heard: string[] = [];
    const stage = await stageSession(bySteps(), {
      speak,
      permissions: () => {
        heard.push("question");
        return { outcome: "selected", optionId: "yes" };
      },
    });
    const { session, peer } = stage;
    const turn = session.prompt("go");
    const prompt = await peer.call("session/prompt");
    const loop = (async () => {
      for await (const event of turn) {
        heard.push(textOf(event) ?? event.type);
        if (textOf(event) === "one") await stage.client.request("_ask", {});
      }
    })();
    if (speak === "v2") peer.answer(prompt, { messageId: "u" });
    stage.say("one");
    const asked = await peer.call("_ask");
    stage.say("two");
    peer.send({ id: "q", method: "session/request_permission", params: question(sessionId) });
    stage.say("three");
    await arrive();
    expect(answerTo(stage, "q")).toBeDefined();
    expect(heard.at(-1)).toBe("question");
    peer.answer(asked, {});
    if (speak === "v2") stage.update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    else stage.finish(prompt, "end_turn");
    await loop;
    expect(heard.filter((what) => ["one", "two", "three"].includes(what))).toEqual(["one", "two", "three"]);
  });

  test("defect B3: a question that a listener answers, not a handler, is heard although the first listener waits", async () => {
    const stage = await stageSession(bySteps(), { speak }, async (event) => {
      if (textOf(event) === "one") await stage.client.request("_ask", {});
      if (event.type === "permission_asked")
        stage.session.answer(event.requestId, { outcome: "selected", optionId: "yes" });
    });
    stage.say("one");
    await stage.peer.call("_ask");
    stage.peer.send({ id: "q", method: "session/request_permission", params: question(sessionId) });
    await arrive();
    expect(answerTo(stage, "q")?.result).toMatchObject({ outcome: { optionId: "yes" } });
  });

  test("defect B3: the listener may ask after the question came, and chain its calls to each other", async () => {
    const may = createGate();
    let chain: Promise<unknown> = Promise.resolve();
    const stage = await stageSession(bySteps(), { speak, permissions }, (event) => {
      if (textOf(event) === "one") chain = chain.then(() => may.opened).then(() => stage.client.request("_ask", {}));
      else chain = chain.then(() => undefined);
      return chain as Promise<void>;
    });
    stage.say("one");
    stage.say("two");
    stage.peer.send({ id: "q", method: "session/request_permission", params: question(sessionId) });
    await arrive();
    expect(answerTo(stage, "q")).toBeUndefined();
    may.open();
    await arrive();
    expect(answerTo(stage, "q")).toBeDefined();
  });

  test("defect B3: it may await the end of a turn of another session that it began", async () => {
    const stage = await stageSession(bySteps(), { speak, permissions }, async (event) => {
      if (textOf(event) === "one") await other.prompt("go").ended;
    });
    const other = await openSecond(stage);
    stage.say("one");
    const prompt = await stage.peer.call("session/prompt");
    if (speak === "v2") stage.peer.answer(prompt, { messageId: "u" });
    await arrive();
    stage.peer.send({ id: "q", method: "session/request_permission", params: question(sessionId) });
    await arrive();
    expect(answerTo(stage, "q")).toBeDefined();
  });

  test("a listener that asked nothing is awaited before the question and before the next listener", async () => {
    const slow = createGate();
    const heard: string[] = [];
    const stage = await stageSession(bySteps(), { speak, permissions: () => void heard.push("question") }, (event) => {
      const text = textOf(event);
      if (text !== undefined) heard.push(text);
      return text === "one" ? (slow.opened as Promise<void>) : undefined;
    });
    // A request of before does not count.
    void stage.client.request("_ask", {}).catch(() => undefined);
    stage.say("one");
    stage.say("two");
    stage.peer.send({ id: "q", method: "session/request_permission", params: question(sessionId) });
    await arrive();
    expect(heard).toEqual(["one"]);
    slow.open();
    await arrive();
    expect(heard).toEqual(["one", "two", "question"]);
  });
});

test("defect B3: a file that the agent reads while it serves a listener's request is read", async () => {
  const files = createFileHandlers({ readTextFile: async () => "content" });
  const stage = await stageSession(bySteps(), { speak: "v1", files }, async (event) => {
    if (textOf(event) === "one") await stage.session.setConfigOption("fast", true);
  });
  stage.update({
    sessionUpdate: "config_option_update",
    configOptions: [{ id: "fast", name: "Fast", type: "boolean", currentValue: false }],
  });
  stage.say("one");
  const choice = await stage.peer.call("session/set_config_option");
  const read = await stage.peer.request("fs/read_text_file", { sessionId, path: "/work/a" });
  expect(read.result).toEqual({ content: "content" });
  stage.peer.answer(choice, { configOptions: [] });
  await arrive();
});

describe.each(dialects)("listeners that wait for each other across sessions (%s)", (speak) => {
  /** A's listener, at its first piece, awaits a turn of B that was begun before; A's agent streams on. */
  async function stuck(isEach: boolean, count: number) {
    const reports: Diagnostic[] = [];
    const heard: string[] = [];
    let end: Promise<unknown> | undefined;
    const stage = await stageSession(
      bySteps(),
      { speak, limits: { waitingMessages: 50 }, onDiagnostic: (report) => void reports.push(report) },
      async function waitForB(event) {
        const text = textOf(event);
        if (text === undefined) return;
        heard.push(text);
        if (isEach || text === "0") await end;
      },
    );
    const other = await openSecond(stage);
    const turn = other.prompt("go");
    end = turn.ended;
    const prompt = await stage.peer.call("session/prompt");
    if (speak === "v2") {
      stage.peer.answer(prompt, { messageId: "u" });
      stage.update({ sessionUpdate: "state_update", state: "running" }, "s-2");
    }
    await arrive();
    for (let n = 0; n < count; n += 1) stage.say(String(n));
    if (speak === "v2") stage.update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" }, "s-2");
    else stage.finish(prompt, "end_turn");
    return { stage, reports, heard, turn };
  }

  test.each([
    ["one of them", false],
    ["each of them", true],
  ])(
    "defect B6: reading goes on, and the listener is named within 5 s, when %s awaits another session's turn",
    async (_, isEach) => {
      using clock = installManualClock();
      const { reports, heard, turn } = await stuck(isEach, 400);
      await arrive();
      let ended = false;
      void turn.ended.then(() => {
        ended = true;
      });
      await arrive();
      expect(ended).toBe(false);
      await clock.advance(5_000);
      await arrive(20);
      expect(reports).toMatchObject([
        { code: "listener_stuck", sessionId, message: expect.stringContaining("waitForB") },
      ]);
      expect(ended).toBe(true);
      expect(heard).toEqual(Array.from({ length: 400 }, (_, n) => String(n)));
    },
  );

  test("defect B6: a question behind a listener that waits for another session is asked, and reported, within 5 s", async () => {
    using clock = installManualClock();
    const reports: Diagnostic[] = [];
    const never = createGate();
    const options = { speak, permissions, onDiagnostic: (report: Diagnostic) => void reports.push(report) };
    const stage = await stageSession(bySteps(), options, async (event) => {
      if (textOf(event) === "one") await never.opened;
    });
    stage.say("one");
    stage.peer.send({ id: "q", method: "session/request_permission", params: question(sessionId) });
    await arrive();
    expect(answerTo(stage, "q")).toBeUndefined();
    await clock.advance(5_000);
    await arrive();
    expect(answerTo(stage, "q")).toBeDefined();
    expect(reports).toMatchObject([{ code: "listener_stuck", sessionId }]);
    never.open();
  });
});

test("defect B6: what runs beside earlier listeners is bounded; beyond it reading stops until one of them ends", async () => {
  using clock = installManualClock();
  const gate = createGate();
  let running = 0;
  const stage = await stageSession(bySteps(), { speak: "v2", limits: { waitingMessages: 10 } }, async (event) => {
    if (textOf(event) === undefined) return;
    running += 1;
    await gate.opened;
  });
  for (let n = 0; n < 3_000; n += 1) stage.say(String(n));
  await clock.advance(60_000);
  await arrive(20);
  // Ten times the budget of ten, and as much again every 2 s, ten times at most.
  expect(running).toBeGreaterThan(100);
  expect(running).toBeLessThanOrEqual(1_001);
  gate.open();
  await arrive(20);
  expect(running).toBe(3_000);
});

test("defect B6: listeners that each await a request, whose answers come behind more than may run at once, all end", async () => {
  using clock = installManualClock();
  let began = 0;
  let done = 0;
  const stage = await stageSession(bySteps(), { speak: "v1", limits: { waitingMessages: 2 } }, async (event) => {
    if (textOf(event) === undefined) return;
    began += 1;
    await stage.client.request("_ask", {});
    done += 1;
  });
  stage.peer.onFrame((frame) => void (frame.method === "_ask" && stage.peer.answer(frame, {})));
  for (let n = 0; n < 100; n += 1) stage.say(String(n));
  await clock.advance(30_000);
  await arrive(50);
  expect([began, done]).toEqual([100, 100]);
});
