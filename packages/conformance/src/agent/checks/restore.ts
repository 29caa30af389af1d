import type { AgentCheck } from "../../check.js";
import type { Ability } from "../../dialects/dialect.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, errorOf, isObject, labelOf, resultOf, show, updateKind, updateOf } from "../../entry.js";
import type { PromptName } from "../../prompts.js";
import { sessionOf } from "../../talk.js";
import { expect, expectError, expectResult, fail, skip } from "../../verdict.js";
import { type AgentTrial, needed } from "../agent-trial.js";

/** Checks of `session/load` and `session/resume`. */
export const restoreChecks: readonly AgentCheck[] = [
  {
    id: "ACP-LOAD-001",
    title: "session/load brings a session back.",
    tier: "capability",
    dialects: ["v1", "seed"],
    requirements: ["V1-SESS-19", "V1-SESS-20", "V1-SESS-24", "V2-SEED-24"],
    quick: true,
    run: async (agent) => void (await restored(agent)),
  },
  {
    id: "ACP-LOAD-002",
    title: "Every update of the replay comes before the answer to session/load.",
    tier: "capability",
    dialects: ["v1", "seed"],
    requirements: ["V1-SESS-20"],
    async run(agent) {
      const { answer, session } = await needed(restored(agent));
      await agent.drain();
      const late = agent.talk
        .of("agent", answer.index)
        .find((entry) => isHistory(entry) && sessionOf(entry) === session);
      if (late) fail(`${labelOf(late)} came after the replay`, answer, late);
    },
  },
  {
    id: "ACP-LOAD-003",
    title: "An empty result of session/load is {}, not null.",
    tier: "advisory",
    dialects: ["v1", "seed"],
    requirements: ["V1-RPC-08", "V1-SESS-24"],
    async run(agent) {
      const { answer } = await needed(restored(agent));
      const { result } = answer.frame as { readonly result?: unknown };
      expect(isObject(result), `the result is ${show(result)}`, answer);
    },
  },
  {
    id: "TK-LOAD-04",
    title: "The replay has the messages of the user and of the agent, in their order.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-SESS-20", "V1-SESS-22", "V2-SES-08", "P-REPLAY-05"],
    quick: true,
    async run(agent) {
      const { replay, answer } = await needed(restored(agent));
      const of = (who: string) => replay.filter((entry) => updateKind(entry)?.startsWith(`${who}_message`));
      const [asked] = of("user");
      const said = of("agent").at(-1);
      if (asked === undefined) fail("no message of the user came before the answer", answer.request, answer);
      if (said === undefined) fail("no message of the agent came before the answer", answer.request, answer);
      // A greeting may come before the first message of the user, so the last message of the agent counts.
      expect(
        asked.index < said.index,
        "every message of the agent came before the message that it answers",
        ...[answer.request, said, asked, answer],
      );
    },
  },
  {
    id: "TK-LOAD-05",
    title: "A session that was brought back takes a prompt.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-SESS-20", "V1-PROMPT-08", "V2-SES-07"],
    async run(agent) {
      const { session } = await needed(restored(agent));
      const { stopReason, last } = await agent.turn(session, "say");
      expect(stopReason !== "cancelled", "the turn ended as cancelled, and nobody cancelled it", last.request, last);
    },
  },
  {
    id: "TK-LOAD-06",
    title: "A session that does not exist is not brought back: the answer is the error -32002.",
    tier: "advisory",
    dialects: ["v1", "seed"],
    requirements: ["V1-SESS-24", "V1-SESS-42"],
    quick: true,
    run: async (agent) => expectError(await restoreNobody(agent), -32002),
  },
  {
    id: "TK-RESUME-07",
    title: "A session that does not exist is not brought back: the answer is the error -32002.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-SES-24"],
    quick: true,
    run: async (agent) => expectError(await restoreNobody(agent), -32002),
  },
  {
    id: "TK-LOAD-08",
    title: "A replay has no notice.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-UPD-34", "V1-SESS-22", "V2-SES-12"],
    async run(agent) {
      const { replay } = await needed(restored(agent));
      const notice = replay.find((entry) => updateKind(entry) === "notice");
      if (notice) fail("a notice was replayed", notice);
    },
  },
  {
    id: "ACP-RESUME-001",
    title: "session/resume brings a session back.",
    tier: "capability",
    dialects: ["v1", "seed"],
    requirements: ["V1-SESS-26", "V1-SESS-27"],
    run: async (agent) => void (await resumed(agent)),
  },
  {
    id: "ACP-RESUME-201",
    title: "session/resume brings a session back.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-SES-07"],
    quick: true,
    run: async (agent) => void (await resumed(agent)),
  },
  {
    id: "ACP-RESUME-002",
    title: "session/resume replays no message.",
    tier: "capability",
    dialects: ["v1", "seed"],
    requirements: ["V1-SESS-27"],
    run: async (agent) => void (await expectNoHistory(agent)),
  },
  {
    id: "ACP-RESUME-203",
    title: "session/resume without replayFrom replays no message.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-SES-08"],
    async run(agent) {
      const sessionId = await expectNoHistory(agent);
      await needed(agent.ask("session/close", { sessionId }));
      const params = { sessionId, cwd: agent.options.cwd, replayFrom: null };
      const answer = await needed(agent.ask("session/resume", params));
      expectNoHistoryIn(agent, answer, sessionId);
    },
  },
  {
    id: "ACP-RESUME-202",
    title: "Every update of the replay comes before the answer to session/resume.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-SES-08"],
    async run(agent) {
      const { answer, session } = await needed(restored(agent));
      await agent.drain();
      const late = agent.talk
        .of("agent", answer.index)
        .find((entry) => isHistory(entry) && sessionOf(entry) === session);
      if (late) fail(`${labelOf(late)} came after the replay`, answer, late);
    },
  },
  {
    id: "ACP-RESUME-204",
    title: "A replayed message of the user has the id of the answer to its prompt.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-SES-12", "V2-PRM-04"],
    async run(agent) {
      const { replay, messageId } = await needed(restored(agent));
      const users = replay.filter((entry) => /^user_message/.test(updateKind(entry) ?? ""));
      if (users.length === 0 || messageId === undefined) skip("No message of the user was replayed.");
      const ids = users.map((entry) => updateOf(entry)?.messageId);
      expect(ids.includes(messageId), `the ids are ${show(ids)}, not ${show(messageId)}`, ...users);
    },
  },
  {
    id: "ACP-RESUME-205",
    title: "In a replay, the chunks of a message follow an update of the whole message.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["P-REPLAY-12"],
    async run(agent) {
      const { replay } = await needed(restored(agent));
      const whole = new Set<unknown>();
      for (const entry of replay) {
        const { messageId } = updateOf(entry) ?? {};
        const kind = updateKind(entry) ?? "";
        if (/^(user_message|agent_message|agent_thought)$/.test(kind)) whole.add(messageId);
        if (/_chunk$/.test(kind) && messageId !== undefined)
          expect(whole.has(messageId), "the chunk comes first", entry);
      }
    },
  },
];

