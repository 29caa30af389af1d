import type { ModelAgent } from "../model/model-agent.js";
import type { Loose } from "../model/model-session.js";
import type { Mutant } from "./mutant.js";
import { before, refuse } from "./sessions.js";

const known = ({ sessionId }: Loose) => sessionId !== "turnkit-nobody";
const isEmpty = (params: Loose) => Object.keys(params).length === 0;
const nowhere = { sessionId: "other", cwd: "/other" };
const noTurns = (agent: ModelAgent) =>
  agent.handlers.set("session/close", ({ sessionId }) => {
    const session = agent.sessions.get(sessionId);
    if (session) session.isOpen = false;
    return {};
  });

export const lifecycleMutants: readonly Mutant[] = [
  {
    check: "ACP-LIST-001",
    what: "fails to list without a filter",
    also: ["TK-LIST-07"],
    alter: (agent) => refuse(agent, "session/list", isEmpty),
  },
  {
    check: "ACP-LIST-201",
    dialect: "v2",
    what: "fails to list without a filter",
    also: ["TK-LIST-07"],
    alter: (agent) => refuse(agent, "session/list", isEmpty),
  },
  {
    check: "ACP-LIST-002",
    what: "fails for a folder without sessions",
    alter: (agent) => refuse(agent, "session/list", ({ cwd }) => cwd === "/turnkit/no/such/folder"),
  },
  {
    check: "ACP-LIST-202",
    dialect: "v2",
    what: "fails for a folder without sessions",
    alter: (agent) => refuse(agent, "session/list", ({ cwd }) => cwd === "/turnkit/no/such/folder"),
  },
  {
    check: "ACP-LIST-203",
    what: "lists sessions of other folders too",
    alter: (agent) =>
      agent.result("session/list", (result, { cwd, cursor }) =>
        cwd === "/work" && cursor === undefined && result.nextCursor === undefined
          ? { ...result, sessions: [...result.sessions, nowhere] }
          : result,
      ),
  },
  {
    check: "ACP-LIST-203",
    what: "lists sessions of the folders below too",
    alter: (agent) => {
      const handler = agent.handlers.get("session/list");
      agent.handlers.set("session/list", (params, call) =>
        handler?.(params.cwd === "/" ? { ...params, cwd: "/work" } : params, call),
      );
    },
  },
  {
    check: "ACP-LIST-204",
    what: "lists relative folders",
    alter: (agent) =>
      agent.result("session/list", (result, { cwd }) =>
        cwd === undefined ? { sessions: [{ ...nowhere, cwd: "work" }] } : result,
      ),
  },
  {
    check: "TK-LIST-05",
    what: "gives the same page for ever",
    alter: (agent) => {
      const handler = agent.handlers.get("session/list");
      agent.handlers.set("session/list", ({ cursor, ...params }, call) =>
        handler?.(cursor === "page-2" ? params : { cursor, ...params }, call),
      );
    },
  },
  {
    check: "TK-LIST-05",
    what: "forgets the folder on the second page",
    alter: (agent) =>
      agent.result("session/list", (result, { cursor }) =>
        cursor === "page-2" ? { ...result, sessions: [...result.sessions, nowhere] } : result,
      ),
  },
  {
    check: "TK-LIST-09",
    what: "refuses null in place of a folder",
    alter: (agent) => refuse(agent, "session/list", ({ cwd }) => cwd === null, -32602),
  },
  {
    check: "TK-LIST-06",
    what: "ignores an unknown cursor",
    alter: (agent) =>
      before(agent, "session/list", ({ cursor }) =>
        cursor === "turnkit-given-by-nobody" ? { sessions: [] } : undefined,
      ),
  },
  {
    check: "TK-LIST-07",
    what: "fails to list without params",
    alter: (agent) => {
      const handle = agent.handle.bind(agent);
      agent.handle = (method, params, frame) => {
        if (method === "session/list" && params === undefined) throw new Error("Cannot read properties of undefined");
        return handle(method, params, frame);
      };
    },
  },
  {
    check: "TK-LIST-08",
    what: "ignores a malformed filter",
    alter: (agent) => before(agent, "session/list", ({ cwd }) => (cwd === 7 ? { sessions: [] } : undefined)),
  },
  {
    check: "ACP-CLOSE-001",
    what: "cannot close an idle session",
    alter: (agent) => refuse(agent, "session/close", idle(agent)),
  },
  {
    check: "ACP-CLOSE-201",
    dialect: "v2",
    what: "cannot close an idle session",
    alter: (agent) => refuse(agent, "session/close", idle(agent)),
  },
  { check: "ACP-CLOSE-002", what: "lets the turn of a closed session run", also: ["TK-CLOSE-06"], alter: noTurns },
  { check: "ACP-CLOSE-202", dialect: "v2", what: "lets the turn of a closed session run", alter: noTurns },
  {
    check: "TK-CLOSE-03",
    dialect: "v2",
    what: "sends updates of a closed session",
    alter(agent) {
      let closing: unknown;
      const handler = agent.handlers.get("session/close");
      agent.handlers.set("session/close", (params, call) => {
        if (known(params)) closing = call.id;
        return handler?.(params, call);
      });
      agent.outgoing((frame) => {
        if (frame.id !== closing || "method" in frame) return frame;
        const update = { sessionUpdate: "session_info_update", title: "Closed" };
        return [frame, { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s-1", update } }];
      });
    },
  },
  {
    check: "TK-CLOSE-04",
    what: "takes a prompt for a closed session",
    alter: (agent) =>
      agent.result("session/close", (result, { sessionId }) => {
        const session = agent.sessions.get(sessionId);
        if (session) session.isOpen = true;
        return result;
      }),
  },
  {
    check: "TK-CLOSE-05",
    what: "fails to close an unknown session with wrong params",
    alter: (agent) => refuse(agent, "session/close", (params) => !known(params), -32602),
  },
  {
    check: "TK-CLOSE-06",
    what: "answers a close before the prompt",
    alter: (agent) => {
      const handler = agent.handlers.get("session/close");
      agent.handlers.set("session/close", (params, call) => {
        void handler?.(params, call);
        return {};
      });
    },
  },
  {
    check: "TK-CLOSE-07",
    what: "stops all turns when it closes one session",
    alter: (agent) => {
      const handler = agent.handlers.get("session/close");
      agent.handlers.set("session/close", (params, call) => {
        for (const { turn } of agent.sessions.values()) turn?.abort();
        return handler?.(params, call);
      });
    },
  },
  {
    check: "ACP-DELETE-001",
    what: "cannot delete a new session",
    alter: (agent) => refuse(agent, "session/delete", fresh(agent)),
  },
  {
    check: "ACP-DELETE-201",
    dialect: "v2",
    what: "cannot delete a new session",
    alter: (agent) => refuse(agent, "session/delete", fresh(agent)),
  },
  {
    check: "ACP-DELETE-202",
    what: "lists a deleted session",
    alter: (agent) => void agent.handlers.set("session/delete", () => ({})),
  },
  {
    check: "ACP-DELETE-002",
    what: "fails to delete an unknown session",
    alter: (agent) => refuse(agent, "session/delete", (params) => !known(params)),
  },
  {
    check: "ACP-DELETE-203",
    dialect: "v2",
    what: "fails to delete an unknown session",
    alter: (agent) => refuse(agent, "session/delete", (params) => !known(params)),
  },
];

/** Sessions without any prompt. */
function idle(agent: ModelAgent) {
  return ({ sessionId }: Loose) => agent.sessions.get(sessionId)?.prompts === 0;
}

function fresh(agent: ModelAgent) {
  return ({ sessionId }: Loose) => agent.sessions.has(sessionId);
}
