import type { AgentCheck } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, errorOf, frameOf, isObject, show, textOf } from "../../entry.js";
import { idOf, type Talk } from "../../talk.js";
import { expect, expectError, fail } from "../../verdict.js";

/** Checks of JSON-RPC. */
export const messageChecks: readonly AgentCheck[] = [
  {
    id: "ACP-JSONRPC-001",
    title: "An answer repeats the id of its request, with the same type.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-RPC-02", "V2-ENV-02"],
    quick: true,
    async run(agent) {
      await agent.ready();
      for (const id of ["1", 0, -7, 9007199254740991, "ä"]) {
        const request = agent.line.frame({ jsonrpc: "2.0", id, method: "_turnkit/id", params: {} });
        await agent.answerTo(request);
      }
    },
  },
  {
    id: "ACP-JSONRPC-002",
    title: "An answer has either a result, or an error with a code and a message.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-RPC-09", "V2-ENV-01", "V2-ERR-01"],
    quick: true,
    watch(talk) {
      for (const answer of answersIn(talk)) {
        const frame = frameOf(answer);
        expect("result" in frame !== "error" in frame, "the answer has not exactly one of result and error", answer);
        const { code, message } = errorOf(answer);
        const isError = Number.isInteger(code) && typeof message === "string";
        expect(answer.kind === "result" || isError, `the error is malformed: ${show(frame.error)}`, answer);
      }
    },
  },
  {
    id: "ACP-JSONRPC-003",
    title: "A notification is never answered.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-RPC-06", "V1-RPC-12", "V2-ENV-09"],
    quick: true,
    async run(agent) {
      const sessionId = await agent.open();
      // An answer without a request may follow the new session. Such an answer does not belong to a notification.
      await agent.settle();
      const from = agent.talk.entries.length;
      const sent = [
        agent.cancel(sessionId),
        agent.notify("turnkit/unknown", {}),
        agent.notify("session/cancel", { sessionId: 7 }, "deliberate"),
      ];
      const settled = await agent.drain();
      const answer = agent.talk.of("agent", from).find((entry) => isAnswer(entry) && entry !== settled);
      if (answer) fail(`a notification was answered: ${show(answer.frame)}`, ...sent, answer);
    },
  },
  {
    id: "ACP-JSONRPC-004",
    title: "An unknown request is answered with the error -32601.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-RPC-12", "V2-ENV-09"],
    quick: true,
    async run(agent) {
      await agent.ready();
      expectError(await agent.ask("turnkit/unknown", {}), -32601);
    },
  },
  {
    id: "ACP-JSONRPC-005",
    title: "The connection works after a request that failed.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-RPC-16", "V2-DEC-10"],
    async run(agent) {
      await agent.ready();
      await agent.ask("session/new", { cwd: 7 }, "deliberate");
      const answer = await agent.ask("session/new", agent.dialect.newSession(agent.options.cwd));
      const isLogin = errorOf(answer).code === -32000;
      expect(answer.kind === "result" || isLogin, "session/new does not work after a wrong one", answer);
    },
  },
  {
    id: "ACP-ERROR-001",
    title: "The message of an error is one line of text.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-RPC-09", "V2-ERR-01"],
    watch(talk) {
      for (const answer of answersIn(talk)) {
        const { message } = errorOf(answer);
        if (typeof message !== "string") continue;
        expect(message.trim() !== "" && !/[\r\n]/.test(message), `the message is ${show(message)}`, answer);
      }
    },
  },
  {
    id: "TK-JSONRPC-06",
    title: "A request is answered only once.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-RPC-06", "V2-ENV-09"],
    quick: true,
    watch(talk) {
      const seen = new Map<Entry, Entry>();
      for (const answer of answersIn(talk)) {
        if (answer.request === undefined) continue;
        const first = seen.get(answer.request);
        if (first) fail("the request was answered twice", answer.request, first, answer);
        seen.set(answer.request, answer);
      }
    },
  },
  {
    id: "TK-JSONRPC-07",
    title: "An answer belongs to a request of the client.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-RPC-02", "V1-RPC-04", "V2-ENV-02", "V2-ENV-04"],
    quick: true,
    watch(talk) {
      // Only an error may have the id null, because the id of the request could not be read.
      const stray = answersIn(talk).find(
        (answer) => answer.request === undefined && (idOf(answer) !== null || answer.kind === "result"),
      );
      if (stray) fail(`no request has the id ${show(idOf(stray))}`, stray);
    },
  },
  {
    id: "TK-JSONRPC-08",
    title: "The agent uses an id again only after the earlier request was answered.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-RPC-05", "V2-ENV-03"],
    watch(talk) {
      const open = new Map<string, Entry>();
      for (const entry of talk.entries) {
        const key = `${typeof idOf(entry)} ${textOf(idOf(entry))}`;
        if (entry.by === "client" && isAnswer(entry)) open.delete(key);
        if (entry.by !== "agent" || entry.kind !== "request") continue;
        const first = open.get(key);
        if (first) fail(`the id ${show(idOf(entry))} is in use`, first, entry);
        open.set(key, entry);
      }
    },
  },
  {
    id: "TK-JSONRPC-15",
    title: "A request is answered while a turn runs.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-RPC-18", "V2-ENV-13"],
    quick: true,
    async run(agent) {
      const turn = await agent.longTurn(await agent.open());
      const answer = await agent.ask("_turnkit/during", {});
      const isOver = agent.talk.entries.some((entry) => entry.request === turn.request && entry.index < answer.index);
      expect(agent.dialect.turnEnd === "idle" || !isOver, "the answer came after the turn", turn.request, answer);
    },
  },
  {
    id: "TK-JSONRPC-16",
    title: "The agent sends no list of messages.",
    tier: "mandatory",
    dialects: ["v1", "v2"],
    requirements: ["V1-RPC-15", "V2-ENV-06", "P-BATCH-01"],
    watch(talk) {
      const list = talk.of("agent").find(({ frame }) => Array.isArray(frame));
      if (list) fail("this line is a list", list);
    },
  },
  {
    id: "TK-JSONRPC-17",
    title: "A request of the agent has an object as its params, if it has any.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-RPC-07", "V2-ENV-10"],
    watch(talk) {
      for (const entry of talk.of("agent")) {
        const { params } = frameOf(entry);
        const isCall = entry.kind === "request" || entry.kind === "notification";
        if (isCall && params !== undefined) expect(isObject(params), `the params are ${show(params)}`, entry);
      }
    },
  },
  {
    id: "TK-JSONRPC-18",
    title: "A request of the agent has a text or an integer as its id.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-ENV-02"],
    quick: true,
    watch(talk) {
      for (const entry of talk.of("agent")) {
        const id = idOf(entry);
        const fits = typeof id === "string" || Number.isInteger(id);
        if (entry.kind === "request") expect(fits, `the id is ${show(id)}`, entry);
      }
    },
  },
];

/** Returns `true` for an answer of either side. */
export function isAnswer({ kind }: Entry): boolean {
  return kind === "result" || kind === "error";
}

function answersIn(talk: Talk): readonly Entry[] {
  return talk.of("agent").filter(isAnswer);
}
