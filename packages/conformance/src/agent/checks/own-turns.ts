import type { AgentCheck } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { show } from "../../entry.js";
import { CheckFailed, expect, fail, skip } from "../../verdict.js";
import { endIn } from "./cancel.js";

/** Longest wait for the refusal of a prompt that was sent during a turn, in milliseconds. */
const REFUSAL_MS = 1_000;

/** Checks that a refused prompt, or the close of another session, does not affect a turn. */
export const ownTurnChecks: readonly AgentCheck[] = [
  {
    id: "TK-CANCEL-12",
    title: "A turn can still be cancelled after a second prompt was refused.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-CANCEL-06", "V2-CAN-03"],
    async run(agent) {
      const turn = await agent.longTurn(await agent.open());
      const second = agent.prompt(turn.sessionId, "say");
      const ms = Math.min(REFUSAL_MS, agent.options.timeoutMs);
      const refusal = await agent.talk.when((entry) => entry.request === second.request, { ms });
      if (refusal?.kind !== "error") skip("The agent did not refuse a second prompt during the turn.");
      const cancel = agent.cancel(turn.sessionId);
      const { stopReason, last } = await turn.ended().catch((error: unknown) => {
        if (error instanceof CheckFailed)
          return fail(`the turn did not end as cancelled: ${error.message}`, turn.request, refusal, cancel);
        throw error;
      });
      expect(stopReason === "cancelled", `the turn ended as ${show(stopReason)}`, turn.request, refusal, cancel, last);
    },
  },
  {
    id: "TK-CLOSE-07",
    title: "session/close ends only the turn of its session.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-SESS-03", "V1-SESS-35", "V1-CANCEL-12", "V2-SES-15"],
    async run(agent) {
      const closing = await agent.open();
      agent.requires("close");
      const first = await agent.longTurn(closing);
      const second = await agent.longTurn(await agent.newSession());
      const closed = await agent.did("session/close", { sessionId: first.sessionId });
      await agent.settle();
      const ended = endIn(agent, second);
      if (ended) fail("the turn of another session ended too", closed.request, second.request, ended);
    },
  },
];
