import type { ClientOptions, PermissionDecision, Session, SessionEvent, Turn } from "@turnkit/client";
import { createGate, type Frame, type Gate, installManualClock } from "@turnkit/testing";
import { describe, test } from "vitest";
import { type ClientStage, sessionId, stageSession } from "./client-stage.js";
import { type Actor, hold, runSchedules, type Schedule } from "./schedule.js";

const permissions: ClientOptions["permissions"] = () => ({ outcome: "selected", optionId: "yes" });

const textOf = (event: SessionEvent): string | undefined =>
  event.type === "agent_message_chunk" && event.content.type === "text" ? event.content.text : undefined;

/** A question that every dialect reads. */
const question = (id: string, of: string) => ({
  id,
  method: "session/request_permission",
  params: {
    sessionId: of,
    options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
    title: "May I?",
    toolCall: { toolCallId: "t", title: "Edit" },
    subject: { type: "command", command: "ls", cwd: "/work" },
  },
});

const isAnswered = ({ peer }: ClientStage, id: string): boolean =>
  peer.received.some((frame) => frame.id === id && !("method" in frame));

/** The agent answers every request of a listener; at random it first asks something itself and waits for the answer. */
function answering(
  stage: ClientStage,
  { random }: Schedule,
  {
    count,
    of,
    answered = new Set(),
    onQuestion,
  }: { count: number; of: readonly string[]; answered?: Set<Frame>; onQuestion?: () => void },
): Actor {
  const asked = (n: number) => stage.calls("_ask")[n];
  return Array.from({ length: count }, (_, n) => {
    const id = random.chance(0.5) ? `for ${n}` : undefined;
    const where = of[random.below(of.length)] as string;
    return [
      {
        name: `agent looks at ask ${n}`,
        when: () => asked(n) !== undefined,
        run() {
          if (id === undefined) return;
          stage.peer.send(question(id, where));
          onQuestion?.();
        },
      },
      {
        name: `agent answers ask ${n}`,
        when: () => id === undefined || isAnswered(stage, id),
        run: () => {
          answered.add(asked(n) as Frame);
          stage.peer.answer(asked(n) as Frame, {});
        },
      },
    ];
  }).flat();
}

/** From now on every request of a listener is answered at once, the open ones too. */
function answerRest(stage: ClientStage, answered: ReadonlySet<Frame>): void {
  for (const frame of stage.calls("_ask")) if (!answered.has(frame)) stage.peer.answer(frame, {});
  stage.peer.onFrame((frame) => void (frame.method === "_ask" && stage.peer.answer(frame, {})));
}

describe("listeners that ask, questions of the agent, and updates in any order", () => {
  test.each([
    ["with room", 1_000],
    ["at the budget", 3],
  ])(
    "start in the order of the wire, and nothing waits for ever (%s)",
    async (_, waitingMessages) => {
      await runSchedules(async (schedule) => {
        using clock = installManualClock();
        const { random } = schedule;
        const log: string[] = [];
        const slow: Gate[] = [];
        let asking = 0;
        let asks = 0;
        let running = 0;
        const listener = async (event: SessionEvent) => {
          const text = textOf(event);
          if (text === undefined) return;
          hold(running === 0 || asking > 0 || waitingMessages === 3, "listeners are awaited one after the other", log);
          log.push(text);
          running += 1;
          const manner = random.below(4);
          if (manner === 1 && asks < 4) {
            asks += 1;
            asking += 1;
            await stage.client.request("_ask", {});
            asking -= 1;
          }
          if (manner === 2) {
            const gate = createGate();
            slow.push(gate);
            await gate.opened;
          }
          running -= 1;
        };
        const reported = (): PermissionDecision => {
          log.push("question");
          return { outcome: "selected", optionId: "yes" };
        };
        const options = { permissions: reported, limits: { waitingMessages } };
        const stage = await stageSession(schedule, options, listener as (event: SessionEvent) => void);
        const own = random.below(3);
        let questions = own;
        await schedule.run([
          Array.from({ length: 8 }, (_, n) => ({ name: `say ${n}`, run: () => stage.say(String(n)) })),
          Array.from({ length: own }, (_, n) => ({
            name: `agent asks ${n}`,
            run: () => stage.peer.send(question(`q${n}`, sessionId)),
          })),
          answering(stage, schedule, { count: 4, of: [sessionId], onQuestion: () => (questions += 1) }),
          Array.from({ length: 8 }, (_, n) => ({
            name: `slow ${n} ends`,
            when: () => slow[n] !== undefined,
            run: () => slow[n]?.open(),
          })),
          [],
        ]);
        void schedule.mustSettle("the last word", wordOf(stage, log));
        await schedule.settle(clock);
        const words = log.filter((word) => word !== "question");
        hold(words.join() === "0,1,2,3,4,5,6,7", "listeners start in the order of the wire", words);
        const answers = stage.peer.received.filter(
          ({ method, id }) => method === undefined && /^(q|for)/.test(String(id)),
        );
        hold(answers.length === questions, "every question is answered", answers.length, questions);
      });
    },
    120_000,
  );
});

/** Settles when the listener heard the last of the updates. */
async function wordOf({ session }: ClientStage & { session: Session }, log: readonly string[]): Promise<void> {
  for (;;) {
    if (log.includes("7")) return;
    await new Promise<void>((resolve) => {
      const stop = session.onEvent(() => {
        stop();
        resolve();
      });
    });
  }
}

