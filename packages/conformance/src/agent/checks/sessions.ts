import type { AgentCheck } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, errorOf, paramsOf, resultOf, show, updateKind } from "../../entry.js";
import { sessionOf } from "../../talk.js";
import { expect, expectError, expectResult, fail, skip } from "../../verdict.js";
import { type AgentTrial, needed } from "../agent-trial.js";

/** Checks of `session/new` and of several sessions on one connection. */
export const sessionChecks: readonly AgentCheck[] = [
  {
    id: "ACP-SESSION-001",
    title: "session/new succeeds with the id of a session.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-SESS-02", "V1-INIT-13", "V2-SES-01", "V2-INIT-16"],
    quick: true,
    async run(agent) {
      await agent.ready();
      const answer = await agent.ask("session/new", agent.dialect.newSession(agent.options.cwd));
      if (errorOf(answer).code === -32000) skip("The agent requires a login.");
      expectResult(answer);
      const { sessionId } = resultOf(answer);
      expect(typeof sessionId === "string" && sessionId !== "", `sessionId is ${show(sessionId)}`, answer);
    },
  },
  {
    id: "ACP-SESSION-002",
    title: "Two sessions have different ids.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-SESS-02", "V1-SESS-03", "V2-SES-02"],
    quick: true,
    async run(agent) {
      const first = await agent.open();
      const second = await agent.newSession();
      expect(first !== second, `both sessions have the id ${show(first)}`);
    },
  },
  {
    id: "TK-SESSION-03",
    title: "Nothing about a new session comes before the answer that names it.",
    tier: "mandatory",
    dialects: ["v1", "seed"],
    requirements: ["V1-SESS-04"],
    quick: true,
    watch(talk) {
      const answers = talk.results("session/new");
      if (answers.length === 0) skip("No session was opened.");
      for (const answer of answers) {
        const { sessionId } = resultOf(answer);
        const early = talk.of("agent").find((entry) => sessionOf(entry) === sessionId && entry.index < answer.index);
        if (early) fail("the client does not know this session yet", early, answer);
      }
    },
  },
  {
    id: "ACP-SESSION-203",
    title: "mcpServers may be absent or empty.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-SES-01"],
    async run(agent) {
      const { cwd } = agent.options;
      await agent.open();
      expectResult(await agent.ask("session/new", { cwd, mcpServers: [] }));
    },
  },
  {
    id: "TK-SESSION-04",
    title: "A relative cwd is refused.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-SESS-06", "V1-RPC-23", "V2-SES-01", "V2-ENV-11"],
    async run(agent) {
      await agent.open();
      expectError(await agent.ask("session/new", { ...agent.dialect.newSession("some/folder") }, "deliberate"));
    },
  },
  {
    id: "TK-SESSION-05",
    title: "session/new without mcpServers is answered with the error -32602.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-SESS-01", "V1-LEN-03"],
    async run(agent) {
      await agent.ready();
      expectError(await agent.ask("session/new", { cwd: agent.options.cwd }, "deliberate"), -32602);
    },
  },
  {
    id: "TK-SESSION-06",
    title: "null in place of mcpServers is read as an empty list.",
    tier: "mandatory",
    dialects: ["v1", "v2"],
    requirements: ["V1-LEN-03", "V2-DEC-03"],
    async run(agent) {
      await agent.open();
      expectResult(await agent.ask("session/new", { cwd: agent.options.cwd, mcpServers: null }, "deliberate"));
    },
  },
  {
    id: "TK-SESSION-07",
    title: "One malformed MCP server makes session/new fail with the error -32602.",
    tier: "mandatory",
    dialects: ["v1", "v2"],
    requirements: ["V1-SESS-18", "V1-LEN-05", "V2-DEC-05"],
    async run(agent) {
      await agent.open();
      const params = { cwd: agent.options.cwd, mcpServers: [{ type: "stdio", name: "broken", args: [], env: [] }] };
      expectError(await agent.ask("session/new", params, "deliberate"), -32602);
    },
  },
  {
    id: "TK-SESSION-08",
    title: "An MCP server of a type that the agent did not announce is refused with the error -32602.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-MCP-02", "V2-EXT-05"],
    async run(agent) {
      await agent.open();
      const params = { cwd: agent.options.cwd, mcpServers: [{ type: "_turnkit", name: "unknown" }] };
      expectError(await agent.ask("session/new", params, "deliberate"), -32602);
    },
  },
  {
    id: "TK-SESSION-09",
    title: "Members of session/new that the agent does not know are ignored.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-LEN-08", "V2-DEC-08"],
    async run(agent) {
      await agent.open();
      const params = { ...agent.dialect.newSession(agent.options.cwd), turnkitUnknown: true };
      expectResult(await agent.ask("session/new", params, "deliberate"));
    },
  },
  {
    id: "TK-SESSION-10",
    title: "Two requests for sessions at the same time are both answered.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-SESS-03", "V1-RPC-06", "V2-SES-02"],
    async run(agent) {
      await agent.open();
      const ask = () => agent.begin("session/new", agent.dialect.newSession(agent.options.cwd));
      const requests = [ask(), ask()];
      for (const request of requests) expectResult(await agent.answerTo(request));
    },
  },
  {
    id: "TK-SESSION-11",
    title: "Turns of two sessions run at the same time.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-SESS-03", "V1-PROMPT-13", "V2-PRM-11"],
    async run(agent) {
      const first = await agent.open();
      const second = await agent.newSession();
      await agent.longTurn(first);
      await agent.turn(second, "say");
    },
  },
  {
    id: "TK-SESSION-12",
    title: "Every update names a session of this connection.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-UPD-01", "V2-UPD-01"],
    quick: true,
    watch(talk) {
      const known = new Set<unknown>();
      // Updates of a session that is being opened may come before its answer in version 2.
      for (const entry of talk.results("session/new")) known.add(resultOf(entry).sessionId);
      for (const entry of talk.of("client")) if (entry.method !== "session/new") known.add(sessionOf(entry));
      for (const entry of talk.updates("subagent_update"))
        known.add((paramsOf(entry).update as { readonly sessionId?: unknown }).sessionId);
      const stray = talk.updates().find((entry) => !known.has(sessionOf(entry)));
      if (stray) fail(`no session has the id ${show(sessionOf(stray))}`, stray);
    },
  },
  {
    id: "TK-SESSION-13",
    title: "A prompt for a session that does not exist is answered with the error -32002.",
    tier: "advisory",
    dialects: ["v1", "seed"],
    requirements: ["V1-SESS-42", "V1-ERR-01"],
    run: async (agent) => expectError(await promptNobody(agent), -32002),
  },
  {
    id: "TK-SESSION-14",
    title: "A prompt for a session that does not exist is answered with the error -32002.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-SES-24"],
    quick: true,
    run: async (agent) => expectError(await promptNobody(agent), -32002),
  },
  {
    id: "TK-SESSION-15",
    title: "The updates of a turn name its session, and no other one.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-UPD-01", "V1-SESS-03", "V2-SES-02"],
    async run(agent) {
      const first = await agent.open();
      const second = await agent.newSession();
      for (const [own, other] of [
        [first, second],
        [second, first],
      ] as const)
        await expectOwnUpdates(agent, own, other);
    },
  },
  {
    id: "ACP-INFO-UNKNOWNSESSION-001",
    title: "The answer to a prompt for a session that does not exist is noted.",
    tier: "informational",
    dialects: everyDialect,
    requirements: ["V1-SESS-42", "V2-SES-24"],
    run: async (agent) => show((await promptNobody(agent)).frame),
  },
  {
    id: "ACP-ADDDIRS-001",
    title: "session/new takes an absolute additional directory.",
    tier: "capability",
    dialects: ["v1", "seed"],
    requirements: ["V1-SESS-07", "V1-SESS-08"],
    run: expectDirectory,
  },
  {
    id: "ACP-ADDDIRS-201",
    title: "session/new takes an absolute additional directory.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-SES-06"],
    run: expectDirectory,
  },
  {
    id: "TK-ADDDIRS-03",
    title: "A relative additional directory makes session/new fail.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-SESS-10"],
    async run(agent) {
      await agent.open();
      agent.requires("additionalDirectories");
      const params = { ...agent.dialect.newSession(agent.options.cwd), additionalDirectories: ["some/folder"] };
      expectError(await agent.ask("session/new", params, "deliberate"));
    },
  },
];

