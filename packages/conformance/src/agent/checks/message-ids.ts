import type { AgentCheck } from "../../check.js";
import { type Entry, show, updateKind, updateOf } from "../../entry.js";
import { sessionOf } from "../../talk.js";
import { fail, skip } from "../../verdict.js";
import { type AgentTrial, needed } from "../agent-trial.js";
import { restoredAgain } from "./restore.js";

/** Checks of the ids of messages in several turns of version 1. */
export const messageIdChecks: readonly AgentCheck[] = [
  {
    id: "TK-MESSAGE-02",
    title: "A message of the agent in a new turn has an id of its own, even after the session was brought back.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-UPD-04"],
    async run(agent) {
      const session = await agent.open();
      await expectNewIds(agent, session);
      await expectNewIds(agent, session);
      if (!agent.offers("load")) return;
      if (agent.offers("close")) await needed(agent.ask("session/close", { sessionId: session }));
      await needed(restoredAgain(agent, session));
      await expectNewIds(agent, session);
    },
  },
];

/** Runs a turn. Fails for a message with an id that the session has seen before, and skips if messages have no ids. */
async function expectNewIds(agent: AgentTrial, session: string): Promise<void> {
  const from = agent.talk.entries.length;
  await needed(agent.turn(session, "say"));
  const pieces = agent.talk.of("agent").filter((entry) => sessionOf(entry) === session && keyOf(entry) !== undefined);
  const old = new Map(pieces.filter(({ index }) => index < from).map((entry) => [keyOf(entry), entry]));
  const now = pieces.filter(({ index }) => index >= from);
  if (now.length === 0) skip("No message of the agent with an id came before the end of the turn.");
  const again = now.find((entry) => old.has(keyOf(entry)));
  if (again)
    fail(`the id ${show(updateOf(again)?.messageId)} belongs to an earlier message`, old.get(keyOf(again)), again);
}

/** Returns the kind and the id of a piece of the agent's message, or `undefined` for other entries. */
function keyOf(entry: Entry): string | undefined {
  const kind = updateKind(entry) ?? "";
  const { messageId } = updateOf(entry) ?? {};
  return /^agent_/.test(kind) && typeof messageId === "string" ? `${kind} ${messageId}` : undefined;
}
