import type { ModelAgent } from "../model/model-agent.js";
import { after, type Mutant } from "./mutant.js";

const withToolStatus = (status: string) => (agent: ModelAgent) =>
  agent.outgoing((frame) => {
    const update = frame.params?.update;
    if (!/^tool_call/.test(update?.sessionUpdate) || update.status !== "in_progress") return frame;
    return { ...frame, params: { ...frame.params, update: { ...update, status } } };
  });

export const schemaMutants: readonly Mutant[] = [
  {
    check: "ACP-SCHEMA-001",
    what: "sends a text in place of options",
    alter: (agent) => agent.result("session/new", (result) => ({ ...result, configOptions: "none" })),
  },
  {
    check: "TK-SCHEMA-02",
    what: "answers with a list",
    alter: (agent) => agent.result("session/set_mode", () => []),
  },
  {
    check: "ACP-PROMPT-002",
    what: "sends chunks with a text in place of a block",
    alter: (agent) => agent.update("agent_thought_chunk", (update) => ({ ...update, content: "Hello" })),
  },
  {
    check: "ACP-PROMPT-205",
    dialect: "v2",
    what: "sends a message with a text in place of blocks",
    alter: (agent) =>
      agent.update("agent_thought_chunk", (update) => [
        update,
        { sessionUpdate: "agent_thought", messageId: "x", content: "Hello" },
      ]),
  },
  {
    check: "TK-SCHEMA-03",
    what: "sends a diff without its texts",
    alter: (agent) =>
      agent.update("tool_call_update", (update) =>
        update.content ? { ...update, content: [{ type: "diff" }] } : update,
      ),
  },
  {
    check: "TK-SCHEMA-04",
    what: "sends a plan without the statuses of its entries",
    alter: (agent) =>
      agent.update("plan", (update) => ({ ...update, entries: [{ content: "Read", priority: "high" }] })),
  },
  {
    check: "TK-SCHEMA-05",
    what: "sends usage with a fraction",
    alter: (agent) => agent.update("usage_update", (update) => ({ ...update, used: 0.5 })),
  },
  {
    check: "ACP-SCHEMA-002",
    what: "adds a member of its own to an update",
    alter: (agent) => agent.update("usage_update", (update) => ({ ...update, vendorCost: 1 })),
  },
  {
    check: "ACP-META-201",
    what: "sends _meta as a text",
    also: ["TK-SCHEMA-05"],
    alter: (agent) => agent.update("usage_update", (update) => ({ ...update, _meta: "mine" })),
  },
  { check: "TK-ENUM-01", what: "sends a status of its own", alter: withToolStatus("_waiting") },
  { check: "ACP-ENUM-201", dialect: "v2", what: "sends a status that nobody knows", alter: withToolStatus("waiting") },
  {
    check: "ACP-ENUM-202",
    what: "sends an update of a kind that nobody knows",
    alter: (agent) =>
      agent.update("usage_update", (update) => [update, { sessionUpdate: "mood_update", mood: "good" }]),
  },
  {
    check: "TK-CLIENTCAP-04",
    what: "calls a method of its own without _",
    alter: (agent) => agent.update("usage_update", (update) => after(agent.notify("vendor/log", {}), update)),
  },
  {
    check: "ACP-CLIENTCAP-202",
    dialect: "v2",
    what: "calls a method of version 1",
    alter: (agent) =>
      agent.update("usage_update", (update) => after(agent.ask("fs/read_text_file", { path: "/a" }), update)),
  },
];
