import type { ModelAgent } from "../model/model-agent.js";
import { failure, type Loose } from "../model/model-session.js";
import { after, type Mutant } from "./mutant.js";

/** Refuses or answers some calls of a method before its handler sees them. */
export const before = (agent: ModelAgent, method: string, look: (params: Loose) => unknown): void => {
  const handle = agent.handle.bind(agent);
  agent.handle = (called, params, frame) => {
    const answer = called === method ? look((params as Loose | undefined) ?? {}) : undefined;
    return answer === undefined ? handle(called, params, frame) : answer;
  };
};

export const refuse = (agent: ModelAgent, method: string, fits: (params: Loose) => boolean, code = -32603): void =>
  before(agent, method, (params) => {
    if (fits(params)) throw failure(code, "No");
    return undefined;
  });

/** Sends the updates of every session with the id of the first or the last one. */
const naming = (agent: ModelAgent, at: 0 | -1): void =>
  agent.outgoing((frame) => {
    if (frame.method !== "session/update" || !agent.sessions.has(frame.params.sessionId)) return frame;
    return { ...frame, params: { ...frame.params, sessionId: [...agent.sessions.keys()].at(at) } };
  });

export const sessionMutants: readonly Mutant[] = [
  {
    check: "ACP-SESSION-001",
    what: "names a session with a number",
    also: ["ACP-SCHEMA-001"],
    alter: (agent) => agent.result("session/new", (result) => ({ ...result, sessionId: 1 })),
  },
  {
    check: "ACP-SESSION-002",
    what: "gives every session the same id",
    also: ["TK-SESSION-03", "TK-SESSION-11"],
    alter: (agent) => agent.result("session/new", (result) => ({ ...result, sessionId: "s-1" })),
  },
  {
    check: "TK-SESSION-03",
    what: "sends commands before the session is known",
    alter: (agent) =>
      agent.result("session/new", (result) => {
        agent.say(result.sessionId, { sessionUpdate: "available_commands_update", availableCommands: [] });
        return result;
      }),
  },
  {
    check: "ACP-SESSION-203",
    dialect: "v2",
    what: "refuses an empty list of MCP servers",
    alter: (agent) =>
      refuse(agent, "session/new", ({ cwd, mcpServers }) => cwd === "/work" && mcpServers?.length === 0),
  },
  {
    check: "TK-SESSION-04",
    what: "accepts a relative cwd",
    alter: (agent) =>
      before(agent, "session/new", ({ cwd }) => (cwd === "some/folder" ? { sessionId: "relative" } : undefined)),
  },
  {
    check: "TK-SESSION-05",
    what: "takes missing MCP servers for none",
    alter: (agent) =>
      before(agent, "session/new", ({ cwd, mcpServers }) =>
        cwd === "/work" && mcpServers === undefined ? { sessionId: "x" } : undefined,
      ),
  },
  {
    check: "TK-SESSION-06",
    what: "refuses null in place of MCP servers",
    alter: (agent) => refuse(agent, "session/new", ({ mcpServers }) => mcpServers === null, -32602),
  },
  {
    check: "TK-SESSION-07",
    what: "drops a malformed MCP server",
    alter: (agent) =>
      before(agent, "session/new", ({ mcpServers }) =>
        mcpServers?.[0]?.name === "broken" ? { sessionId: "x" } : undefined,
      ),
  },
  {
    check: "TK-SESSION-08",
    dialect: "v2",
    what: "ignores an MCP server of an unknown type",
    alter: (agent) =>
      before(agent, "session/new", ({ mcpServers }) =>
        mcpServers?.[0]?.name === "unknown" ? { sessionId: "x" } : undefined,
      ),
  },
  {
    check: "TK-SESSION-09",
    what: "refuses unknown members",
    alter: (agent) => refuse(agent, "session/new", (params) => "turnkitUnknown" in params, -32602),
  },
  {
    check: "TK-SESSION-10",
    what: "refuses a second session/new at the same time",
    alter(agent) {
      const request = agent.request.bind(agent);
      let last = 0;
      agent.request = async (frame) => {
        const isSecond = frame.method === "session/new" && frame.id === last + 1 && frame.id > 3;
        if (frame.method === "session/new") last = frame.id;
        if (
          isSecond &&
          frame.params?.cwd === "/work" &&
          frame.params.mcpServers?.length === 0 &&
          Object.keys(frame.params).length === 2
        )
          agent.write({ jsonrpc: "2.0", id: frame.id, error: { code: -32603, message: "Busy" } });
        else await request(frame);
      };
    },
  },
  {
    check: "TK-SESSION-11",
    what: "waits for the turn of another session",
    alter(agent) {
      const handler = agent.handlers.get("session/prompt");
      agent.handlers.set("session/prompt", async (params, call) => {
        const other = [...agent.sessions.values()].find(
          ({ id, turn }) => id !== params.sessionId && turn !== undefined,
        );
        await other?.turn?.aborted;
        return handler?.(params, call);
      });
    },
  },
  {
    check: "TK-SESSION-12",
    what: "sends an update for a session that nobody knows",
    alter: (agent) =>
      agent.update("agent_message_chunk", (update) =>
        after(agent.say("other", { sessionUpdate: "session_info_update" }), update),
      ),
  },
  {
    check: "TK-SESSION-13",
    what: "answers a prompt for an unknown session with an internal error",
    alter: (agent) => refuse(agent, "session/prompt", ({ sessionId }) => sessionId === "turnkit-nobody"),
  },
  {
    check: "TK-SESSION-14",
    dialect: "v2",
    what: "answers a prompt for an unknown session with an internal error",
    alter: (agent) => refuse(agent, "session/prompt", ({ sessionId }) => sessionId === "turnkit-nobody"),
  },
  {
    check: "TK-SESSION-15",
    what: "names the newest session in every update",
    alter: (agent) => naming(agent, -1),
  },
  {
    check: "TK-SESSION-15",
    dialect: "v2",
    what: "names the newest session in every update",
    // The older session never becomes idle, and the newer one does in its place.
    also: ["TK-CANCEL-03", "TK-CLOSE-07"],
    alter: (agent) => naming(agent, -1),
  },
  {
    check: "TK-SESSION-15",
    dialect: "v2",
    what: "names the oldest session in every update",
    // The newer session never becomes idle, and both count their messages from 1.
    also: ["TK-SESSION-11", "TK-IDEM-04", "TK-MESSAGE-01"],
    alter: (agent) => naming(agent, 0),
  },
  {
    check: "ACP-INFO-UNKNOWNSESSION-001",
    what: "answers a prompt for an unknown session with wrong params",
    also: ["TK-SESSION-13"],
    remark: /-32602/,
    alter: (agent) => refuse(agent, "session/prompt", ({ sessionId }) => sessionId === "turnkit-nobody", -32602),
  },
  {
    check: "ACP-ADDDIRS-001",
    what: "refuses additional directories",
    alter: (agent) => refuse(agent, "session/new", ({ additionalDirectories: all }) => all?.[0] === "/work"),
  },
  {
    check: "ACP-ADDDIRS-201",
    dialect: "v2",
    what: "refuses additional directories",
    alter: (agent) => refuse(agent, "session/new", ({ additionalDirectories: all }) => all?.[0] === "/work"),
  },
  {
    check: "TK-ADDDIRS-03",
    what: "drops a relative additional directory",
    alter: (agent) =>
      before(agent, "session/new", ({ additionalDirectories: all }) =>
        all?.[0] === "some/folder" ? { sessionId: "x" } : undefined,
      ),
  },
];
