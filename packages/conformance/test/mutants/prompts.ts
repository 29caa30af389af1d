import type { ModelAgent } from "../model/model-agent.js";
import { failure, type Loose } from "../model/model-session.js";
import type { Mutant } from "./mutant.js";
import { before, refuse } from "./sessions.js";

/** Refuses prompts with a block. */
const refusing = (fits: (block: Loose) => boolean) => (agent: ModelAgent) =>
  refuse(agent, "session/prompt", ({ prompt = [] }) => prompt.some(fits));

/** Announces another kind of block. */
const announcing = (agent: ModelAgent, kind: string) =>
  agent.result("initialize", ({ agentCapabilities: all, ...result }) => ({
    ...result,
    agentCapabilities: { ...all, promptCapabilities: { ...all.promptCapabilities, [kind]: true } },
  }));

const accepting = (fits: (block: Loose) => boolean) => (agent: ModelAgent) =>
  before(agent, "session/prompt", ({ prompt = [] }) => {
    if (!prompt.some(fits)) return undefined;
    return agent.dialect.name === "v2" ? { messageId: "u-x" } : { stopReason: "end_turn" };
  });

const states = (agent: ModelAgent, change: (update: Loose) => unknown) => agent.update("state_update", change);

const lateChunk = () => ({
  sessionUpdate: "agent_message_chunk",
  messageId: crypto.randomUUID(),
  content: { type: "text", text: "!" },
});

