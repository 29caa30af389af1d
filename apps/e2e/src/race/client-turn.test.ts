import type { ClientOptions, PermissionDecision, SessionEvent, Turn } from "@turnkit/client";
import { createGate, type Frame, installManualClock } from "@turnkit/testing";
import { describe, test } from "vitest";
import { type ClientStage, sessionId, stageSession, watchTurn } from "./client-stage.js";
import { type Actor, hold, runSchedules, type Schedule } from "./schedule.js";

const texts = ["p1", "p2", "p3"] as const;
const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];

type Policy = NonNullable<ClientOptions["whilePrompting"]>;
type Watched = { readonly turn: Turn; readonly seen: ReturnType<typeof watchTurn> };

describe.each<Policy>(["queue", "reject", "replace"])("a client's turns, where prompts %s", (whilePrompting) => {
  test("prompts, updates, questions, ends, cancels, time, closing and death in any order", async () => {
    await runSchedules(async (schedule) => {
      using clock = installManualClock();
      const { random } = schedule;
      const events: SessionEvent[] = [];
      const decided = createGate();
      const permissions = async (): Promise<PermissionDecision> => {
        await decided.opened;
        return { outcome: "selected", optionId: "yes" };
      };
      const stage = await stageSession(schedule, { whilePrompting, permissions }, (event) => void events.push(event));
      const { session, client } = stage;
      const turns: Watched[] = [];
      let rejected = 0;
      const prompt = (text: string) => {
        const isOpen = turns.some(({ seen, turn }) => seen.ends.length === 0 && turn !== undefined);
        try {
          const turn = session.prompt(text);
          turns.push({ turn, seen: watchTurn(schedule, text, turn) });
        } catch (error) {
          hold(whilePrompting === "reject" && isOpen, "only a busy session rejects", String(error));
          rejected++;
        }
      };
      const cancel = () =>
        void schedule.mustSettle(
          "cancel",
          (turns[0] as Watched).turn.cancel().catch(() => undefined),
        );
      const end = endings(stage, () => session.close(), schedule);
      await schedule.run([
        texts.map((text) => ({ name: `prompt ${text}`, run: () => prompt(text) })),
        ...texts.map((_, n) => agentTurn(stage, n, schedule)),
        random.chance(0.6)
          ? ["cancel", "cancel again"].map((name) => ({ name, when: () => turns.length > 0, run: cancel }))
          : [],
        random.chance(0.2)
          ? [{ name: "cancel all", run: () => void schedule.mustSettle("cancel all", session.cancel()) }]
          : [],
        random.chance(0.7) ? [{ name: "the person allows", run: () => decided.open() }] : [],
        random.chance(0.2) ? [{ name: "31 s pass", run: () => clock.advance(31_000) }] : [],
        closeAnswers(stage),
        end,
      ]);
      void schedule.mustSettle("client.close", client.close());
      void schedule.mustSettle("closed", client.closed);
      await schedule.settle(clock);
      for (const { seen } of turns) {
        hold(seen.ends.length === 1, "a turn ends once", seen);
        hold(seen.afterEnd === 0, "a loop hears nothing after the end", seen);
      }
      hold(turns.length + rejected === texts.length, "each prompt is a turn or refused");
      holdEvents(events, stage);
      holdQuestions(stage);
      holdCancels(events, stage);
      const { pendingPermissions, activity, closed } = session.state;
      hold(closed && pendingPermissions.length === 0, "nothing is left open", pendingPermissions, activity);
    });
  }, 120_000);
});

