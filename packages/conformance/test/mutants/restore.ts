import type { ModelAgent } from "../model/model-agent.js";
import type { Loose } from "../model/model-session.js";
import { after, type Mutant } from "./mutant.js";
import { refuse } from "./sessions.js";

/** Changes the updates that are sent while a session is brought back. */
const replaying = (agent: ModelAgent, method: string, change: (update: Loose) => unknown) => {
  let isReplay = false;
  const handler = agent.handlers.get(method);
  agent.handlers.set(method, (params, call) => {
    isReplay = true;
    try {
      return handler?.(params, call);
    } finally {
      isReplay = false;
    }
  });
  agent.outgoing((frame) => {
    if (!isReplay || frame.method !== "session/update") return frame;
    const changed = change(frame.params.update);
    const list = changed === undefined ? [] : Array.isArray(changed) ? changed : [changed];
    return list.map((update) => ({ ...frame, params: { ...frame.params, update } }));
  });
};

const withoutCalls = (update: Loose) => (update.sessionUpdate.startsWith("tool_call") ? [] : update);

const isLink = ({ type }: Loose) => type === "resource_link";
const withoutLinks = ({ content, ...update }: Loose) => {
  if (!Array.isArray(content)) return content && isLink(content) ? [] : { ...update, ...(content && { content }) };
  return { ...update, content: content.filter((block) => !isLink(block)) };
};