/** Returns `true` for the update of a message. */
export function isHistory(entry: Entry): boolean {
  return /^(user_message|agent_message|agent_thought)/.test(updateKind(entry) ?? "");
}

/** Name of a prompt, or its content. */
type Prompt = PromptName | readonly object[];

/** Opens a session with one turn. Closes it, if the agent can close sessions. */
async function used(
  agent: AgentTrial,
  ability: Ability,
  prompt: Prompt,
): Promise<{ readonly session: string; readonly messageId: unknown }> {
  const session = await agent.open();
  agent.requires(ability);
  const { answer } = await needed(agent.turn(session, prompt));
  if (agent.offers("close")) await needed(agent.ask("session/close", { sessionId: session }));
  return { session, messageId: resultOf(answer).messageId };
}

/** Fails if a session was not restored. An agent may forget a session that was closed. */
function expectRestored(answer: Entry): void {
  if (errorOf(answer).code === -32002) skip("The agent keeps no closed sessions.");
  expectResult(answer);
}

/** Restores a session of one prompt with its history. */
export async function restored(agent: AgentTrial, prompt: Prompt = "say") {
  const { session, messageId } = await used(agent, agent.dialect.restore.ability, prompt);
  return { messageId, ...(await restoredAgain(agent, session)) };
}

/** Restores a session of this conversation with its history. */
export async function restoredAgain(agent: AgentTrial, session: string) {
  const { method, params } = agent.dialect.restore;
  const request = agent.begin(method, { sessionId: session, cwd: agent.options.cwd, ...params });
  const answer = await agent.answerTo(request);
  expectRestored(answer);
  const isReplay = (entry: Entry) =>
    sessionOf(entry) === session && updateOf(entry) !== undefined && entry.index < answer.index;
  return { session, answer, replay: agent.talk.of("agent", request.index).filter(isReplay) };
}

/** Restores a session without its history. */
export async function resumed(agent: AgentTrial) {
  const { session } = await used(agent, "resume", "say");
  const answer = await agent.ask("session/resume", { sessionId: session, cwd: agent.options.cwd });
  expectRestored(answer);
  return { session, answer };
}

/** Returns the restored session. */
async function expectNoHistory(agent: AgentTrial): Promise<string> {
  const { answer, session } = await needed(resumed(agent));
  expectNoHistoryIn(agent, answer, session);
  return session;
}

function expectNoHistoryIn(agent: AgentTrial, answer: Entry, session: string): void {
  const old = agent.talk
    .of("agent", answer.request?.index)
    .find((entry) => isHistory(entry) && sessionOf(entry) === session && entry.index < answer.index);
  if (old) fail("the message was replayed", answer.request, old, answer);
}

async function restoreNobody(agent: AgentTrial): Promise<Entry> {
  await agent.open();
  const { method, ability, params } = agent.dialect.restore;
  agent.requires(ability);
  return needed(agent.ask(method, { sessionId: "turnkit-nobody", cwd: agent.options.cwd, ...params }));
}