/** Returns the actor for the n-th prompt of the agent: an end, an error, or the end of a cancelled turn. */
function agentTurn(stage: ClientStage, n: number, { random }: Schedule): Actor {
  const prompt = () => stage.calls("session/prompt")[n];
  const got = () => prompt() !== undefined;
  const how = random.pick(["end_turn", "cancelled", "error", "max_tokens"]);
  const question = { id: `q${n}`, method: "session/request_permission", params: { sessionId, options, ...about } };
  const ask = { name: `agent asks in ${n + 1}`, when: got, run: () => stage.peer.send(question) };
  const withdraw = {
    name: `agent withdraws the question of ${n + 1}`,
    run: () => stage.peer.notify("$/cancel_request", { requestId: `q${n}` }),
  };
  const say = (text: string) => ({ name: `agent says ${text} in ${n + 1}`, when: got, run: () => stage.say(text) });
  const end = { name: `agent ends ${n + 1} as ${how}`, when: got, run: () => stage.finish(prompt() as Frame, how) };
  const middle = [say("one"), ask, ...(random.chance(0.3) ? [withdraw] : []), say("two")];
  if (stage.dialect !== "v2" || how === "error") return [...middle, end, say("late")];
  const state = (state: string) => ({ sessionUpdate: "state_update", state, background: [] });
  return [
    {
      name: `agent takes ${n + 1}`,
      when: got,
      run: () => {
        stage.update({ sessionUpdate: "user_message", messageId: `u${n}`, content: [{ type: "text", text: "p" }] });
        stage.update(state("running"));
        stage.peer.answer(prompt() as Frame, { messageId: `u${n}` });
      },
    },
    ...middle,
    { name: `agent is idle as ${how}`, run: () => stage.update({ ...state("idle"), stopReason: how }) },
    say("late"),
  ];
}

/** Enough for the question of every dialect. */
const about = {
  title: "May I?",
  toolCall: { toolCallId: "t", title: "Edit" },
  subject: { type: "command", command: "ls", cwd: "/work" },
};

/** At random nothing ends it, or one of the two sides ends the session or the connection. */
function endings({ client, peer }: ClientStage, closeSession: () => Promise<void>, schedule: Schedule): Actor {
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    "close the session": closeSession,
    "close the connection": () => client.close(),
    "the agent dies": () => peer.close(),
  };
  const name = schedule.random.pick(["nothing", ...Object.keys(ways)] as [string, ...string[]]);
  const way = ways[name];
  if (way === undefined) return [];
  return [
    {
      name,
      run: () =>
        void schedule.mustSettle(
          name,
          way().catch(() => undefined),
        ),
    },
  ];
}

/** The agent answers a close at some time, perhaps with an error. */
function closeAnswers(stage: ClientStage): Actor {
  const asked = () => stage.calls("session/close")[0];
  const run = () => stage.peer.answer(asked() as Frame, {});
  return [{ name: "the close is answered", when: () => asked() !== undefined, run }];
}

function holdEvents(events: readonly SessionEvent[], { dialect }: ClientStage): void {
  const closedAt = events.findIndex(({ type }) => type === "session_closed");
  hold(closedAt === events.length - 1, "the end of the session is told last", events.slice(closedAt));
  const ids = events.flatMap((event) => (event.type === "prompt_sent" ? [event.promptId] : []));
  hold(ids.join() === [...ids].sort().join(), "prompts are sent in their order", ids);
  for (const id of ids) {
    const own = events.filter((event) => "promptId" in event && event.promptId === id);
    const count = (type: string) => own.filter((event) => event.type === type).length;
    hold(count("turn_ended") === count("turn_started"), `${id} ends as often as it starts`, own);
    hold(count("turn_started") <= 1 && count("prompt_failed") <= 1, `${id} starts and fails once`, own);
    // A prompt that an agent of version 2 held and gave back began no turn.
    hold(count("turn_ended") === 1 || (dialect === "v2" && count("prompt_failed") === 1), `one end of ${id}`, own);
  }
}

/** Each question has one answer at most. */
function holdQuestions({ peer }: ClientStage): void {
  texts.forEach((_, n) => {
    const answers = peer.received.filter((frame) => frame.id === `q${n}` && !("method" in frame));
    hold(answers.length <= 1, "a question has one answer at most", answers);
  });
}

/** From a cancel until the end of the work nothing is allowed any more. */
function holdCancels(events: readonly SessionEvent[], { dialect }: ClientStage): void {
  // In version 2 work may go on in the background, and keeps its questions.
  if (dialect === "v2") return;
  let isOpen = false;
  let isCancelled = false;
  for (const event of events) {
    if (event.type === "turn_started") isOpen = true;
    if (event.type === "turn_ended") isOpen = isCancelled = false;
    if (event.type === "cancel_asked") isCancelled = isOpen;
    if (event.type !== "permission_answered" || !isCancelled) continue;
    hold(event.outcome.outcome === "cancelled", "nothing is allowed after a cancel", event);
  }
}
