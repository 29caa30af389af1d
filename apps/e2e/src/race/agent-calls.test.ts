import { createAgent } from "@turnkit/agent";
import type { DialectName } from "@turnkit/session";
import { createGate, createRawPeer, type Gate, installManualClock } from "@turnkit/testing";
import { createMemoryPair } from "@turnkit/transport/channels";
import { describe, test } from "vitest";
import { hellos } from "../hostile/hostile-frames.js";
import { type Actor, hold, runSchedules, type Schedule } from "./schedule.js";

const option = { configId: "fast", name: "Fast", type: "boolean", currentValue: false } as const;

/** Our agent with two sessions: its choices take their time or ask the client, its turns end by themselves. */
async function stageCalls(schedule: Schedule, waitingCalls: number) {
  const { random } = schedule;
  const dialect = random.pick<DialectName>(["v1", "v2", "seed"]);
  const [channel, end] = createMemoryPair();
  const peer = createRawPeer(end, { patienceMs: Number.POSITIVE_INFINITY });
  const slow: Gate[] = [];
  const running = new Map<string, number>();
  const ended = new Map<string, number>();
  const log: string[] = [];
  const serially = async (id: string, what: string, work: () => Promise<unknown>) => {
    hold((running.get(id) ?? 0) === 0, "one call of a session runs at a time", id, what, log);
    running.set(id, 1);
    log.push(`${id} ${what}`);
    try {
      await work();
    } finally {
      running.set(id, 0);
      ended.set(id, (ended.get(id) ?? 0) + 1);
    }
  };
  const agent = createAgent({
    info: { name: "racer", version: "1.0.0" },
    newSession: () => ({ configOptions: [option] }),
    setConfigOption: (session) =>
      serially(session.id, "choice", async () => {
        if (random.chance(0.4)) await session.client.request("_ask", {});
        else if (random.chance(0.5)) {
          const gate = createGate();
          slow.push(gate);
          await gate.opened;
        }
      }),
    async prompt(turn) {
      const [block] = turn.prompt;
      const { id } = turn.session;
      const step = `${id} ${block?.type === "text" ? block.text : ""}`;
      const before = schedule.story
        .slice(0, schedule.story.indexOf(step))
        .filter((one) => one.startsWith(`${id} choice`));
      hold((ended.get(id) ?? 0) >= before.length, "a prompt starts when the choices before it have ended", step, log);
      log.push(step);
    },
    extensions: { "_example.com/echo": () => ({}) },
  });
  agent.serve(channel, { limits: { waitingMessages: 2, waitingCalls } });
  await peer.request("initialize", hellos[dialect]);
  const sessions: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    const { result } = await peer.request("session/new", { cwd: "/work", mcpServers: [] });
    sessions.push((result as { sessionId: string }).sessionId);
  }
  return { dialect, peer, sessions, slow, log };
}

type Stage = Awaited<ReturnType<typeof stageCalls>>;

const answerOf = ({ peer }: Stage, id: string) =>
  peer.received.filter((frame) => frame.id === id && !("method" in frame));

/** Choices and prompts of one session, each with an id that says which. */
const calls = ({ peer }: Stage, sessionId: string, { random }: Schedule): Actor =>
  Array.from({ length: 5 }, (_, n) => {
    const isPrompt = random.chance(0.5);
    const id = `${sessionId} ${isPrompt ? "prompt" : "choice"} ${n}`;
    const choice = { configId: "fast", type: "boolean", value: true };
    const prompt = { prompt: [{ type: "text", text: `prompt ${n}` }] };
    const method = isPrompt ? "session/prompt" : "session/set_config_option";
    return {
      name: id,
      run: () => peer.send({ id, method, params: { sessionId, ...(isPrompt ? prompt : choice) } }),
    };
  });

