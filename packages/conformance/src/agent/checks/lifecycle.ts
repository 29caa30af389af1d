import type { AgentCheck } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, errorOf, frameOf, isObject, labelOf, objectsIn, resultOf, show } from "../../entry.js";
import { sessionOf } from "../../talk.js";
import { expect, expectError, expectResult, fail, skip } from "../../verdict.js";
import type { AgentTrial } from "../agent-trial.js";
import { isAbsolute } from "./client-tools.js";

const PAGES = 100;

/** Checks of `session/list`, `session/close` and `session/delete`. */
export const lifecycleChecks: readonly AgentCheck[] = [
  listing("ACP-LIST-001", ["v1", "seed"], ["V1-SESS-28", "V1-SESS-29"], expectList),
  listing("ACP-LIST-201", ["v2"], ["V2-SES-20"], expectList),
  {
    ...listing("ACP-LIST-002", ["v1", "seed"], ["V1-SESS-29"], expectNone),
    title: "A list for a folder without sessions is empty.",
  },
  {
    ...listing("ACP-LIST-202", ["v2"], ["V2-SES-20", "V2-SES-21"], expectNone),
    title: "A list for a folder without sessions is empty.",
  },
  {
    id: "ACP-LIST-203",
    title: "A list for a folder has only sessions of that folder.",
    tier: "capability",
    dialects: everyDialect,
    requirements: ["V1-SESS-29", "V2-SES-21"],
    async run(agent) {
      await agent.open();
      agent.requires("list");
      const { cwd } = agent.options;
      const last = cwd.search(/[/\\][^/\\]+$/);
      // The parent folder has no session, but the path of a session begins with the path of the parent folder.
      for (const folder of last < 0 ? [cwd] : [cwd, cwd.slice(0, last) || "/"]) {
        const answer = await agent.ask("session/list", { cwd: folder });
        const other = objectsIn(resultOf(answer).sessions).find((session) => session.cwd !== folder);
        expect(other === undefined, `a session has the folder ${show(other?.cwd)}`, answer.request, answer);
      }
    },
  },
  {
    id: "ACP-LIST-204",
    title: "Folders of listed sessions are absolute.",
    tier: "capability",
    dialects: everyDialect,
    requirements: ["V1-SESS-30", "V1-RPC-23", "V2-SES-22", "V2-ENV-11"],
    watch(talk) {
      const listed = talk.results("session/list");
      if (listed.every((answer) => objectsIn(resultOf(answer).sessions).length === 0)) skip("No session was listed.");
      for (const answer of listed)
        for (const { cwd } of objectsIn(resultOf(answer).sessions))
          expect(isAbsolute(cwd), `the folder is ${show(cwd)}`, answer);
    },
  },
  {
    id: "TK-LIST-05",
    title: "A list for a folder has a last page. All its sessions are of this folder, and none is on it twice.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-SESS-29", "V1-SESS-31", "V1-SESS-32", "V2-SES-20", "V2-SES-21"],
    async run(agent) {
      await agent.open();
      agent.requires("list");
      for (let more = 0; more < 3; more += 1) await agent.newSession();
      const seen = new Set<unknown>();
      let cursor: unknown;
      for (let page = 0; page < PAGES; page += 1) {
        const answer = await agent.ask("session/list", { cwd: agent.options.cwd, ...(cursor != null && { cursor }) });
        expectResult(answer);
        for (const { sessionId, cwd } of objectsIn(resultOf(answer).sessions)) {
          expect(cwd === agent.options.cwd, `a session has the folder ${show(cwd)}`, answer.request, answer);
          expect(!seen.has(sessionId), `the session ${show(sessionId)} was on a page before`, answer);
          seen.add(sessionId);
        }
        cursor = resultOf(answer).nextCursor;
        if (cursor == null) return;
      }
      skip(`The list has more than ${PAGES} pages.`);
    },
  },
  {
    id: "TK-LIST-06",
    title: "A cursor that the agent did not give is refused.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-SESS-32", "V2-SES-20"],
    async run(agent) {
      await agent.open();
      agent.requires("list");
      expectError(await agent.ask("session/list", { cursor: "turnkit-given-by-nobody" }));
    },
  },
  {
    id: "TK-LIST-07",
    title: "session/list needs no params.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-RPC-07", "V1-SESS-28", "V2-ENV-10"],
    async run(agent) {
      await agent.open();
      agent.requires("list");
      expectResult(await agent.ask("session/list"));
    },
  },
  {
    id: "TK-LIST-09",
    title: "null in place of the folder and of the cursor of session/list is read as absent.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-SESS-28", "V2-SES-20"],
    async run(agent) {
      await agent.open();
      agent.requires("list");
      expectList(await agent.ask("session/list", { cwd: null, cursor: null }));
    },
  },
  {
    id: "TK-LIST-08",
    title: "A malformed filter is refused with the error -32602, and not ignored.",
    tier: "mandatory",
    dialects: ["v1", "v2"],
    requirements: ["V1-SESS-28", "V1-LEN-05", "V2-DEC-02"],
    async run(agent) {
      await agent.open();
      agent.requires("list");
      expectError(await agent.ask("session/list", { cwd: 7 }, "deliberate"), -32602);
    },
  },
  closing("ACP-CLOSE-001", ["v1", "seed"], ["V1-SESS-34"]),
  closing("ACP-CLOSE-201", ["v2"], ["V2-SES-15"]),
  closingBusy("ACP-CLOSE-002", ["v1", "seed"], ["V1-SESS-35"]),
  closingBusy("ACP-CLOSE-202", ["v2"], ["V2-SES-15"]),
  {
    id: "TK-CLOSE-03",
    title: "No message about a session comes after session/close was answered.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-SES-17"],
    async run(agent) {
      const turn = await agent.longTurn(await agent.open());
      const answer = await agent.did("session/close", { sessionId: turn.sessionId });
      await agent.drain();
      const late = agent.talk.of("agent", answer.index).find((entry) => sessionOf(entry) === turn.sessionId);
      if (late) fail(`${labelOf(late)} came after the answer`, answer, late);
    },
  },
  {
    id: "TK-CLOSE-04",
    title: "A prompt for a closed session is answered with the error -32002.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-SESS-42", "V2-SES-24"],
    async run(agent) {
      const sessionId = await agent.open();
      agent.requires("close");
      await agent.did("session/close", { sessionId });
      expectError(await agent.ask("session/prompt", { sessionId, prompt: [{ type: "text", text: "Hello" }] }), -32002);
    },
  },
  {
    id: "TK-CLOSE-05",
    title: "Closing a session that does not exist succeeds, or fails with the error -32002.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-SESS-37", "V2-SES-18"],
    async run(agent) {
      await agent.open();
      agent.requires("close");
      const answer = await agent.ask("session/close", { sessionId: "turnkit-nobody" });
      const fits = answer.kind === "result" || errorOf(answer).code === -32002;
      expect(fits, `the answer is ${show(answer.frame)}`, answer.request, answer);
    },
  },
  {
    id: "TK-CLOSE-06",
    title: "A prompt is answered before the close that cancels it.",
    tier: "advisory",
    dialects: ["v1", "seed"],
    requirements: ["V1-SESS-36"],
    async run(agent) {
      const turn = await agent.longTurn(await agent.open());
      agent.requires("close");
      const closed = await agent.did("session/close", { sessionId: turn.sessionId });
      const answer = await agent.answerTo(turn.request);
      expect(answer.index < closed.index, "the close was answered first", closed, answer);
    },
  },
  deleting("ACP-DELETE-001", ["v1", "seed"], ["V1-SESS-39"]),
  deleting("ACP-DELETE-201", ["v2"], ["V2-SES-23"]),
  {
    id: "ACP-DELETE-202",
    title: "A deleted session is not listed.",
    tier: "capability",
    dialects: everyDialect,
    requirements: ["V1-SESS-40", "V2-SES-23"],
    async run(agent) {
      const sessionId = await agent.open();
      for (const ability of ["delete", "list"] as const) agent.requires(ability);
      const list = () => agent.did("session/list", { cwd: agent.options.cwd });
      const has = (answer: Entry) =>
        objectsIn(resultOf(answer).sessions).some((session) => session.sessionId === sessionId);
      if (!has(await list())) skip("The session was not listed before.");
      await agent.did("session/delete", { sessionId });
      const after = await list();
      expect(!has(after), "the session is listed", after);
    },
  },
  deletingNobody("ACP-DELETE-002", ["v1", "seed"], ["V1-SESS-41"]),
  deletingNobody("ACP-DELETE-203", ["v2"], ["V2-SES-23"]),
];

