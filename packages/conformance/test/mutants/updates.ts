import type { ModelAgent } from "../model/model-agent.js";
import type { Loose } from "../model/model-session.js";
import { after, type Mutant } from "./mutant.js";

const tools = (agent: ModelAgent, change: (update: Loose) => unknown) => agent.update("tool_call_update", change);
const isWork = (update: Loose) => String(update.toolCallId).startsWith("call-");

export const updateMutants: readonly Mutant[] = [
  {
    check: "ACP-PATCH-201",
    dialect: "v2",
    what: "sends thoughts without ids",
    also: ["ACP-PROMPT-205"],
    alter: (agent) => agent.update("agent_thought_chunk", ({ messageId, ...update }) => update),
  },
  {
    check: "ACP-PATCH-204",
    what: "sends a tool call without an id",
    also: ["TK-SCHEMA-03"],
    alter: (agent) =>
      tools(agent, (update) =>
        isWork(update) && update.content ? [update, { ...update, toolCallId: undefined }] : update,
      ),
  },
  {
    check: "ACP-PATCH-205",
    dialect: "v2",
    what: "sends a plan with an empty id",
    alter: (agent) => agent.update("plan_update", (update) => ({ ...update, plan: { ...update.plan, planId: "" } })),
  },
  {
    check: "TK-DIFF-01",
    dialect: "v2",
    what: "writes a/ and b/ into the headers of a patch",
    alter: (agent) =>
      agent.outgoing((frame) =>
        JSON.parse(JSON.stringify(frame).replace(/diff --git (\/\S+) \//, "diff --git a$1 b/")),
      ),
  },
  {
    check: "TK-MESSAGE-01",
    dialect: "v2",
    what: "gives the messages of all turns the same id",
    alter: (agent) => agent.update("agent_message_chunk", (update) => ({ ...update, messageId: "m-1" })),
  },
  {
    check: "TK-MESSAGE-02",
    what: "gives the messages of all turns the same id",
    alter: (agent) => agent.update("agent_message_chunk", (update) => ({ ...update, messageId: "m-1" })),
  },
  {
    check: "TK-MESSAGE-02",
    what: "counts its messages from the beginning after a load",
    alter: (agent) =>
      agent.result("session/load", (result, { sessionId }) => {
        const session = agent.sessions.get(sessionId);
        if (session) session.prompts = 0;
        return result;
      }),
  },
  {
    check: "ACP-PATCH-206",
    dialect: "v2",
    what: "changes the folder of a terminal",
    alter: (agent) =>
      agent.update("terminal_update", (update) =>
        update.cwd ? [update, { ...update, cwd: `${update.cwd}/inner` }] : update,
      ),
  },
  {
    check: "ACP-PATCH-207",
    dialect: "v2",
    what: "sends output as text",
    alter: (agent) => agent.update("terminal_output_chunk", (update) => ({ ...update, data: "conformance!" })),
  },
  {
    check: "ACP-PATCH-208",
    dialect: "v2",
    what: "announces a tool call without a title",
    alter: (agent) => tools(agent, ({ title, ...update }) => (isWork(update) ? update : { ...update, title })),
  },
  {
    check: "TK-PLAN-01",
    what: "sends only the entry of a plan that has changed",
    alter: (agent) =>
      agent.update("plan", ({ entries, ...update }) => [
        { ...update, entries },
        ...entries.map((entry: Loose) => ({ ...update, entries: [entry] })),
      ]),
  },
  {
    check: "TK-PLAN-01",
    dialect: "v2",
    what: "sends only the entry of a plan that has changed",
    alter: (agent) =>
      agent.update("plan_update", ({ plan, ...update }) => [
        { ...update, plan },
        ...plan.entries.map((entry: Loose) => ({ ...update, plan: { ...plan, entries: [entry] } })),
      ]),
  },
  {
    check: "TK-TOOL-01",
    what: "changes a tool call that it did not announce",
    alter: (agent) =>
      tools(agent, (update) =>
        isWork(update) ? { ...update, toolCallId: `new-${update.toolCallId}`, status: "completed" } : update,
      ),
    also: ["TK-TOOL-03"],
  },
  {
    check: "TK-TOOL-02",
    what: "announces a tool call twice",
    alter: (agent) => agent.update("tool_call", (update) => [update, update]),
  },
  {
    check: "TK-TOOL-03",
    what: "leaves a tool call in progress",
    alter: (agent) =>
      tools(agent, (update) =>
        isWork(update) && update.status === "completed" ? { ...update, status: "in_progress" } : update,
      ),
  },
  ...(["v1", "v2", "seed"] as const).map((dialect) => ({
    ...{ check: "TK-TOOL-05", dialect, what: "uses the ids of its tool calls again in the next turn" },
    ...(dialect === "v1" && { also: ["TK-TOOL-02"] }),
    alter: (agent: ModelAgent) => {
      const again = (update: Loose) => ({ ...update, toolCallId: String(update.toolCallId).replace(/-\d+$/, "") });
      for (const kind of ["tool_call", "tool_call_update"]) agent.update(kind, again);
      agent.call("session/request_permission", ({ toolCall, subject, ...params }) => ({
        ...params,
        ...(toolCall && { toolCall: again(toolCall) }),
        ...(subject && { subject: { ...subject, toolCall: again(subject.toolCall) } }),
      }));
    },
  })),
  {
    check: "TK-PATHS-01",
    what: "names a relative path",
    alter: (agent) =>
      tools(agent, (update) => (update.locations ? { ...update, locations: [{ path: "note.txt" }] } : update)),
  },
  {
    check: "TK-BACKGROUND-01",
    dialect: "v2",
    what: "reports background work only while it is idle",
    alter: (agent) =>
      agent.update("state_update", ({ background, ...update }) =>
        update.state === "idle" ? { ...update, background } : update,
      ),
  },
  {
    check: "TK-BACKGROUND-02",
    dialect: "v2",
    what: "lists a terminal that nobody knows",
    alter: (agent) =>
      agent.update("state_update", (update) =>
        update.state === "idle" ? { ...update, background: [{ type: "terminal", terminalId: "t-9" }] } : update,
      ),
  },
  {
    check: "TK-CHILD-01",
    dialect: "v2",
    what: "announces a child session late",
    alter: (agent) =>
      agent.update("subagent_update", (update) =>
        after(agent.say(update.sessionId, { sessionUpdate: "session_info_update", title: "Early" }), update),
      ),
  },
  {
    check: "TK-CHILD-02",
    dialect: "v2",
    what: "leaves a child session running",
    alter: (agent) =>
      agent.outgoing((frame) => {
        const isChild = String(frame.params?.sessionId).endsWith("-child");
        return isChild && frame.params.update.state === "idle" ? undefined : frame;
      }),
  },
  {
    check: "TK-TOOL-04",
    dialect: "v2",
    what: "accepts a cancel of an unknown tool call",
    alter: (agent) => void agent.handlers.set("tool_call/cancel", () => ({})),
  },
  {
    check: "TK-TERM-07",
    dialect: "v2",
    what: "accepts a cancel of an unknown terminal",
    alter: (agent) => void agent.handlers.set("terminal/cancel", () => ({})),
  },
];
