import type { AgentCheck } from "../../check.js";
import { type Entry, resultOf, show, updateKind, updateOf } from "../../entry.js";
import { sessionOf, type Talk } from "../../talk.js";
import { expect, expectError, expectResult, fail, skip } from "../../verdict.js";
import { needed } from "../agent-trial.js";
import { previewRule } from "../older-draft.js";

const say = (text: string) => ({ type: "text", text });

/** Checks of the ids and keys of prompts. */
export const promptKeyChecks: readonly AgentCheck[] = [
  {
    id: "ACP-PATCH-203",
    title: "Two prompts have different message ids.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-PRM-03", "P-IDEM-06"],
    async run(agent) {
      const sessionId = await agent.open();
      const { answer } = await needed(agent.turn(sessionId, "say"));
      const again = await needed(agent.turn(sessionId, "say"));
      const ids = [answer, again.answer].map((one) => resultOf(one).messageId);
      if (ids.includes(undefined)) skip("The answer names no message.");
      expect(ids[0] !== ids[1], `both messages have the id ${show(ids[0])}`, answer, again.answer);
    },
  },
  {
    id: "TK-MESSAGE-01",
    title: "A message of the agent in a new turn has a new id.",
    tier: "advisory",
    dialects: ["v2"],
    requirements: ["V2-UPD-10", "V2-SES-12"],
    watch: expectNewIds,
  },
  {
    id: "TK-IDEM-01",
    title: "A prompt that is sent again with the same key is inserted once, and answered with the same message id.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["P-IDEM-04", "P-IDEM-05"],
    quick: true,
    run: previewRule(async (agent) => {
      const sessionId = await agent.open();
      const key = { idempotencyKey: "turnkit-key-1" };
      const first = await needed(agent.turn(sessionId, "say", key));
      const again = await agent.answerTo(agent.prompt(sessionId, "say", key).request);
      expectResult(again);
      const ids = [first.answer, again].map((one) => resultOf(one).messageId);
      expect(ids[0] === ids[1], `the answers name ${show(ids[0])} and ${show(ids[1])}`, first.answer, again);
    }),
  },
  {
    id: "TK-IDEM-02",
    title: "A key that is empty, longer than 255 characters or no text is refused with the error -32602.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["P-IDEM-02"],
    run: previewRule(async (agent) => {
      const sessionId = await agent.open();
      for (const idempotencyKey of ["", "k".repeat(256), 7]) {
        const params = { sessionId, prompt: [say(agent.options.prompts.say)], idempotencyKey };
        expectError(await agent.ask("session/prompt", params, "deliberate"), -32602);
      }
    }),
  },
  {
    id: "TK-IDEM-03",
    title: "A key of 255 characters outside of ASCII is accepted, and null is not a key.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["P-IDEM-01", "P-IDEM-02"],
    run: previewRule(async (agent) => {
      const sessionId = await agent.open();
      await agent.turn(sessionId, "say", { idempotencyKey: "🎵".repeat(255) });
      const first = await agent.turn(sessionId, "say", { idempotencyKey: null });
      const again = await agent.answerTo(agent.prompt(sessionId, "say", { idempotencyKey: null }).request);
      const ids = [first.answer, again].map((one) => resultOf(one).messageId);
      if (ids.includes(undefined)) skip("The answer names no message.");
      expect(ids[0] !== ids[1], `null was taken for a key: both prompts are ${show(ids[0])}`, first.answer, again);
    }),
  },
  {
    id: "TK-IDEM-04",
    title: "The same key in another session is another prompt.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["P-IDEM-01"],
    async run(agent) {
      const key = { idempotencyKey: "turnkit-key-2" };
      const first = await agent.open();
      const second = await agent.newSession();
      await needed(agent.turn(first, "say", key));
      const answer = await needed(agent.answerTo(agent.prompt(second, "say", key).request));
      const isEcho = (entry: Entry) => sessionOf(entry) === second && /^user_message/.test(updateKind(entry) ?? "");
      await agent.next(isEcho, "message of the second session", answer.request);
    },
  },
  {
    id: "TK-IDEM-05",
    title: "Prompts with the same key that wait for the same turn are one prompt.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["P-IDEM-04", "P-IDEM-05"],
    run: previewRule(async (agent) => {
      const sessionId = await agent.open();
      const key = { idempotencyKey: "turnkit-key-3" };
      const running = agent.prompt(sessionId, "say");
      const first = agent.prompt(sessionId, "say", key);
      const again = agent.prompt(sessionId, "say", key);
      await agent.answerTo(running.request);
      const answers = [await agent.answerTo(first.request), await agent.answerTo(again.request)];
      if (answers.some(({ kind }) => kind !== "result")) skip("The agent takes no prompt during a turn.");
      await needed(first.ended());
      const ids = answers.map((answer) => resultOf(answer).messageId);
      expect(ids[0] === ids[1], `the answers name ${show(ids[0])} and ${show(ids[1])}`, first.request, ...answers);
    }),
  },
];

/** Fails for a piece of a message whose id belongs to a message before the last idle state of the session. */
function expectNewIds(talk: Talk): void {
  const pieces = talk
    .updates("agent_message_chunk", "agent_thought_chunk")
    .filter((entry) => typeof updateOf(entry)?.messageId === "string");
  if (pieces.length === 0) skip("No pieces of a message with an id came.");
  const open = new Map<string, Entry>();
  const closed = new Map<string, Entry>();
  /** Sessions with an unanswered resume. Its replay repeats ids, also those of a turn that ended after the request. */
  const resuming = new Set<string>();
  for (const entry of talk.entries) {
    const session = show(sessionOf(entry.request ?? entry));
    const kind = updateKind(entry);
    const key = `${session} ${kind} ${show(updateOf(entry)?.messageId)}`;
    const isOfSession = ([known]: readonly [string, Entry]) => known.startsWith(`${session} `);
    if (pieces.includes(entry)) {
      const older = closed.get(key);
      if (older && !resuming.has(session))
        fail("the piece has the id of a message of an earlier turn, and continues it", older, entry);
      if (!open.has(key)) open.set(key, entry);
    }
    if (entry.request?.method === "session/resume") resuming.delete(session);
    if (entry.by === "client" && entry.method === "session/resume") {
      resuming.add(session);
      for (const [known] of [...closed].filter(isOfSession)) closed.delete(known);
    }
    if (kind === "state_update" && updateOf(entry)?.state === "idle")
      for (const [known, first] of [...open].filter(isOfSession)) closed.set(known, first);
  }
}