describe("several sessions at the budget", () => {
  test("listeners that ask, and that wait for each other's turns: every turn ends, and nobody is skipped", async () => {
    await runSchedules(async (schedule) => {
      using clock = installManualClock();
      const { random } = schedule;
      const heard: Record<string, string[]> = { "s-1": [], "s-2": [], "s-3": [] };
      const turns = new Map<string, Turn>();
      const answered = new Set<Frame>();
      let asks = 0;
      const listener = (id: string, awaits: string | undefined) => async (event: SessionEvent) => {
        const text = textOf(event);
        if (text === undefined) return;
        heard[id]?.push(text);
        if (random.chance(0.2) && asks < 3) {
          asks += 1;
          await stage.client.request("_ask", {});
        }
        if (awaits !== undefined && random.chance(0.3)) await turns.get(awaits)?.ended;
      };
      const options = { permissions, limits: { waitingMessages: 3 } };
      // A waits for B, B for C: never in a ring, which nobody could end.
      const stage = await stageSession(schedule, options, listener("s-1", "s-2") as (event: SessionEvent) => void);
      const sessions = [stage.session];
      for (const id of ["s-2", "s-3"]) {
        const waitsFor = id === "s-2" ? "s-3" : undefined;
        const opening = stage.client.newSession(
          { cwd: "/work" },
          listener(id, waitsFor) as (event: SessionEvent) => void,
        );
        const { length } = sessions;
        stage.peer.answer((await stage.peer.call("session/new")) as Frame, { sessionId: `s-${length + 1}` });
        sessions.push(await opening);
      }
      for (const session of sessions) {
        const turn = session.prompt("go");
        turns.set(session.id, turn);
        void schedule.mustSettle(`the turn of ${session.id}`, turn.ended);
      }
      const prompts = () => stage.calls("session/prompt");
      await schedule.run([
        ...sessions.map(({ id }, n): Actor => {
          const says = Array.from({ length: 6 }, (_, word) => ({
            name: `${id} says ${word}`,
            when: () => prompts()[n] !== undefined,
            run: () => stage.say(String(word), id),
          }));
          return [
            {
              name: `${id} begins`,
              when: () => prompts()[n] !== undefined,
              run: () => beginTurn(stage, id, prompts()[n]),
            },
            ...says,
            { name: `${id} ends`, run: () => endTurn(stage, id, prompts()[n] as Frame) },
          ];
        }),
        answering(stage, schedule, { count: 3, of: ["s-1", "s-2", "s-3"], answered }),
      ]);
      answerRest(stage, answered);
      await schedule.settle(clock);
      for (const [id, words] of Object.entries(heard)) {
        hold(words.join() === "0,1,2,3,4,5", "listeners hear everything in order", id, words);
      }
    });
  }, 120_000);
});

/** Version 2 answers a prompt when it takes it, and says what it does by its state. */
function beginTurn({ dialect, peer, update }: ClientStage, id: string, prompt: Frame | undefined): void {
  if (dialect !== "v2" || prompt === undefined) return;
  peer.answer(prompt, { messageId: `u-${id}` });
  update({ sessionUpdate: "state_update", state: "running" }, id);
}

function endTurn({ dialect, peer, update }: ClientStage, id: string, prompt: Frame): void {
  if (dialect === "v2") update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" }, id);
  else peer.answer(prompt, { stopReason: "end_turn" });
}

describe("cancels beside listeners that ask, and questions of the agent", () => {
  test("every turn ends once, every question is answered once, and the agent hears of the cancel", async () => {
    await runSchedules(async (schedule) => {
      using clock = installManualClock();
      const { random } = schedule;
      let asks = 0;
      let ends = 0;
      const stage = await stageSession(schedule, { permissions, limits: { waitingMessages: 4 } }, (async (
        event: SessionEvent,
      ) => {
        if (event.type === "turn_ended") ends += 1;
        if (textOf(event) === undefined || asks >= 3 || random.chance(0.5)) return;
        asks += 1;
        await stage.client.request("_ask", {});
      }) as (event: SessionEvent) => void);
      const { session } = stage;
      const turn = session.prompt("go");
      void schedule.mustSettle("the turn", turn.ended);
      const prompt = (await stage.peer.call("session/prompt")) as Frame;
      beginTurn(stage, sessionId, prompt);
      const obeys = random.chance(0.7);
      await schedule.run([
        Array.from({ length: 6 }, (_, n) => ({ name: `say ${n}`, run: () => stage.say(String(n)) })),
        [0, 1].map((n) => ({ name: `agent asks ${n}`, run: () => stage.peer.send(question(`q${n}`, sessionId)) })),
        answering(stage, schedule, { count: 3, of: [sessionId] }),
        [
          {
            name: "cancel",
            run: () =>
              void schedule.mustSettle<unknown>("cancel", random.chance(0.5) ? turn.cancel() : session.cancel()),
          },
          {
            name: "agent ends",
            when: () => obeys && stage.calls("session/cancel").length > 0,
            run: () => {
              if (stage.dialect !== "v2") stage.peer.answer(prompt, { stopReason: "cancelled" });
              else stage.update({ sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" });
            },
          },
        ],
      ]);
      await schedule.settle(clock);
      hold(stage.calls("session/cancel").length === 1, "the agent hears of the cancel once");
      hold(ends === 1, "the turn ends once", ends);
      for (const id of ["q0", "q1"]) hold(isAnswered(stage, id), "every question is answered", id);
    });
  }, 120_000);
});
