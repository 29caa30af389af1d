import type { AgentCheck } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, show, textOf, updateKind } from "../../entry.js";
import { sessionOf, Talk } from "../../talk.js";
import { fail, skip } from "../../verdict.js";
import { type AgentTrial, needed } from "../agent-trial.js";

const finals = /^(completed|failed|cancelled)$/;

/** Checks of the ids of tool calls in several turns. */
export const toolIdChecks: readonly AgentCheck[] = [
  {
    id: "TK-TOOL-05",
    title: "A tool call of a later turn has an id that no earlier tool call of the session has.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-TOOL-01", "V2-TOOL-01", "V2-TOOL-09"],
    async run(agent) {
      const session = await agent.open();
      await needed(agent.turn(session, "work"));
      const border = agent.talk.entries.length;
      const earlier = reportsOf(agent, session, 0);
      if (earlier.size === 0) skip("The first turn of the prompt work had no tool call.");
      await needed(agent.turn(session, "work"));
      const later = reportsOf(agent, session, border);
      if (later.size === 0) skip("The second turn of the prompt work had no tool call.");
      for (const [toolCallId, reports] of later) {
        const old = earlier.get(toolCallId);
        const begun = old && beginsAgain(agent, old, reports);
        if (begun) fail(`the tool call has the id ${show(toolCallId)} of an earlier one`, old[0], begun);
      }
    },
  },
];

/**
 * Returns the report that begins a call with the id of an old one. In version 1, this is `tool_call`. Version 2 has only updates,
 * and a call may change after its turn. So a call begins again if its last status was final, and its next report has a title and
 * the status `pending` or `in_progress`.
 */
function beginsAgain(agent: AgentTrial, old: readonly Entry[], reports: readonly Entry[]): Entry | undefined {
  if (agent.dialect.name === "v1") return reports.find((entry) => updateKind(entry) === "tool_call");
  const talk = new Talk(agent.dialect, agent.talk);
  const last = old.flatMap((entry) => talk.toolCallOf(entry)?.status ?? []).at(-1);
  const [first] = reports;
  const { title, status } = (first && talk.toolCallOf(first)) ?? {};
  const works = status === "pending" || status === "in_progress";
  return finals.test(textOf(last)) && typeof title === "string" && works ? first : undefined;
}

/** Returns the reports of the tool calls of a session from an index on, by the ids of the calls. */
function reportsOf(agent: AgentTrial, session: string, from: number): ReadonlyMap<unknown, readonly Entry[]> {
  const talk = new Talk(agent.dialect, agent.talk);
  const calls = new Map<unknown, Entry[]>();
  for (const entry of talk.of("agent")) {
    const toolCallId = talk.toolCallOf(entry)?.toolCallId;
    if (entry.index < from || typeof toolCallId !== "string" || sessionOf(entry) !== session) continue;
    calls.set(toolCallId, [...(calls.get(toolCallId) ?? []), entry]);
  }
  return calls;
}
