import type { AgentCheck } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, errorOf, labelOf, resultOf, show, textOf, updateKind, updateOf } from "../../entry.js";
import { sessionOf } from "../../talk.js";
import { expect, expectResult, fail, skip } from "../../verdict.js";
import { needed } from "../agent-trial.js";

const reasons = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"];

/** Longest wait for the answer to a prompt that was sent during a turn, in milliseconds. */
const BESIDE_MS = 1_000;

/** Checks of prompts and of the end of turns. */
export const promptChecks: readonly AgentCheck[] = [
  {
    id: "ACP-PROMPT-001",
    title: "A prompt with a text ends with a stop reason of the protocol.",
    tier: "mandatory",
    dialects: ["v1", "seed"],
    requirements: ["V1-PROMPT-07", "V1-PROMPT-08", "V1-INIT-13", "V2-SEED-21"],
    quick: true,
    async run(agent) {
      const { stopReason, last } = await agent.turn(await agent.open(), "say");
      const fits =
        reasons.includes(textOf(stopReason)) || (agent.dialect.name === "seed" && textOf(stopReason).startsWith("_"));
      expect(fits, `the stop reason is ${show(stopReason)}`, last);
    },
  },
  {
    id: "ACP-PROMPT-201",
    title: "The answer to a prompt has the id of the user's message.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-PRM-01", "V2-PRM-03"],
    quick: true,
    async run(agent) {
      const turn = agent.prompt(await agent.open(), "say");
      const answer = await agent.answerTo(turn.request);
      expectResult(answer);
      const { messageId } = resultOf(answer);
      expect(typeof messageId === "string" && messageId !== "", `messageId is ${show(messageId)}`, answer);
    },
  },
  {
    id: "ACP-PROMPT-203",
    title: "The user's message comes as an update with the id of the answer, before the turn ends.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-PRM-03", "V2-PRM-04"],
    quick: true,
    async run(agent) {
      const { answer, last } = await needed(agent.turn(await agent.open(), "say"));
      const { messageId } = resultOf(answer);
      if (messageId === undefined) skip("The answer names no message.");
      const echoes = agent.talk.of("agent").filter((entry) => /^user_message/.test(updateKind(entry) ?? ""));
      const echo = echoes.find((entry) => updateOf(entry)?.messageId === messageId);
      if (echo === undefined) fail(`no update has the message ${show(messageId)}`, answer, ...echoes);
      expect(echo.index < last.index, "the message came after the turn", last, echo);
    },
  },
  {
    id: "TK-PROMPT-04",
    title: "A refused prompt is not part of the conversation: no update contains it.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-PRM-05", "V2-PRM-09"],
    async run(agent) {
      const session = await agent.open();
      const from = agent.talk.entries.length;
      const prompt = [{ type: "_turnkit" }];
      const answer = await agent.ask("session/prompt", { sessionId: session, prompt }, "deliberate");
      if (answer.kind === "result") skip("The prompt was not refused.");
      await agent.settle();
      const echo = agent.talk.of("agent", from).find((entry) => /^user_message/.test(updateKind(entry) ?? ""));
      if (echo) fail("the message is part of the conversation", answer, echo);
    },
  },
  {
    id: "ACP-STATE-201",
    title: "A turn is running before it becomes idle with a stop reason.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-PRM-11"],
    quick: true,
    async run(agent) {
      const { last, stopReason } = await needed(agent.turn(await agent.open(), "say"));
      if (stopReason === undefined) skip("The idle state has no stop reason.");
      const began = agent.talk
        .of("agent")
        .some((entry) => /^(running|requires_action)$/.test(textOf(updateOf(entry)?.state)));
      expect(began, "no state running came before", last);
    },
  },
  {
    id: "ACP-STATE-202",
    title: "A turn becomes idle.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-PRM-11"],
    quick: true,
    run: async (agent) => void (await agent.turn(await agent.open(), "say")),
  },
  {
    id: "ACP-STATE-203",
    title: "The idle state that ends a turn has a stop reason of the protocol, or one that begins with _.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-PRM-13", "V2-PRM-14"],
    async run(agent) {
      const { last, stopReason } = await needed(agent.turn(await agent.open(), "say"));
      const fits = [...reasons, "error"].includes(textOf(stopReason)) || textOf(stopReason).startsWith("_");
      expect(fits, `the stop reason is ${show(stopReason)}`, last);
    },
  },
  {
    id: "TK-STATE-04",
    title: "The stop reason error comes with an error with a code and a message.",
    tier: "advisory",
    dialects: ["v2"],
    requirements: ["V2-PRM-15"],
    watch(talk) {
      const ends = talk.updates("state_update").filter((entry) => updateOf(entry)?.stopReason === "error");
      if (ends.length === 0) skip("No turn ended as error.");
      for (const entry of ends) {
        const { error } = updateOf(entry) ?? {};
        const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
        expect(Number.isInteger(code) && typeof message === "string", `the error is ${show(error)}`, entry);
      }
    },
  },
  {
    id: "TK-PROMPT-07",
    title: "An empty prompt does not break the session.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-PROMPT-15", "V2-PRM-08"],
    async run(agent) {
      const sessionId = await agent.open();
      await agent.ask("session/prompt", { sessionId, prompt: [] }, "deliberate");
      await agent.turn(sessionId, "say");
    },
  },
  {
    id: "TK-PROMPT-08",
    title: "A session takes a second prompt when the first turn is over.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-PROMPT-12", "V2-PRM-06"],
    quick: true,
    async run(agent) {
      const sessionId = await agent.open();
      await needed(agent.turn(sessionId, "say"));
      await agent.turn(sessionId, "say");
    },
  },
  {
    id: "TK-PROMPT-09",
    title: "No update of a turn comes after the answer that ends it.",
    tier: "mandatory",
    dialects: ["v1", "seed"],
    requirements: ["V1-PROMPT-07", "V1-RPC-17"],
    quick: true,
    async run(agent) {
      const sessionId = await agent.open();
      const { last } = await needed(agent.turn(sessionId, agent.isPlain ? "say" : "work"));
      await agent.drainLate();
      const isTurn = (entry: Entry) =>
        /^(agent_|tool_call|plan)/.test(updateKind(entry) ?? "") && sessionOf(entry) === sessionId;
      const late = agent.talk.of("agent", last.index).find(isTurn);
      if (late) fail(`${labelOf(late)} came after the end of the turn`, last, late);
    },
  },
  {
    id: "ACP-META-001",
    title: "A prompt may have _meta.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-EXT-01", "V1-EXT-03", "V2-EXT-07"],
    async run(agent) {
      const _meta = { traceparent: "00-80e1afed08e019fc1110464cfa66635c-7a085853722dc6d2-01" };
      await agent.turn(await agent.open(), "say", { _meta });
    },
  },
  {
    id: "ACP-INFO-CONCURRENT-201",
    title: "The answer to a second prompt during a turn is noted.",
    tier: "informational",
    dialects: everyDialect,
    requirements: ["V1-PROMPT-13", "V2-PRM-06"],
    async run(agent) {
      const turn = await agent.longTurn(await agent.open());
      const second = agent.prompt(turn.sessionId, "say");
      // The agent needs some time to answer a prompt during the first turn.
      const ms = Math.min(BESIDE_MS, agent.options.timeoutMs);
      const early = await agent.talk.when((entry) => entry.request === second.request, { ms });
      if (early === undefined) return "not answered during the turn";
      return early.kind === "error" ? `refused: ${show(errorOf(early))}` : "accepted during the turn";
    },
  },
  {
    id: "ACP-EXT-001",
    title: "A request of an extension that the agent does not know is answered.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-EXT-04", "V2-EXT-06"],
    quick: true,
    async run(agent) {
      await agent.ready();
      await agent.ask("_turnkit/extension", {});
    },
  },
  {
    id: "ACP-EXT-201",
    title: "A notification of an extension that the agent does not know is ignored.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-EXT-04", "V1-RPC-25", "V2-EXT-06"],
    async run(agent) {
      await agent.ready();
      const from = agent.talk.entries.length;
      const note = agent.notify("_turnkit/extension-note", {});
      await agent.expectUsable(note);
      const answers = agent.talk.of("agent", from).filter((entry) => entry.kind === "error" || entry.kind === "result");
      const unasked = answers.filter(({ request }) => request === undefined);
      expect(answers.length === 1, "the notification was answered", note, ...unasked);
    },
  },
];