type Dialects = AgentCheck["dialects"];
type Ids = readonly string[];

function listing(id: string, dialects: Dialects, requirements: Ids, judge: (answer: Entry) => void): AgentCheck {
  const isFirst = judge === expectList;
  return {
    ...{ id, title: "session/list succeeds with a list.", tier: "capability", dialects, requirements },
    ...(isFirst && { quick: true }),
    async run(agent) {
      await agent.open();
      agent.requires("list");
      judge(await agent.ask("session/list", isFirst ? {} : { cwd: "/turnkit/no/such/folder" }));
    },
  };
}

function expectList(answer: Entry): void {
  expectResult(answer);
  const { sessions } = resultOf(answer);
  expect(Array.isArray(sessions), `sessions is ${show(sessions)}`, answer);
}

function expectNone(answer: Entry): void {
  expectList(answer);
  expect(objectsIn(resultOf(answer).sessions).length === 0, "the list is not empty", answer);
}

function expectEmptyObject(answer: Entry): void {
  expectResult(answer);
  const { result } = frameOf(answer);
  expect(isObject(result), `the result is ${show(result)}`, answer);
}

function closing(id: string, dialects: Dialects, requirements: Ids): AgentCheck {
  return {
    ...{ id, title: "session/close succeeds.", tier: "capability", dialects, requirements, quick: true },
    async run(agent) {
      const sessionId = await agent.open();
      agent.requires("close");
      expectEmptyObject(await agent.ask("session/close", { sessionId }));
    },
  };
}

function closingBusy(id: string, dialects: Dialects, requirements: Ids): AgentCheck {
  return {
    ...{ id, title: "session/close ends a turn as cancelled.", tier: "capability", dialects, requirements },
    async run(agent) {
      const turn = await agent.longTurn(await agent.open());
      agent.requires("close");
      agent.begin("session/close", { sessionId: turn.sessionId });
      const { stopReason, last } = await turn.ended();
      expect(stopReason === "cancelled", `the turn ended as ${show(stopReason)}`, last);
    },
  };
}

function deleting(id: string, dialects: Dialects, requirements: Ids): AgentCheck {
  return {
    ...{ id, title: "session/delete succeeds.", tier: "capability", dialects, requirements },
    async run(agent) {
      const sessionId = await agent.open();
      agent.requires("delete");
      expectEmptyObject(await agent.ask("session/delete", { sessionId }));
    },
  };
}

function deletingNobody(id: string, dialects: Dialects, requirements: Ids): AgentCheck {
  return {
    ...{ id, title: "Deleting a session that does not exist succeeds.", tier: "advisory", dialects, requirements },
    async run(agent: AgentTrial) {
      await agent.open();
      agent.requires("delete");
      expectResult(await agent.ask("session/delete", { sessionId: "turnkit-nobody" }));
    },
  };
}