const late = (agent: ModelAgent, method: string) => {
  const held: Loose[] = [];
  replaying(agent, method, (update) => {
    if (/^agent_message/.test(update.sessionUpdate)) held.push(update);
    return update;
  });
  agent.outgoing((frame) => {
    if ("method" in frame || held.length === 0) return frame;
    const update = held.splice(0)[0];
    return [frame, { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s-1", update } }];
  });
};

const replayed = (agent: ModelAgent, method: string) => {
  const handler = agent.handlers.get(method);
  agent.handlers.set(method, (params, call) => {
    for (const update of agent.sessions.get(params.sessionId)?.history ?? []) agent.say(params.sessionId, update);
    return handler?.(params, call);
  });
};

/** Replays the history from its end to its beginning. */
const backwards = (agent: ModelAgent, method: string) => {
  const handler = agent.handlers.get(method);
  agent.handlers.set(method, (params, call) => {
    const history = agent.sessions.get(params.sessionId)?.history ?? [];
    history.reverse();
    try {
      return handler?.(params, call);
    } finally {
      history.reverse();
    }
  });
};

/** Lets the agent add each replay to the history of its session. */
const remembering = (agent: ModelAgent, method: string) => {
  const handler = agent.handlers.get(method);
  agent.handlers.set(method, (params, call) => {
    const result = handler?.(params, call);
    const { history } = agent.sessions.get(params.sessionId) ?? {};
    if (method === "session/load" || params.replayFrom) history?.push(...history);
    return result;
  });
};

const known = ({ sessionId }: Loose) => sessionId !== "turnkit-nobody";

export const restoreMutants: readonly Mutant[] = [
  { check: "ACP-LOAD-001", what: "cannot load", alter: (agent) => refuse(agent, "session/load", known) },
  {
    check: "ACP-LOAD-002",
    what: "replays after its answer",
    alter: (agent) => late(agent, "session/load"),
  },
  { check: "ACP-LOAD-003", what: "answers load with null", alter: (agent) => agent.result("session/load", () => null) },
  {
    check: "TK-LOAD-04",
    what: "replays only its own messages",
    alter: (agent) =>
      replaying(agent, "session/load", (update) =>
        update.sessionUpdate === "user_message_chunk" ? undefined : update,
      ),
  },
  {
    check: "TK-LOAD-04",
    what: "replays the newest message first",
    alter: (agent) => backwards(agent, "session/load"),
  },
  {
    check: "TK-LOAD-04",
    dialect: "v2",
    what: "replays the newest message first",
    alter: (agent) => backwards(agent, "session/resume"),
  },
  {
    check: "TK-LOAD-05",
    what: "shows a session without opening it",
    alter: (agent) =>
      agent.result("session/load", (result, { sessionId }) => {
        const session = agent.sessions.get(sessionId);
        if (session) session.isOpen = false;
        return result;
      }),
  },
  {
    check: "TK-LOAD-05",
    what: "cancels each turn of a loaded session, because the session was closed before",
    alter: (agent) => {
      const loaded = new Set<unknown>();
      agent.result("session/load", (result, { sessionId }) => after(loaded.add(sessionId), result));
      const handler = agent.handlers.get("session/prompt");
      agent.handlers.set("session/prompt", (params, call) => {
        const answer = handler?.(params, call);
        if (loaded.has(params.sessionId)) agent.sessions.get(params.sessionId)?.turn?.abort();
        return answer;
      });
    },
  },
  {
    check: "TK-LOAD-06",
    what: "invents sessions",
    alter: (agent) => {
      const handler = agent.handlers.get("session/load");
      agent.handlers.set("session/load", (params, call) => (known(params) ? handler?.(params, call) : {}));
    },
  },
  {
    check: "TK-RESUME-07",
    dialect: "v2",
    what: "invents sessions",
    alter: (agent) => {
      const handler = agent.handlers.get("session/resume");
      agent.handlers.set("session/resume", (params, call) => (known(params) ? handler?.(params, call) : {}));
    },
  },
  {
    check: "TK-LOAD-08",
    dialect: "v2",
    what: "replays a notice",
    alter: (agent) =>
      replaying(agent, "session/resume", (update) =>
        update.sessionUpdate === "user_message"
          ? [update, { sessionUpdate: "notice", severity: "info", title: "Old" }]
          : update,
      ),
  },
  {
    check: "TK-LOAD-09",
    what: "adds a replay to its history, so that the next one has everything twice",
    alter: (agent) => remembering(agent, "session/load"),
  },
  {
    check: "TK-LOAD-09",
    dialect: "v2",
    what: "adds a replay to its history, so that the next one has everything twice",
    alter: (agent) => remembering(agent, "session/resume"),
  },
  {
    check: "TK-LOAD-10",
    what: "leaves tool calls out of the replay",
    alter: (agent) => replaying(agent, "session/load", withoutCalls),
  },
  {
    check: "TK-RESUME-08",
    dialect: "v2",
    what: "leaves tool calls out of the replay",
    alter: (agent) => replaying(agent, "session/resume", withoutCalls),
  },
  {
    check: "TK-LOAD-11",
    what: "replays only the texts of prompts",
    alter: (agent) => replaying(agent, "session/load", withoutLinks),
  },
  {
    check: "TK-RESUME-09",
    dialect: "v2",
    what: "replays only the texts of prompts",
    alter: (agent) => replaying(agent, "session/resume", withoutLinks),
  },
  { check: "ACP-RESUME-001", what: "cannot resume", alter: (agent) => refuse(agent, "session/resume", known) },
  {
    check: "ACP-RESUME-201",
    dialect: "v2",
    what: "cannot resume without a replay",
    alter: (agent) => refuse(agent, "session/resume", (params) => known(params) && params.replayFrom === undefined),
  },
  { check: "ACP-RESUME-002", what: "replays on resume", alter: (agent) => replayed(agent, "session/resume") },
  {
    check: "ACP-RESUME-203",
    dialect: "v2",
    what: "always replays",
    alter: (agent) => {
      const handler = agent.handlers.get("session/resume");
      agent.handlers.set("session/resume", (params, call) => {
        if (params.replayFrom === undefined)
          for (const update of agent.sessions.get(params.sessionId)?.history ?? []) agent.say(params.sessionId, update);
        return handler?.(params, call);
      });
    },
  },
  {
    check: "ACP-RESUME-203",
    dialect: "v2",
    what: "takes null for the start of the history",
    alter: (agent) => {
      const handler = agent.handlers.get("session/resume");
      agent.handlers.set("session/resume", (params, call) =>
        handler?.(params.replayFrom === null ? { ...params, replayFrom: { type: "start" } } : params, call),
      );
    },
  },
  {
    check: "ACP-RESUME-202",
    dialect: "v2",
    what: "replays after its answer",
    alter: (agent) => late(agent, "session/resume"),
  },
  {
    check: "ACP-RESUME-204",
    dialect: "v2",
    what: "replays messages with new ids",
    alter: (agent) =>
      replaying(agent, "session/resume", (update) =>
        update.sessionUpdate === "user_message" ? { ...update, messageId: "new" } : update,
      ),
  },
  {
    check: "ACP-RESUME-205",
    dialect: "v2",
    what: "replays chunks alone",
    alter: (agent) =>
      replaying(agent, "session/resume", (update) =>
        update.sessionUpdate === "agent_message"
          ? { sessionUpdate: "agent_message_chunk", messageId: update.messageId, content: update.content[0] }
          : update,
      ),
  },
  {
    check: "TK-RESUME-01",
    dialect: "v2",
    what: "does not send its state",
    alter: (agent) =>
      replaying(agent, "session/resume", (update) => (update.sessionUpdate === "state_update" ? undefined : update)),
  },
  {
    check: "TK-RESUME-02",
    dialect: "v2",
    what: "ignores an unknown place for a replay",
    alter: (agent) => {
      const handler = agent.handlers.get("session/resume");
      agent.handlers.set("session/resume", (params, call) =>
        handler?.(params.replayFrom?.type === "_turnkit" ? { ...params, replayFrom: undefined } : params, call),
      );
    },
  },
  {
    check: "TK-RESUME-03",
    dialect: "v2",
    what: "sends no marker",
    alter: (agent) => agent.update("replay_complete", () => undefined),
  },
  {
    check: "TK-RESUME-04",
    dialect: "v2",
    what: "always sends a marker",
    alter: (agent) => {
      const handler = agent.handlers.get("session/resume");
      agent.handlers.set("session/resume", (params, call) => {
        if (params.replayFrom === undefined) agent.say(params.sessionId, { sessionUpdate: "replay_complete" });
        return handler?.(params, call);
      });
    },
  },
];
