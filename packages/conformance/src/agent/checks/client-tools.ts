import type { AgentCheck } from "../../check.js";
import type { ClientAbility } from "../../dialects/dialect.js";
import { type Entry, membersOf, paramsOf, resultOf, show, textOf } from "../../entry.js";
import type { Talk } from "../../talk.js";
import { expect, fail, skip } from "../../verdict.js";
import type { AgentTrial } from "../agent-trial.js";

/** Checks of calls to the client (files, terminals, questions), and of updates that need a capability of the client. */
export const clientToolChecks: readonly AgentCheck[] = [
  {
    id: "ACP-CLIENTCAP-001",
    title: "Files are read and written only through a client that offers this.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-FS-01", "V1-INIT-10"],
    quick: true,
    async run(agent) {
      const session = await agent.open();
      await agent.turn(session, agent.isPlain ? "say" : "read");
      if (!agent.isPlain) await agent.turn(session, "write");
      expectNoCall(agent, /^fs\//);
    },
  },
  {
    id: "TK-FS-02",
    title: "A client that only reads files gets no request to write one.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-FS-01"],
    async run(agent) {
      await agent.turn(await agent.open("readTextFile"), "write");
      expectNoCall(agent, /^fs\/write/);
    },
  },
  {
    id: "TK-FS-03",
    title: "Paths of files are absolute.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-FS-02", "V1-FS-05", "V1-RPC-23"],
    watch(talk) {
      const calls = ["fs/read_text_file", "fs/write_text_file"].flatMap((method) => talk.calls("agent", method));
      if (calls.length === 0) skip("The agent used no file of the client.");
      for (const call of calls)
        expect(isAbsolute(paramsOf(call).path), `the path is ${show(paramsOf(call).path)}`, call);
    },
  },
  {
    id: "TK-FS-04",
    title: "A turn goes on to its end if a file cannot be read or written.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-PROMPT-11", "V1-ERR-02"],
    async run(agent) {
      const reading = await agent.open("readTextFile", "writeTextFile");
      const writing = await agent.newSession();
      for (const method of ["fs/read_text_file", "fs/write_text_file"])
        agent.serve(method, () => ({ error: { code: -32002, message: "Resource not found" } }));
      await agent.turn(reading, "read");
      await agent.turn(writing, "write");
      if (agent.talk.of("agent").every(({ method }) => !method?.startsWith("fs/")))
        skip("The agent used no file of the client.");
    },
  },
  {
    id: "ACP-CLIENTCAP-002",
    title: "Terminals are used only with a client that offers them.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-TERM-01", "V1-INIT-10"],
    quick: true,
    async run(agent) {
      await agent.turn(await agent.open(), agent.isPlain ? "say" : "terminal");
      expectNoCall(agent, /^terminal\//);
    },
  },
  {
    id: "TK-TERM-02",
    title: "Every terminal that was created is released.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-TERM-15"],
    async run(agent) {
      await agent.turn(await agent.open("terminal"), "terminal");
      await expectReleased(agent);
    },
  },
  {
    id: "TK-TERM-03",
    title: "A terminal is released if its turn is cancelled.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-TERM-15", "V1-CANCEL-11"],
    async run(agent) {
      const session = await agent.open("terminal");
      agent.serve("terminal/wait_for_exit", () => undefined);
      const turn = agent.prompt(session, "long-terminal");
      const isStart = (entry: Entry) => entry.request === turn.request || entry.method === "terminal/wait_for_exit";
      const { timeoutMs: ms } = agent.options;
      const start = await agent.talk.when(isStart, { ms, from: turn.request.index });
      const isCreated = agent.talk.of("agent").some(({ method }) => method === "terminal/create");
      const isUsed = isCreated && start?.request !== turn.request;
      // An agent may also run the command itself, for example behind a gateway.
      if (!isUsed) skip("The agent used no terminal of the client.");
      agent.cancel(session);
      await turn.ended();
      await expectReleased(agent);
    },
  },
  {
    id: "TK-TERM-04",
    title: "A released terminal is not used again.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-TERM-13"],
    watch(talk) {
      const released = new Map<unknown, Entry>();
      for (const entry of talk.of("agent")) {
        if (entry.kind !== "request" || !entry.method?.startsWith("terminal/")) continue;
        const { terminalId } = paramsOf(entry);
        const before = released.get(terminalId);
        if (terminalId !== undefined && before) fail("the terminal was released before", before, entry);
        if (entry.method === "terminal/release") released.set(terminalId, entry);
      }
      if (released.size === 0) skip("The agent used no terminal of the client.");
    },
  },
  {
    id: "TK-TERM-05",
    title: "A turn goes on to its end if a terminal cannot be created.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-PROMPT-11", "V1-ERR-02"],
    async run(agent) {
      const session = await agent.open("terminal");
      agent.serve("terminal/create", () => ({ error: { code: -32603, message: "No such program" } }));
      await agent.turn(session, "terminal");
      const used = agent.talk.of("agent").some(({ method }) => method === "terminal/create");
      if (!used) skip("The agent used no terminal of the client.");
    },
  },
  {
    id: "TK-TERM-06",
    title: "A terminal in a tool call was created on this connection, and is not released yet.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-TOOL-08"],
    watch(talk) {
      const alive = new Set<unknown>();
      let shown = 0;
      const seen = new Set<unknown>();
      for (const entry of talk.entries) {
        if (entry.by === "client" && entry.method === "terminal/create") alive.add(resultOf(entry).terminalId);
        if (entry.by === "agent" && entry.kind === "request" && entry.method === "terminal/release")
          alive.delete(paramsOf(entry).terminalId);
        for (const terminalId of terminalsIn(talk, entry)) {
          shown += 1;
          // A later update may repeat the content of the call.
          if (!seen.has(terminalId))
            expect(alive.has(terminalId), `the terminal ${show(terminalId)} does not exist`, entry);
          seen.add(terminalId);
        }
      }
      if (shown === 0) skip("No tool call showed a terminal.");
    },
  },
  {
    id: "ACP-CLIENTCAP-003",
    title: "elicitation/create is sent only to a client that offers it.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-ELIC-01", "V1-INIT-10"],
    watch: expectNoElicitation,
  },
  {
    id: "ACP-CLIENTCAP-201",
    title: "elicitation/create is sent only to a client that offers it.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-ELI-03", "V2-INIT-13"],
    watch: expectNoElicitation,
  },
  gatedUpdates("TK-CLIENTCAP-05", "Notices", "notices", /^notice$/, ["V1-UPD-33"]),
  gatedUpdates("TK-CLIENTCAP-06", "Compactions", "compaction", /^compaction_/, ["V1-UPD-36"]),
  gatedUpdates("TK-CLIENTCAP-07", "Updates of child sessions", "subagents", /^(subagent_update|session_message)/, [
    "P-SUB1-02",
  ]),
  gatedUpdates("TK-CLIENTCAP-08", "Plans with ids", "plan", /^plan_(update|removed)$/, ["P-PLAN-02"]),
];