async function promptNobody(agent: AgentTrial): Promise<Entry> {
  await agent.ready();
  return needed(
    agent.ask("session/prompt", { sessionId: "turnkit-nobody", prompt: [{ type: "text", text: "Hello" }] }),
  );
}

/** Runs a turn. Fails if only the other session, which has no turn, gets messages, tool calls or plans. */
async function expectOwnUpdates(agent: AgentTrial, own: string, other: string): Promise<void> {
  const turn = agent.prompt(own, "say");
  const skipped = await needed(turn.ended()).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const work = agent.talk.of("agent", turn.request.index).filter((entry) => isWork(entry));
  const stray = work.find((entry) => sessionOf(entry) === other);
  // A session without a turn may send a greeting. If the turn has content of its own, the other content is not from
  // this turn.
  const isSilent = !work.some((entry) => sessionOf(entry) === own);
  if (stray && isSilent) fail(`the turn of ${show(own)} sent its updates as ${show(other)}`, turn.request, stray);
  if (skipped !== undefined) throw skipped;
}

function isWork(entry: Entry): boolean {
  return /^(user_message|agent_|tool_call|plan)/.test(updateKind(entry) ?? "");
}

async function expectDirectory(agent: AgentTrial): Promise<void> {
  await agent.open();
  agent.requires("additionalDirectories");
  const params = { ...agent.dialect.newSession(agent.options.cwd), additionalDirectories: [agent.options.cwd] };
  expectResult(await agent.ask("session/new", params));
}
