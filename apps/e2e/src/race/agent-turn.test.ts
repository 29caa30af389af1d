import { installManualClock } from "@turnkit/testing";
import { describe, test } from "vitest";
import { type AgentStage, type Ending, holdOutput, type Policy, stageAgent, toldOf } from "./agent-stage.js";
import { type Actor, hold, runSchedules, type Schedule, type Step } from "./schedule.js";

const prompts = ["p1", "p2", "p3"] as const;

describe.each<Policy>(["queue", "reject", "replace"])("an agent's turns, where prompts %s", (policy) => {
  test("prompts, handlers, questions, cancels, time, closing and death in any order", async () => {
    await runSchedules(async (schedule) => {
      using clock = installManualClock();
      const { random } = schedule;
      const stage = await stageAgent(schedule, policy, () => random.pick<Ending>(["end_turn", "refusal", "error"]));
      const { peer, sessionId, served, acts } = stage;
      const end = endings(stage, schedule);
      const cancel: Step = { name: "cancel", run: () => peer.notify("session/cancel", { sessionId }) };
      await schedule.run([
        prompts.map((id) => ({
          name: `prompt ${id}`,
          run: () => peer.send({ id, method: "session/prompt", params: promptOf(sessionId, id) }),
        })),
        ...prompts.map((_, n) => handler(stage, n)),
        random.chance(0.6) ? [cancel, cancel] : [],
        random.chance(0.3)
          ? [{ name: "withdraw p2", run: () => peer.notify("$/cancel_request", { requestId: "p2" }) }]
          : [],
        answers(stage),
        random.chance(0.5)
          ? [{ name: "11 s pass", when: () => acts.length > 0, run: () => clock.advance(11_000) }]
          : [],
        end.actor,
      ]);
      for (const act of acts) act.end.open();
      // Who hangs is ended by a cancel and its grace.
      if (!end.began()) peer.notify("session/cancel", { sessionId });
      await schedule.settle(clock);
      for (let round = 0; round < 4; round++) await clock.advance(20_000);
      for (const act of acts) act.end.open();
      await clock.advance(20_000);
      const alive = !end.began();
      for (const id of prompts) holdPrompt(stage, id, alive);
      if (alive) holdPolicy(stage, policy);
      void schedule.mustSettle("close", served.close());
      void schedule.mustSettle("closed", served.closed);
      await schedule.settle(clock);
      hold(stage.cleanUps() === 1, "the session is cleaned up once", stage.cleanUps());
    });
  }, 120_000);
});

function promptOf(sessionId: string, text: string): object {
  return { sessionId, prompt: [{ type: "text", text }] };
}

/** Returns the actor for the n-th turn that begins. It says something even after its turn is over. */
function handler({ acts }: AgentStage, n: number): Actor {
  const begun = () => acts[n] !== undefined;
  return [
    { name: `turn ${n + 1} says`, when: begun, run: () => acts[n]?.say("one") },
    { name: `turn ${n + 1} asks`, when: begun, run: () => acts[n]?.ask() },
    { name: `turn ${n + 1} says more`, run: () => acts[n]?.say("two") },
    { name: `turn ${n + 1} wants to end`, run: () => acts[n]?.end.open() },
    { name: `turn ${n + 1} says too late`, run: () => acts[n]?.say("three") },
    { name: `turn ${n + 1} asks too late`, run: () => acts[n]?.ask() },
  ];
}

/** The client answers every question at some time: yes, no, or with an error. */
function answers({ peer }: AgentStage): Actor {
  const questions = () => peer.received.filter(({ method }) => method === "session/request_permission");
  const outcomes = [
    { outcome: { outcome: "selected", optionId: "yes" } },
    { outcome: { outcome: "cancelled" } },
    { outcome: { outcome: "selected", optionId: "never offered" } },
  ];
  return outcomes.map((outcome, n) => ({
    name: `answer ${n + 1}`,
    when: () => questions()[n] !== undefined,
    run: () => peer.answer(questions()[n] as object, outcome),
  }));
}

/** At random nothing ends it, or the client closes the session, either side the connection. */
function endings({ peer, served, sessionId }: AgentStage, { random }: Schedule) {
  const ways: Readonly<Record<string, () => unknown>> = {
    "close the session": () => peer.ask("session/close", { sessionId }),
    "close the connection": () => void served.close(random.below(2) * 1_000),
    die: () => void peer.close(),
  };
  const name = random.pick(["nothing", "nothing", ...Object.keys(ways)] as [string, ...string[]]);
  let began = false;
  const run = () => {
    began = true;
    return ways[name]?.();
  };
  return { actor: name in ways ? [{ name, run }] : [], began: () => began };
}

function holdPrompt(stage: AgentStage, id: string, alive: boolean): void {
  const reported = toldOf(stage, id);
  hold(reported.answers.length <= 1, `one answer to ${id} at most`, reported);
  if (alive) hold(reported.end !== undefined, `${id} has an end`, reported);
  holdOutput(stage, id);
  const acts = stage.acts.filter(({ prompt }) => prompt === id);
  hold(acts.length <= 1, `${id} is answered by one handler`, acts.length);
  const [act] = acts;
  if (act === undefined || reported.end === undefined) return;
  // A cancel that came before the handler ended counts; one that came behind it may.
  if (act.cancelledAtEnd ?? act.signal.aborted)
    hold(reported.end === "cancelled", `${id} ends as cancelled`, reported, act);
  if (!act.signal.aborted) hold(reported.end !== "cancelled", `${id} was not cancelled`, reported, act);
}

function holdPolicy(stage: AgentStage, policy: Policy): void {
  const refused = prompts.filter((id) => toldOf(stage, id).end === -32600);
  if (policy !== "reject") hold(refused.length === 0, "no prompt is refused", refused);
  hold(toldOf(stage, "p1").end !== -32600, "the first prompt is not refused");
  const begun = stage.acts.map(({ prompt }) => prompt);
  hold(begun.join() === [...begun].sort().join(), "turns begin in the order of their prompts", begun);
}