/** Sends an update after the answers with a stop reason. */
export const lateUpdate = (agent: ModelAgent, stopReason: string) =>
  agent.outgoing((frame) => {
    if (frame.result?.stopReason !== stopReason) return frame;
    const update = lateChunk();
    return [frame, { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s-1", update } }];
  });

/** Sends it a moment later, as after a forgotten `await`. An agent whose input has ended sends nothing more. */
export const laterUpdate = (agent: ModelAgent, stopReason: string) => {
  const { inputEnded } = agent;
  let timer: ReturnType<typeof setTimeout> | undefined;
  agent.inputEnded = () => {
    clearTimeout(timer);
    inputEnded.call(agent);
  };
  agent.outgoing((frame) => {
    const update = lateChunk();
    const late = { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s-1", update } };
    if (frame.result?.stopReason === stopReason) timer = setTimeout(() => agent.write(late), 2);
    return frame;
  });
};

export const promptMutants: readonly Mutant[] = [
  {
    check: "ACP-PROMPT-001",
    what: "ends a turn with a reason of its own",
    also: ["ACP-SCHEMA-001"],
    alter: (agent) =>
      agent.result("session/prompt", (result) => (result.stopReason === "end_turn" ? { stopReason: "stop" } : result)),
  },
  {
    check: "ACP-PROMPT-201",
    dialect: "v2",
    what: "answers a prompt with nothing",
    also: ["ACP-SCHEMA-001"],
    alter: (agent) => agent.result("session/prompt", () => ({})),
  },
  {
    check: "ACP-PROMPT-203",
    dialect: "v2",
    what: "does not send the user's message",
    also: ["TK-IDEM-04", "TK-LOAD-04"],
    alter: (agent) => agent.update("user_message", () => undefined),
  },
  {
    check: "TK-PROMPT-04",
    dialect: "v2",
    what: "sends the message of a refused prompt",
    alter: (agent) =>
      before(agent, "session/prompt", ({ sessionId, prompt }) => {
        if (prompt?.[0]?.type !== "_turnkit") return undefined;
        agent.say(sessionId, { sessionUpdate: "user_message", messageId: "refused", content: prompt });
        throw failure(-32602, "No");
      }),
  },
  {
    check: "ACP-STATE-201",
    dialect: "v2",
    what: "never says that it is running",
    also: ["ACP-PATCH-209"],
    alter: (agent) => states(agent, (update) => (update.state === "running" ? undefined : update)),
  },
  {
    check: "ACP-STATE-202",
    dialect: "v2",
    what: "does not become idle after a short turn",
    // After three turns that did not end, no further prompt is sent.
    also: ["TK-SESSION-11"],
    alter: (agent) => states(agent, (update) => (update.stopReason === "end_turn" ? undefined : update)),
  },
  {
    check: "ACP-STATE-203",
    dialect: "v2",
    what: "becomes idle without a reason",
    alter: (agent) =>
      states(agent, (update) => (update.stopReason === "end_turn" ? { ...update, stopReason: undefined } : update)),
  },
  {
    check: "TK-STATE-04",
    dialect: "v2",
    what: "ends a turn as an error without one",
    alter: (agent) =>
      states(agent, (update) => (update.stopReason === "end_turn" ? { ...update, stopReason: "error" } : update)),
  },
  { check: "ACP-PROMPT-003", what: "refuses links", alter: refusing(({ type }) => type === "resource_link") },
  {
    check: "ACP-PROMPTCAP-001",
    what: "announces images and refuses them",
    alter: refusing(({ type }) => type === "image"),
  },
  {
    check: "ACP-PROMPTCAP-002",
    what: "announces sounds and refuses them",
    alter: (agent) => announcing(agent, "audio"),
  },
  {
    check: "ACP-PROMPTCAP-003",
    what: "announces files and refuses them",
    alter: refusing(({ type }) => type === "resource"),
  },
  { check: "TK-PROMPTCAP-04", what: "drops a sound", alter: accepting(({ type }) => type === "audio") },
  { check: "TK-PROMPTCAP-05", dialect: "v2", what: "drops a sound", alter: accepting(({ type }) => type === "audio") },
  {
    check: "TK-PROMPTCAP-06",
    what: "drops an unknown block",
    alter: accepting(({ type }) => type === "turnkit_unknown"),
  },
  {
    check: "TK-PROMPT-07",
    what: "breaks at an empty prompt",
    alter(agent) {
      let isBroken = false;
      before(agent, "session/prompt", ({ prompt }) => {
        if (isBroken) throw failure(-32603, "Broken");
        isBroken = prompt?.length === 0;
        return undefined;
      });
    },
  },
  {
    check: "TK-PROMPT-08",
    what: "takes one prompt",
    also: ["TK-CANCEL-06", "TK-LOAD-05", "ACP-CLIENTCAP-001"],
    alter(agent) {
      const done = new Set<unknown>();
      before(agent, "session/prompt", ({ sessionId, prompt }) => {
        if (done.has(sessionId)) throw failure(-32603, "Only one");
        if (prompt?.length > 0) done.add(sessionId);
        return undefined;
      });
    },
  },
  {
    check: "TK-PROMPT-09",
    what: "sends an update after the end of its turn",
    alter: (agent) => lateUpdate(agent, "end_turn"),
  },
  {
    check: "TK-PROMPT-09",
    what: "sends an update a moment after the end of its turn",
    alter: (agent) => laterUpdate(agent, "end_turn"),
  },
  {
    check: "ACP-META-001",
    what: "refuses a prompt with _meta",
    alter: (agent) => refuse(agent, "session/prompt", (params) => "_meta" in params),
  },
  {
    check: "ACP-PATCH-203",
    dialect: "v2",
    what: "gives every message the same id",
    also: ["TK-IDEM-03"],
    alter: (agent) =>
      agent.outgoing((frame) => {
        if (frame.result?.messageId) return { ...frame, result: { messageId: "u" } };
        const update = frame.params?.update;
        if (update?.sessionUpdate !== "user_message") return frame;
        return { ...frame, params: { ...frame.params, update: { ...update, messageId: "u" } } };
      }),
  },
  {
    check: "TK-IDEM-01",
    dialect: "v2",
    what: "ignores keys",
    also: ["TK-IDEM-05"],
    alter: (agent) => {
      const handler = agent.handlers.get("session/prompt");
      agent.handlers.set("session/prompt", ({ idempotencyKey, ...params }, call) => handler?.(params, call));
    },
  },
  {
    check: "TK-IDEM-05",
    dialect: "v2",
    what: "ignores keys during a turn",
    alter: (agent) => {
      const handler = agent.handlers.get("session/prompt");
      agent.handlers.set("session/prompt", ({ idempotencyKey, ...params }, call) => {
        const isFree = agent.sessions.get(params.sessionId)?.turn === undefined;
        return handler?.(isFree ? { idempotencyKey, ...params } : params, call);
      });
    },
  },
  {
    check: "TK-IDEM-02",
    dialect: "v2",
    what: "takes an empty key",
    alter: (agent) =>
      before(agent, "session/prompt", ({ idempotencyKey }) => (idempotencyKey === "" ? { messageId: "x" } : undefined)),
  },
  {
    check: "TK-IDEM-03",
    dialect: "v2",
    what: "counts the characters of a key as UTF-16",
    alter: (agent) => refuse(agent, "session/prompt", ({ idempotencyKey }) => idempotencyKey?.length > 255, -32602),
  },
  {
    check: "TK-IDEM-03",
    dialect: "v2",
    what: "takes null for a key",
    alter: (agent) => {
      const handler = agent.handlers.get("session/prompt");
      agent.handlers.set("session/prompt", (params, call) =>
        handler?.(params.idempotencyKey === null ? { ...params, idempotencyKey: "null" } : params, call),
      );
    },
  },
  {
    check: "TK-IDEM-04",
    dialect: "v2",
    what: "remembers keys of all sessions together",
    alter(agent) {
      const keys = new Map<unknown, unknown>();
      const handler = agent.handlers.get("session/prompt");
      agent.handlers.set("session/prompt", async (params, call) => {
        const known = keys.get(params.idempotencyKey);
        if (known !== undefined) return known;
        const result = await handler?.(params, call);
        if (params.idempotencyKey) keys.set(params.idempotencyKey, result);
        return result;
      });
    },
  },
  {
    check: "ACP-INFO-CONCURRENT-201",
    what: "refuses a second prompt",
    remark: /^refused/,
    alter: () => {},
  },
  {
    check: "ACP-INFO-CONCURRENT-201",
    what: "runs a second turn beside the first",
    remark: /^accepted during the turn/,
    alter: (agent) =>
      before(agent, "session/prompt", ({ sessionId }) => {
        if (agent.sessions.get(sessionId)?.turn === undefined) return undefined;
        return new Promise((resolve) => setTimeout(() => resolve({ stopReason: "end_turn" }), 5));
      }),
  },
  {
    check: "ACP-EXT-001",
    what: "says nothing to an unknown extension",
    alter(agent) {
      const request = agent.request.bind(agent);
      agent.request = async (frame) => {
        if (frame.method !== "_turnkit/extension") await request(frame);
      };
    },
  },
  {
    check: "ACP-EXT-201",
    what: "answers an unknown notification",
    alter(agent) {
      const notified = agent.notified.bind(agent);
      agent.notified = (frame) => {
        if (frame.method === "_turnkit/extension-note") agent.refuse(-32601, "Method not found");
        notified(frame);
      };
    },
  },
];