/** The client answers what it is asked, and slow choices come to an end. */
const others = ({ peer, slow }: Stage): readonly Actor[] => [
  Array.from({ length: 10 }, (_, n) => ({
    name: `client answers ${n}`,
    when: () => asked(peer.received, n) !== undefined,
    run: () => peer.answer(asked(peer.received, n) as { id: number }, {}),
  })),
  Array.from({ length: 10 }, (_, n) => ({
    name: `slow ${n} ends`,
    when: () => slow[n] !== undefined,
    run: () => slow[n]?.open(),
  })),
];

const asked = (received: Stage["peer"]["received"], n: number) => received.filter(({ method }) => method === "_ask")[n];

describe("choices and prompts of two sessions, at a small budget, in any order", () => {
  test("run one after the other in the order of their receipt, and each is answered once", async () => {
    await runSchedules(async (schedule) => {
      using clock = installManualClock();
      const stage = await stageCalls(schedule, 100);
      await schedule.run([...stage.sessions.map((id) => calls(stage, id, schedule)), ...others(stage)]);
      await schedule.settle(clock);
      for (const id of stage.sessions) {
        const sent = schedule.story.filter((step) => step.startsWith(id));
        const prompts = (lines: readonly string[]) => lines.filter((line) => line.startsWith(`${id} prompt`)).join();
        hold(prompts(stage.log) === prompts(sent), "prompts run in the order of receipt", stage.log, sent);
        for (const step of sent) hold(answerOf(stage, step).length === 1, "one answer", step);
      }
    });
  }, 120_000);

  test("are refused where the store of what waits is full, and never hold up what needs no session", async () => {
    await runSchedules(async (schedule) => {
      using clock = installManualClock();
      const stage = await stageCalls(schedule, 2);
      const echo = [0, 1, 2].map((n) => ({
        name: `echo ${n}`,
        run: () => {
          stage.peer.send({ id: `echo ${n}`, method: "_example.com/echo", params: {} });
        },
      }));
      const echoed = [0, 1, 2].map((n) => ({
        name: `echoed ${n}`,
        when: () => answerOf(stage, `echo ${n}`).length === 1,
        run: () => undefined,
      }));
      const sends = stage.sessions.map((id) => calls(stage, id, schedule));
      // Nobody lets slow calls end, or answers, before all echoes are back.
      const later = others(stage).map((actor) =>
        actor.map((step) => ({ ...step, when: () => schedule.story.includes("echoed 2") && (step.when?.() ?? true) })),
      );
      await schedule.run([...sends, echo, echoed, ...later]);
      await schedule.settle(clock);
      hold(schedule.story.includes("echoed 2"), "reading goes on while calls wait");
      for (const step of schedule.story.filter((one) => stage.sessions.some((id) => one.startsWith(id)))) {
        const [answer, ...more] = answerOf(stage, step);
        hold(answer !== undefined && more.length === 0, "one answer", step);
        const { error } = answer ?? {};
        hold(error === undefined || error.code === -32603, "refused as too much", step, error);
      }
    });
  }, 120_000);

  test("cancels reach every prompt received so far, whatever waits before it", async () => {
    await runSchedules(async (schedule) => {
      using clock = installManualClock();
      const stage = await stageCalls(schedule, 100);
      const [sessionId = ""] = stage.sessions;
      const ranAtCancel: number[] = [];
      const cancel = {
        name: "cancel",
        run: () => {
          ranAtCancel.push(stage.log.filter((line) => line.includes("prompt")).length);
          stage.peer.notify("session/cancel", { sessionId });
        },
      };
      await schedule.run([calls(stage, sessionId, schedule), [cancel], ...others(stage)]);
      await schedule.settle(clock);
      const { story } = schedule;
      const before = story.slice(0, story.indexOf("cancel")).filter((step) => step.includes(" prompt "));
      for (const step of story.filter((one) => one.startsWith(sessionId))) {
        hold(answerOf(stage, step).length === 1, "one answer", step);
      }
      const ran = stage.log.filter((line) => before.includes(line)).length;
      hold(
        ran <= (ranAtCancel[0] ?? 0) + 1,
        "a prompt that was cancelled before it began does not run",
        ran,
        ranAtCancel,
      );
    });
  }, 120_000);
});
