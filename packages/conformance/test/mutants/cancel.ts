import type { ModelAgent } from "../model/model-agent.js";
import { failure, type Loose } from "../model/model-session.js";
import type { Mutant } from "./mutant.js";
import { laterUpdate, lateUpdate } from "./prompts.js";
import { before } from "./sessions.js";

/** Changes the end of cancelled turns. */
const ending = (agent: ModelAgent, change: (result: Loose, params: Loose) => unknown) =>
  agent.result("session/prompt", (result, params) =>
    result.stopReason === "cancelled" ? change(result, params) : result,
  );

const idle = (agent: ModelAgent, change: (update: Loose) => unknown) =>
  agent.update("state_update", (update) => (update.stopReason === "cancelled" ? change(update) : update));

const cancelledTurns = [
  ...["ACP-CANCEL-001", "ACP-CLOSE-002", "TK-CANCEL-07", "TK-CANCEL-09", "TK-CANCEL-12", "TK-PERM-08"],
];
const without = (list: readonly string[], id: string) => list.filter((one) => one !== id);

export const cancelMutants: readonly Mutant[] = [
  {
    check: "ACP-CANCEL-001",
    what: "ends a cancelled turn as usual",
    also: without(cancelledTurns, "ACP-CANCEL-001"),
    alter: (agent) => ending(agent, () => ({ stopReason: "end_turn" })),
  },
  {
    check: "ACP-CANCEL-201",
    dialect: "v2",
    what: "ends a cancelled turn as usual",
    also: ["ACP-CLOSE-202", "TK-CANCEL-07", "TK-PERM-08"],
    alter: (agent) => idle(agent, (update) => ({ ...update, stopReason: "end_turn" })),
  },
  {
    check: "ACP-CANCEL-002",
    what: "sends an update after the end of a cancelled turn",
    also: ["TK-PERM-08"],
    alter: (agent) => lateUpdate(agent, "cancelled"),
  },
  {
    check: "ACP-CANCEL-002",
    what: "sends an update a moment after the end of a cancelled turn",
    also: ["TK-PERM-08"],
    alter: (agent) => laterUpdate(agent, "cancelled"),
  },
  {
    check: "TK-PERM-08",
    dialect: "v2",
    what: "becomes idle before the last update of its tool call",
    alter(agent) {
      let isAsked = false;
      agent.outgoing((frame) => {
        isAsked ||= frame.method === "session/request_permission";
        const { state, stopReason } = frame.params?.update ?? {};
        if (!isAsked || state !== "idle" || stopReason !== "cancelled") return frame;
        const update = { sessionUpdate: "tool_call_update", toolCallId: "t-late", title: "Late", status: "cancelled" };
        return [frame, { ...frame, params: { ...frame.params, update } }];
      });
    },
  },
  {
    check: "ACP-CANCEL-202",
    dialect: "v2",
    what: "becomes idle twice",
    alter: (agent) => idle(agent, (update) => [update, update]),
  },
  {
    check: "ACP-CANCEL-203",
    dialect: "v2",
    what: "ends a cancelled turn as an error",
    also: ["ACP-CANCEL-201", "ACP-CLOSE-202", "TK-CANCEL-07", "TK-PERM-08"],
    alter: (agent) =>
      idle(agent, (update) => ({ ...update, stopReason: "error", error: { code: -32603, message: "Aborted" } })),
  },
  {
    check: "ACP-CANCEL-206",
    dialect: "v2",
    what: "drops a cancel with _meta",
    alter: (agent) => agent.onNotification("session/cancel", (params) => !("_meta" in params)),
  },
  {
    check: "TK-CANCEL-11",
    dialect: "v2",
    what: "withdraws a held prompt with an internal error",
    // It holds a prompt until a cancel.
    also: ["TK-IDEM-05"],
    alter: (agent) =>
      before(agent, "session/prompt", ({ sessionId }) =>
        agent.sessions.get(sessionId)?.turn?.aborted.then(() => {
          throw failure(-32603, "Aborted");
        }),
      ),
  },
  {
    check: "TK-CANCEL-03",
    what: "cancels the turns of all sessions",
    alter: (agent) =>
      agent.onNotification("session/cancel", () => {
        for (const { turn } of agent.sessions.values()) turn?.abort();
        return true;
      }),
  },
  {
    check: "TK-CANCEL-04",
    what: "keeps a cancel for the next turn",
    alter(agent) {
      const waiting = new Set<unknown>();
      agent.onNotification("session/cancel", ({ sessionId }) => {
        if (agent.sessions.get(sessionId)?.turn === undefined) waiting.add(sessionId);
        return true;
      });
      const handler = agent.handlers.get("session/prompt");
      agent.handlers.set("session/prompt", (params, call) => {
        const answer = handler?.(params, call);
        if (waiting.delete(params.sessionId)) agent.sessions.get(params.sessionId)?.turn?.abort();
        return answer;
      });
    },
  },
  {
    check: "TK-CANCEL-05",
    what: "sends an error for a cancel without a session",
    alter: (agent) =>
      agent.onNotification("session/cancel", ({ sessionId }) => {
        if (sessionId === "turnkit-nobody" && agent.client !== undefined) agent.refuse(-32002, "Resource not found");
        return true;
      }),
  },
  {
    check: "TK-CANCEL-06",
    what: "stays cancelled",
    alter(agent) {
      const cancelled = new Set<unknown>();
      agent.onNotification("session/cancel", ({ sessionId }) => {
        if (agent.sessions.get(sessionId)?.turn) cancelled.add(sessionId);
        return true;
      });
      const handler = agent.handlers.get("session/prompt");
      agent.handlers.set("session/prompt", (params, call) => {
        if (cancelled.has(params.sessionId)) throw failure(-32603, "Aborted");
        return handler?.(params, call);
      });
    },
  },
  {
    check: "TK-CANCEL-07",
    what: "ends at a second cancel",
    alter(agent) {
      let count = 0;
      agent.onNotification("session/cancel", ({ sessionId }) => {
        count += agent.sessions.get(sessionId)?.turn?.isAborted ? 1 : 0;
        if (count > 0) agent.end();
        return true;
      });
    },
  },
  {
    check: "TK-CANCEL-08",
    what: "sends an error for a request that does not exist",
    alter: (agent) =>
      agent.onNotification("$/cancel_request", ({ requestId }) => {
        if (requestId === "turnkit-nobody") agent.refuse(-32600, "No such request");
        return true;
      }),
  },
  {
    check: "TK-CANCEL-09",
    what: "fails a prompt that is withdrawn",
    alter(agent) {
      let isWithdrawn = false;
      agent.onNotification("$/cancel_request", ({ requestId }) => {
        isWithdrawn = typeof requestId === "number";
        return true;
      });
      agent.result("session/prompt", (result) => {
        if (isWithdrawn) throw failure(-32603, "Aborted");
        return result;
      });
    },
  },
  {
    check: "TK-PERM-08",
    what: "ends its tool call when the answer to the question comes, after the turn",
    alter: (agent) => {
      const ask = agent.ask.bind(agent);
      agent.ask = (method, params: Loose) => {
        const asked = ask(method, params);
        const isOver = () => agent.sessions.get(params.sessionId)?.turn?.isAborted !== false;
        void asked.answer.then(() => {
          const update = {
            sessionUpdate: "tool_call_update",
            toolCallId: params.toolCall?.toolCallId,
            status: "failed",
          };
          if (method === "session/request_permission" && isOver())
            setTimeout(() => agent.say(params.sessionId, update), 2);
        });
        return asked;
      };
    },
  },
  {
    check: "TK-CANCEL-12",
    what: "forgets its turn when it refuses a second prompt",
    alter: (agent) =>
      before(agent, "session/prompt", ({ sessionId }) => {
        const session = agent.sessions.get(sessionId);
        if (session?.turn === undefined) return undefined;
        session.turn = undefined;
        throw failure(-32600, "A turn is running");
      }),
  },
  {
    check: "TK-CANCEL-10",
    dialect: "v2",
    what: "answers an inserted prompt again when it is withdrawn",
    also: ["TK-JSONRPC-06"],
    alter: (agent) =>
      agent.onNotification("$/cancel_request", ({ requestId }) => {
        if (typeof requestId === "number")
          agent.write({ jsonrpc: "2.0", id: requestId, error: { code: -32800, message: "Request cancelled" } });
        return true;
      }),
  },
];