const memberOf: Partial<Record<ClientAbility, (capabilities: Record<string, unknown>) => unknown>> = {
  notices: ({ session }) => membersOf(session).notices,
  compaction: ({ session }) => membersOf(session).compaction,
  subagents: ({ subagents }) => subagents,
  plan: ({ plan }) => plan,
};

function gatedUpdates(
  id: string,
  what: string,
  ability: ClientAbility,
  kinds: RegExp,
  requirements: readonly string[],
): AgentCheck {
  return {
    ...{ id, title: `${what} are sent only to a client that offers to show them.` },
    ...{ tier: "mandatory", dialects: ["v1"], requirements },
    watch(talk) {
      if (memberOf[ability]?.(membersOf(talk.clientCapabilities())) !== undefined) return;
      const update = talk
        .updates()
        .find((entry) => kinds.test(textOf(membersOf(paramsOf(entry).update).sessionUpdate)));
      if (update) fail("the client did not offer to show this", update);
    },
  };
}

function expectNoCall(agent: AgentTrial, methods: RegExp): void {
  const call = agent.talk.of("agent").find(({ kind, method = "" }) => kind === "request" && methods.test(method));
  if (call) fail(`the client does not offer ${call.method}`, call);
}

function expectNoElicitation(talk: Talk): void {
  if (membersOf(talk.clientCapabilities()).elicitation !== undefined) return;
  const [call] = talk.calls("agent", "elicitation/create");
  if (call) fail("the client does not offer elicitation/create", call);
}

async function expectReleased(agent: AgentTrial): Promise<void> {
  const created = agent.talk
    .of("client")
    .filter(({ kind, method }) => kind === "result" && method === "terminal/create");
  if (created.length === 0) skip("The agent used no terminal of the client.");
  for (const terminal of created) {
    const { terminalId } = resultOf(terminal);
    const isRelease = (entry: Entry) =>
      entry.method === "terminal/release" && paramsOf(entry).terminalId === terminalId;
    await agent.next(isRelease, `terminal/release of ${show(terminalId)}`, terminal);
  }
}

function terminalsIn(talk: Talk, entry: Entry): readonly unknown[] {
  const content = entry.by === "agent" ? talk.toolCallOf(entry)?.content : undefined;
  if (!Array.isArray(content)) return [];
  return content.flatMap((item) => (membersOf(item).type === "terminal" ? [membersOf(item).terminalId] : []));
}

/** Returns `true` for an absolute path of POSIX or Windows. */
export function isAbsolute(path: unknown): boolean {
  return typeof path === "string" && /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}
