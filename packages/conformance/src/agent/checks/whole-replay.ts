import type { AgentCheck } from "../../check.js";
import { type Entry, show, updateKind, updateOf } from "../../entry.js";
import { sessionOf, Talk } from "../../talk.js";
import { expect, skip } from "../../verdict.js";
import { type AgentTrial, needed } from "../agent-trial.js";
import { restored } from "./restore.js";

/** Checks of parts of a conversation that a replay must have. */
export const wholeReplayChecks: readonly AgentCheck[] = [
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
    // Agents may forget this content.
    tier: "advisory",
    dialects: ["v2", "seed"],
    requirements: ["V2-SES-08"],
    run: expectCallsReplayed,
  },
  {
    id: "TK-LOAD-11",
    title: "The replay has the links of the prompts.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-SESS-20"],
    run: expectLinkReplayed,
  },
  {
    id: "TK-RESUME-09",
    title: "The replay has the links of the prompts.",
    // Agents may forget this content.
    tier: "advisory",
    dialects: ["v2", "seed"],
    requirements: ["V2-SES-08"],
    run: expectLinkReplayed,
  },
];

async function expectCallsReplayed(agent: AgentTrial): Promise<void> {
  const { session, replay, answer } = await needed(restored(agent, "work"));
  const talk = new Talk(agent.dialect, agent.talk);
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

async function expectLinkReplayed(agent: AgentTrial): Promise<void> {
  const name = "turnkit-link.txt";
  const link = { type: "resource_link", uri: `file://${agent.options.cwd}/${name}`, name };
  const { replay, answer } = await needed(restored(agent, [{ type: "text", text: agent.options.prompts.say }, link]));
  const messages = replay.filter((entry) => updateKind(entry)?.startsWith("user_message"));
  if (messages.length === 0) skip("The replay has no message of the user.");
  // Some agents replay a link as a text with its address or name.
  const isThere = messages.some((entry) => JSON.stringify(updateOf(entry)).includes(name));
  expect(isThere, `no message of the user has the link ${show(link.uri)}`, answer.request, ...messages, answer);
}
