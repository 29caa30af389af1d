import type { AgentCheck } from "../../check.js";
import type { DialectName } from "../../dialects/dialect.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, frameOf, objectsIn, paramsOf, show, updateOf } from "../../entry.js";
import { sessionOf } from "../../talk.js";
import { expect, fail, skip } from "../../verdict.js";
import { type AgentTrial, needed, type Turn } from "../agent-trial.js";
import { choose, type Replier } from "../replies.js";
import { expectNothingLate } from "./cancel.js";

/** Checks of permission questions. The prompt `permission` has to lead to one. */
export const permissionChecks: readonly AgentCheck[] = [
  {
    id: "TK-PERM-02",
    title: "The ids of the options of a question are unique.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-PERM-01", "V2-PERM-01"],
    watch(talk) {
      const questions = talk.calls("agent", "session/request_permission");
      if (questions.length === 0) skip("The agent asked for no permission.");
      for (const question of questions) {
        const ids = objectsIn(paramsOf(question).options).map(({ optionId }) => optionId);
        expect(new Set(ids).size === ids.length, `an id occurs twice in ${show(ids)}`, question);
      }
    },
  },
  {
    id: "TK-PERM-03",
    title: "A turn ends after its permission question was answered.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-PERM-07", "V1-PROMPT-07", "V2-PRM-12"],
    quick: true,
    async run(agent) {
      const { turn } = await question(agent, choose("allow_once", "allow_always"));
      await turn.ended();
    },
  },
  notGranted(
    "TK-PERM-04",
    "A rejected tool call does not complete.",
    everyDialect,
    choose("reject_once", "reject_always"),
    [...["V1-PERM-07", "V1-PERM-09", "V2-PERM-09"]],
  ),
  notGranted(
    "TK-PERM-05",
    "A tool call whose question was dismissed does not complete.",
    everyDialect,
    () => ({ result: { outcome: { outcome: "cancelled" } } }),
    ["V1-PERM-07", "V1-PERM-08", "V2-PERM-09", "V2-PERM-10"],
  ),
  notGranted(
    "TK-PERM-06",
    "An option that was not offered grants nothing.",
    everyDialect,
    () => ({ result: { outcome: { outcome: "selected", optionId: "turnkit-offered-by-nobody" } } }),
    ["V1-PERM-07", "V2-PERM-09"],
  ),
  notGranted(
    "TK-PERM-07",
    "An error in place of an answer grants nothing.",
    everyDialect,
    () => ({ error: { code: -32603, message: "The question could not be shown." } }),
    ["V1-PERM-07", "V2-PERM-09"],
  ),
  notGranted(
    "ACP-ENUM-203",
    "An outcome that the agent does not know grants nothing, and does not end the connection.",
    ["v2"],
    () => ({ result: { outcome: { outcome: "_turnkit" } } }),
    ["V2-PERM-09", "V2-EXT-05"],
  ),
  {
    id: "TK-PERM-08",
    title: "A turn that is cancelled during a question ends as cancelled, and nothing of it comes later.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-PERM-05", "V1-CANCEL-06", "V1-CANCEL-08", "V2-CAN-02", "V2-CAN-03"],
    quick: true,
    async run(agent) {
      const { turn, asked } = await question(agent, () => undefined);
      agent.cancel(turn.sessionId);
      agent.reply(asked, { result: { outcome: { outcome: "cancelled" } } });
      const { stopReason, last } = await turn.ended();
      expect(stopReason === "cancelled", `the turn ended as ${show(stopReason)}`, turn.request, last);
      // Background work goes on after the turn.
      if (objectsIn(updateOf(last)?.background).length === 0) await expectNothingLate(agent, turn.sessionId, last);
    },
  },
  {
    id: "TK-PERM-09",
    title: "A cancel withdraws an open question with $/cancel_request.",
    tier: "advisory",
    dialects: ["v2"],
    requirements: ["V2-CAN-02"],
    async run(agent) {
      const { turn, asked } = await question(agent, () => undefined);
      agent.cancel(turn.sessionId);
      const { id } = asked.frame as { readonly id: unknown };
      const isWithdrawal = (entry: Entry) => entry.method === "$/cancel_request" && paramsOf(entry).requestId === id;
      await agent.next(isWithdrawal, "$/cancel_request for the question", asked);
    },
  },
  {
    id: "ACP-PATCH-209",
    title: "The state is requires_action while a question is open, and running when the work goes on.",
    tier: "advisory",
    dialects: ["v2"],
    requirements: ["V2-PRM-12"],
    async run(agent) {
      const { turn, asked } = await question(agent, choose("allow_once", "allow_always"));
      const { last } = await needed(turn.ended());
      const states = agent.talk.of("agent").filter((entry) => isState(entry, turn) && entry.index < last.index);
      const blocked = states.find((entry) => updateOf(entry)?.state === "requires_action");
      if (blocked === undefined) fail("no state requires_action came", asked);
      const resumed = states.some((entry) => entry.index > blocked.index && updateOf(entry)?.state === "running");
      expect(resumed, "no state running came after the answer", blocked, asked, last);
    },
  },
];

function isState(entry: Entry, { sessionId }: Turn): boolean {
  return updateOf(entry)?.sessionUpdate === "state_update" && sessionOf(entry) === sessionId;
}

/** Starts the turn that asks. Skips the check if no question comes. */
async function question(agent: AgentTrial, replier: Replier): Promise<{ readonly turn: Turn; readonly asked: Entry }> {
  const sessionId = await agent.open();
  agent.serve("session/request_permission", replier);
  const turn = agent.prompt(sessionId, "permission");
  const isOver = (entry: Entry) =>
    entry.request === turn.request
      ? agent.dialect.turnEnd === "answer" || entry.kind === "error"
      : isState(entry, turn) && updateOf(entry)?.state === "idle";
  const isQuestion = (entry: Entry) => entry.kind === "request" && entry.method === "session/request_permission";
  const asked = await needed(agent.next((entry) => isOver(entry) || isQuestion(entry), "question", turn.request));
  if (!isQuestion(asked)) skip("The agent asked for no permission.");
  return { turn, asked };
}

/** Returns the end of a turn whose question failed. The turn may fail too, or wait for the answer of another client. */
async function lastOf(agent: AgentTrial, turn: Turn): Promise<Entry> {
  try {
    return (await turn.ended()).last;
  } catch (thrown) {
    if (agent.talk.ended) throw thrown;
    return agent.talk.of("agent").at(-1) ?? turn.request;
  }
}

function notGranted(
  id: string,
  title: string,
  dialects: readonly DialectName[],
  replier: Replier,
  requirements: readonly string[],
): AgentCheck {
  return {
    ...{ id, title, tier: "mandatory", dialects, requirements, ...(id === "TK-PERM-04" && { quick: true }) },
    async run(agent) {
      const { turn, asked } = await question(agent, replier);
      const mayFail = "error" in (replier(asked) ?? {});
      const last = mayFail ? await lastOf(agent, turn) : (await turn.ended()).last;
      const subject = agent.dialect.toolCallOfQuestion(paramsOf(asked));
      const done = agent.talk.of("agent").find((entry) => {
        const update = updateOf(entry);
        return (
          update?.toolCallId === subject?.toolCallId && update?.status === "completed" && entry.index > asked.index
        );
      });
      if (subject === undefined || done === undefined) return;
      const answer = agent.talk.entries.find(({ request }) => request === asked);
      const { result, error } = frameOf(answer);
      fail(`the tool call completed after the answer ${show(result ?? error)}`, asked, answer, done, last);
    },
  };
}
