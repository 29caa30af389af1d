import type { ModelAgent } from "../model/model-agent.js";
import { failure, type Loose } from "../model/model-session.js";
import type { Mutant } from "./mutant.js";

const isAnswerTo = (agent: ModelAgent, method: string, change: (frame: Loose) => unknown): void => {
  const ids = new Set<unknown>();
  const request = agent.request.bind(agent);
  agent.request = (frame) => {
    if (frame.method === method) ids.add(frame.id);
    return request(frame);
  };
  agent.outgoing((frame) => (!("method" in frame) && ids.has(frame.id) ? change(frame) : frame));
};

/** Handles an unknown method. */
const knowing = (agent: ModelAgent, method: string, handle: (params: Loose, call: Loose) => unknown): void => {
  agent.handlers.set(method, handle);
};

export const messageMutants: readonly Mutant[] = [
  {
    check: "ACP-JSONRPC-001",
    what: "turns ids into numbers",
    also: ["TK-JSONRPC-06"],
    alter: (agent) => isAnswerTo(agent, "_turnkit/id", (frame) => ({ ...frame, id: Number(frame.id) })),
  },
  {
    check: "ACP-JSONRPC-002",
    what: "sends an error without a code",
    alter: (agent) =>
      isAnswerTo(agent, "_turnkit/settled", ({ jsonrpc, id }) => ({ jsonrpc, id, error: { message: "No" } })),
  },
  {
    check: "ACP-JSONRPC-003",
    what: "answers session/cancel",
    also: ["TK-JSONRPC-07", "TK-CANCEL-05"],
    alter: (agent) =>
      agent.onNotification("session/cancel", () => {
        agent.write({ jsonrpc: "2.0", id: "cancel", result: {} });
        return true;
      }),
  },
  {
    check: "ACP-JSONRPC-004",
    what: "answers an unknown method with an internal error",
    alter: (agent) =>
      knowing(agent, "turnkit/unknown", () => {
        throw failure(-32603, "Unknown");
      }),
  },
  {
    check: "ACP-JSONRPC-005",
    what: "opens no session after a wrong request",
    alter(agent) {
      let broken = false;
      const handle = agent.handle.bind(agent);
      agent.handle = (method, params, frame) => {
        if (method === "session/new" && broken) throw failure(-32603, "Broken");
        if (method === "session/new" && params?.cwd === 7 && params.mcpServers === undefined) broken = true;
        return handle(method, params, frame);
      };
    },
  },
  {
    check: "ACP-ERROR-001",
    what: "sends a stack trace as the message of an error",
    alter: (agent) =>
      isAnswerTo(agent, "_turnkit/during", ({ error, ...frame }) => ({
        ...frame,
        error: { ...error, message: "No\n at x" },
      })),
  },
  {
    check: "TK-JSONRPC-06",
    what: "answers a request twice",
    alter: (agent) => isAnswerTo(agent, "session/new", (frame) => [frame, frame]),
  },
  {
    check: "TK-JSONRPC-07",
    what: "answers a request that nobody sent",
    alter: (agent) =>
      isAnswerTo(agent, "session/new", (frame) => [frame, { jsonrpc: "2.0", id: "nobody-2", result: {} }]),
  },
  {
    check: "TK-JSONRPC-08",
    what: "uses the id of an open request again",
    alter(agent) {
      const receive = agent.receive.bind(agent);
      // The refusal of the second request does not answer the first.
      agent.receive = (value) => ((value as Loose | null)?.error?.code === -32601 ? undefined : receive(value));
      agent.outgoing((frame) =>
        frame.method === "session/request_permission" ? [frame, { ...frame, method: "_again", params: {} }] : frame,
      );
    },
  },
  {
    check: "TK-JSONRPC-09",
    what: "answers wrong params with an internal error",
    alter: (agent) =>
      isAnswerTo(agent, "session/new", (frame) =>
        frame.error?.message.includes("expected a string, got 7") ||
        (frame.error?.code === -32602 && frame.error.message.includes("got a number"))
          ? { ...frame, error: { code: -32603, message: "No" } }
          : frame,
      ),
  },
  {
    check: "TK-JSONRPC-10",
    what: "takes a list of params for an empty object",
    alter: (agent) => {
      const handle = agent.handle.bind(agent);
      agent.handle = (method, params, frame) =>
        Array.isArray(params) ? { sessionId: "listed" } : handle(method, params, frame);
    },
  },
  {
    check: "TK-JSONRPC-11",
    what: "fails inside without params",
    alter: (agent) => {
      const handle = agent.handle.bind(agent);
      agent.handle = (method, params, frame) => {
        if (method === "session/new" && params === undefined)
          throw failure(-32603, "Cannot read properties of undefined");
        return handle(method, params, frame);
      };
    },
  },
  {
    check: "TK-JSONRPC-12",
    what: "processes a list of messages",
    also: ["TK-JSONRPC-07"],
    alter: (agent) => {
      const receive = agent.receive.bind(agent);
      agent.receive = (value) => (Array.isArray(value) && value.length > 0 ? value.forEach(receive) : receive(value));
    },
  },
  {
    check: "ACP-BATCH-201",
    what: "says nothing to an empty list",
    alter: (agent) => {
      const receive = agent.receive.bind(agent);
      agent.receive = (value) => (Array.isArray(value) && value.length === 0 ? undefined : receive(value));
    },
  },
  {
    check: "TK-JSONRPC-13",
    what: "ends at JSON that is no message",
    alter: (agent) => {
      const receive = agent.receive.bind(agent);
      agent.receive = (value) => (value === 7 ? agent.end() : receive(value));
    },
  },
  {
    check: "ACP-INFO-INVALIDREQ-001",
    what: "says nothing to JSON that is no message",
    remark: /no answer/,
    alter: (agent) => {
      const receive = agent.receive.bind(agent);
      agent.receive = (value) => ((value as Loose | null)?.foo === "bar" ? undefined : receive(value));
    },
  },
  {
    check: "TK-JSONRPC-14",
    what: "answers an answer",
    alter: (agent) => {
      const receive = agent.receive.bind(agent);
      agent.receive = (value) =>
        (value as Loose | null)?.id === "nobody" ? agent.refuse(-32600, "Unknown id") : receive(value);
    },
  },
  {
    check: "TK-JSONRPC-15",
    what: "reads nothing while a turn runs",
    alter: (agent) => {
      const request = agent.request.bind(agent);
      agent.request = async (frame) => {
        const turn = [...agent.sessions.values()].find((session) => session.turn !== undefined)?.turn;
        if (frame.method === "_turnkit/during") await turn?.aborted;
        return request(frame);
      };
    },
  },
  {
    check: "TK-JSONRPC-16",
    what: "sends updates as a list",
    also: ["ACP-TRANSPORT-001"],
    alter: (agent) =>
      isAnswerTo(agent, "session/new", (frame) => [frame, [[{ jsonrpc: "2.0", method: "_list" }]]].flat(1)),
  },
  {
    check: "TK-JSONRPC-17",
    what: "sends params in a list",
    alter: (agent) =>
      isAnswerTo(agent, "session/new", (frame) => [frame, { jsonrpc: "2.0", method: "_list", params: [1] }]),
  },
  {
    check: "TK-JSONRPC-18",
    dialect: "v2",
    what: "sends a request with a fraction as its id",
    alter: (agent) =>
      isAnswerTo(agent, "session/new", (frame) => [frame, { jsonrpc: "2.0", id: 1.5, method: "_one", params: {} }]),
  },
];
