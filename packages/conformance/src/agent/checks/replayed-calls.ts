import type { AgentCheck } from "../../check.js";
import { type Entry, updateOf } from "../../entry.js";
import { sessionOf, Talk } from "../../talk.js";
import { expect, skip } from "../../verdict.js";
import { type AgentTrial, needed } from "../agent-trial.js";
import { restored } from "./restore.js";

/** Checks of the tool calls of a replay. */
export const replayedCallChecks: readonly AgentCheck[] = [
  {
    id: "TK-LOAD-10",
    title: "The replay has the completed tool calls of the session.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-SESS-20"],
    run: expectCallsReplayed,
  },
  {
    id: "TK-RESUME-08",
    title: "The replay has the completed tool calls of the session.",
    // An agent need not retain them.
    tier: "advisory",
    dialects: ["v2", "seed"],
    requirements: ["V2-SES-08"],
    run: expectCallsReplayed,
  },
];

async function expectCallsReplayed(agent: AgentTrial): Promise<void> {
  const { session, replay, answer } = await needed(restored(agent, "work"));
  const talk = new Talk(agent.speech, agent.talk);
  const completed = talk
    .updates("tool_call", "tool_call_update")
    .filter(
      (entry) => sessionOf(entry) === session && updateOf(entry)?.status === "completed" && !replay.includes(entry),
    );
  if (completed.length === 0) skip("The turn of the prompt work completed no tool call.");
  // Ids may differ in a replay, so the calls are counted.
  const countOf = (entries: readonly Entry[]) =>
    new Set(entries.map((entry) => talk.toolCallOf(entry)?.toolCallId)).size;
  const count = countOf(completed);
  const missing = count - countOf(replay.filter((entry) => talk.toolCallOf(entry) !== undefined));
  const reason = `${missing} of ${count} completed tool calls are not replayed`;
  expect(missing <= 0, reason, ...completed, answer.request, answer);
}
