import type { AgentCheck } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, errorOf, frameOf, labelOf, resultOf, show, textOf, updateKind, updateOf } from "../../entry.js";
import { sessionOf } from "../../talk.js";
import { expect, fail, skip } from "../../verdict.js";
import type { AgentTrial, Turn, TurnEnd } from "../agent-trial.js";

/** Checks of `session/cancel` and `$/cancel_request`. The prompt `long` has to run until it is cancelled. */
export const cancelChecks: readonly AgentCheck[] = [
  {
    id: "ACP-CANCEL-001",
    title: "A cancelled turn ends with the stop reason cancelled.",
    tier: "mandatory",
    dialects: ["v1", "seed"],
    requirements: ["V1-CANCEL-06", "V1-CANCEL-07", "V2-SEED-25"],
    quick: true,
    run: expectCancelled,
  },
  {
    id: "ACP-CANCEL-201",
    title: "A cancelled turn ends with an idle state with the stop reason cancelled.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-CAN-03", "V2-PRM-16"],
    quick: true,
    run: expectCancelled,
  },
  {
    id: "ACP-CANCEL-002",
    title: "No update of a cancelled turn comes after the answer that ended it.",
    tier: "mandatory",
    dialects: ["v1", "seed"],
    requirements: ["V1-CANCEL-08", "V1-PROMPT-07", "V1-RPC-17"],
    quick: true,
    async run(agent) {
      const { session, end } = await cancelled(agent);
      await expectNothingLate(agent, session, end.last);
    },
  },
  {
    id: "ACP-CANCEL-202",
    title: "No further state comes after the idle state of a cancelled turn.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-CAN-03"],
    async run(agent) {
      const { session, end } = await cancelled(agent);
      await agent.settle();
      const late = agent.talk
        .of("agent", end.last.index + 1)
        .find((entry) => updateOf(entry)?.sessionUpdate === "state_update" && sessionOf(entry) === session);
      if (late) fail(`${labelOf(late)} came after the end of the turn`, end.last, late);
    },
  },
  {
    id: "ACP-CANCEL-203",
    title: "A cancel does not fail the prompt, and does not end the turn as an error.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-PRM-05", "V2-PRM-16"],
    async run(agent) {
      const { end } = await cancelled(agent);
      expect(end.answer.kind === "result", "the prompt failed", end.answer);
      expect(end.stopReason !== "error", "the turn ended as an error", end.last);
    },
  },
  {
    id: "ACP-CANCEL-206",
    title: "session/cancel may have _meta.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-CAN-01"],
    async run(agent) {
      const turn = await agent.longTurn(await agent.open());
      agent.notify("session/cancel", { sessionId: turn.sessionId, _meta: { "turnkit.note": 1 } });
      await turn.ended();
    },
  },
  {
    id: "TK-CANCEL-03",
    title: "A cancel ends only the turn of its session.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-CANCEL-12", "V2-CAN-01"],
    async run(agent) {
      const first = await agent.longTurn(await agent.open());
      const second = await agent.longTurn(await agent.newSession());
      agent.cancel(first.sessionId);
      const { last } = await first.ended();
      await agent.settle();
      const ended = endIn(agent, second);
      if (ended) fail("the turn of another session ended too", last, ended);
    },
  },
  {
    id: "TK-CANCEL-04",
    title: "A cancel without a turn does not affect the next turn.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-CANCEL-09", "V2-CAN-01", "V2-PRM-07"],
    quick: true,
    async run(agent) {
      const session = await agent.open();
      const cancel = agent.cancel(session);
      const { stopReason, last } = await agent.turn(session, "say");
      expect(stopReason !== "cancelled", "the next turn was cancelled", cancel, last);
    },
  },
  {
    id: "TK-CANCEL-05",
    title: "A cancel for a session that does not exist is ignored.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-CANCEL-09", "V2-ENV-09"],
    async run(agent) {
      await agent.ready();
      const from = agent.talk.entries.length;
      const cancel = agent.cancel("turnkit-nobody");
      await agent.expectUsable(cancel);
      const said = reactions(agent, from);
      expect(said.length === 0, "the cancel had an effect", cancel, ...said);
    },
  },
  {
    id: "TK-CANCEL-06",
    title: "After a cancelled turn, the session takes another prompt.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-PROMPT-12", "V2-PRM-07"],
    quick: true,
    async run(agent) {
      const { session } = await cancelled(agent);
      const { stopReason, last } = await agent.turn(session, "say");
      expect(stopReason !== "cancelled", "the next turn was cancelled too", last);
    },
  },
  {
    id: "TK-CANCEL-07",
    title: "A second cancel of the same turn changes nothing.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-CANCEL-06", "V1-CANCEL-16", "V2-CAN-03"],
    async run(agent) {
      const turn = await agent.longTurn(await agent.open());
      agent.cancel(turn.sessionId);
      agent.cancel(turn.sessionId);
      const { stopReason, last } = await turn.ended();
      expect(stopReason === "cancelled", `the turn ended as ${show(stopReason)}`, turn.request, last);
      await agent.expectUsable(last);
    },
  },
  {
    id: "TK-CANCEL-08",
    title: "$/cancel_request for a request that does not exist is ignored.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-CANCEL-16", "V2-CAN-07"],
    async run(agent) {
      await agent.ready();
      const from = agent.talk.entries.length;
      const cancel = agent.notify("$/cancel_request", { requestId: "turnkit-nobody" });
      await agent.expectUsable(cancel);
      const said = reactions(agent, from);
      expect(said.length === 0, "the notification had an effect", cancel, ...said);
    },
  },
  {
    id: "TK-CANCEL-09",
    title: "A prompt that $/cancel_request cancels still gets one answer: cancelled, a result, or the error -32800.",
    tier: "mandatory",
    dialects: ["v1", "seed"],
    requirements: ["V1-CANCEL-15", "V1-CANCEL-17", "V1-CANCEL-21"],
    async run(agent) {
      const turn = await agent.longTurn(await agent.open());
      agent.notify("$/cancel_request", { requestId: frameOf(turn.request).id });
      await agent.settle();
      // Support of $/cancel_request is optional. The turn then ends by its own cancel.
      agent.cancel(turn.sessionId);
      const answer = await agent.answerTo(turn.request);
      const fits =
        answer.kind === "result" ? resultOf(answer).stopReason === "cancelled" : errorOf(answer).code === -32800;
      expect(fits, `the answer is ${show(answer.frame)}`, turn.request, answer);
    },
  },
  {
    id: "TK-CANCEL-10",
    title: "$/cancel_request for a prompt that was inserted does not change its answer.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-CAN-07", "V2-CAN-08", "V2-PRM-07"],
    async run(agent) {
      const turn = await agent.longTurn(await agent.open());
      const answer = await agent.answerTo(turn.request);
      agent.notify("$/cancel_request", { requestId: frameOf(turn.request).id });
      await agent.settle();
      const again = agent.talk.of("agent", answer.index + 1).find((entry) => entry.request === turn.request);
      if (again) fail("the prompt was answered twice", answer, again);
    },
  },
  {
    id: "TK-CANCEL-11",
    title: "A cancel ends a prompt that is held with the error -32800.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-PRM-07", "V2-CAN-01"],
    async run(agent) {
      const turn = await agent.longTurn(await agent.open());
      const from = agent.talk.entries.length;
      const held = agent.prompt(turn.sessionId, "say");
      await agent.settle();
      const isTaken = (entry: Entry) => entry.request === held.request || /^user_message/.test(updateKind(entry) ?? "");
      if (agent.talk.of("agent", from).some(isTaken)) skip("The agent holds no prompts.");
      const cancel = agent.cancel(turn.sessionId);
      const answer = await agent.answerTo(held.request);
      const reason = `expected an error -32800 for the held prompt, got ${show(answer.frame)}`;
      expect(errorOf(answer).code === -32800, reason, held.request, cancel, answer);
    },
  },
];

/** Fails for an update of a turn that comes after the answer that ended it. */
export async function expectNothingLate(agent: AgentTrial, session: string, last: Entry): Promise<void> {
  await agent.drainLate();
  const isTurn = (kind: unknown) => /^(agent_|tool_call|plan)/.test(textOf(kind));
  const late = agent.talk
    .of("agent", last.index)
    .find((entry) => isTurn(updateOf(entry)?.sessionUpdate) && sessionOf(entry) === session);
  if (late) fail(`${labelOf(late)} came after the end of the turn`, last, late);
}

/** Returns the end of a turn, if it has come. */
export function endIn(agent: AgentTrial, turn: Turn): Entry | undefined {
  const isEnd = (entry: Entry) =>
    entry.request === turn.request
      ? agent.dialect.turnEnd === "answer"
      : sessionOf(entry) === turn.sessionId && updateOf(entry)?.state === "idle";
  return agent.talk.of("agent", turn.request.index).find(isEnd);
}

/**
 * Returns the entries of the agent from an index on, without its answer to the runner. Notifications of extensions do
 * not count, because they may come at any time.
 */
function reactions({ talk }: AgentTrial, from: number): readonly Entry[] {
  return talk
    .of("agent", from)
    .filter(
      ({ kind, method = "" }) => method !== "_turnkit/usable" && !(kind === "notification" && method.startsWith("_")),
    );
}

async function cancelled(agent: AgentTrial): Promise<{ readonly session: string; readonly end: TurnEnd }> {
  const turn = await agent.longTurn(await agent.open());
  agent.cancel(turn.sessionId);
  const end = await turn.ended();
  if (isOwnEnd(end.stopReason)) skip(`The turn ended as ${end.stopReason}, so it was not cancelled.`);
  return { session: turn.sessionId, end };
}

async function expectCancelled(agent: AgentTrial): Promise<void> {
  await agent.ready();
  for (let tries = 1; ; tries += 1) {
    const turn = await agent.longTurn(await agent.newSession());
    agent.cancel(turn.sessionId);
    const { stopReason, last } = await turn.ended();
    // A turn may end by itself just before the cancel arrives. An agent that ignores cancels ends all turns in this
    // way.
    if (isOwnEnd(stopReason) && tries < 3) continue;
    expect(stopReason === "cancelled", `the turn ended as ${show(stopReason)}`, turn.request, last);
    return;
  }
}

/** Returns true for the stop reasons of a turn that ended without a cancel and without an error. */
function isOwnEnd(stopReason: unknown): boolean {
  return ["end_turn", "max_tokens", "max_turn_requests", "refusal"].includes(stopReason as string);
}
