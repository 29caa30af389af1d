import type { ModelAgent } from "../model/model-agent.js";
import type { Loose } from "../model/model-session.js";
import { after, type Mutant } from "./mutant.js";

/** Reads every answer to a permission question as this one. */
const answered = (agent: ModelAgent, change: (frame: Loose) => Loose) => {
  const receive = agent.receive.bind(agent);
  agent.receive = (value) => {
    const frame = value as Loose;
    const isAnswer = typeof frame === "object" && frame !== null && !("method" in frame) && frame.id === asked.id;
    receive(isAnswer ? change(frame) : value);
  };
  const asked: { id?: unknown } = {};
  agent.outgoing((frame) => {
    if (frame.method === "session/request_permission") asked.id = frame.id;
    return frame;
  });
};

const yes = { result: { outcome: { outcome: "selected", optionId: "yes" } } };
const allowIf = (fits: (frame: Loose) => boolean) => (agent: ModelAgent) =>
  answered(agent, (frame) => (fits(frame) ? { id: frame.id, ...yes } : frame));

const outcomeOf = (frame: Loose) => frame.result?.outcome ?? {};
const onWork = (act: (agent: ModelAgent) => unknown) => (agent: ModelAgent) =>
  agent.update("usage_update", (update) => after(act(agent), update));
const offer = (ability: string[]) => (agent: ModelAgent) =>
  agent.result("initialize", (result) => {
    const [group = "", name = ""] = ability;
    const capabilities = agent.client?.clientCapabilities;
    if (typeof capabilities !== "object") return result;
    capabilities[group] = name === "" ? true : { ...capabilities[group], [name]: true };
    return result;
  });

export const steeringMutants: readonly Mutant[] = [
  {
    check: "TK-PERM-01",
    what: "asks without the names of the options",
    alter: (agent) =>
      agent.call("session/request_permission", (params) => ({
        ...params,
        options: params.options.map(({ name, ...option }: Loose) => option),
      })),
  },
  {
    check: "ACP-PERM-201",
    dialect: "v2",
    what: "asks without a title",
    alter: (agent) => agent.call("session/request_permission", ({ title, ...params }) => params),
  },
  {
    check: "TK-PERM-02",
    what: "offers two options with the same id",
    alter: (agent) =>
      agent.call("session/request_permission", (params) => ({
        ...params,
        options: [...params.options, { optionId: "yes", name: "Always", kind: "allow_always" }],
      })),
  },
  {
    check: "TK-PERM-03",
    what: "waits for ever after an answer that allows",
    alter: (agent) => {
      const receive = agent.receive.bind(agent);
      agent.receive = (value) => (outcomeOf((value as Loose) ?? {}).optionId === "yes" ? undefined : receive(value));
    },
  },
  { check: "TK-PERM-04", what: "runs a rejected tool", alter: allowIf((frame) => outcomeOf(frame).optionId === "no") },
  {
    check: "TK-PERM-05",
    what: "runs a tool whose question was dismissed",
    alter: allowIf((frame) => outcomeOf(frame).outcome === "cancelled"),
  },
  {
    check: "TK-PERM-06",
    what: "runs a tool for any option",
    alter: allowIf((frame) => String(outcomeOf(frame).optionId).startsWith("turnkit")),
  },
  { check: "TK-PERM-07", what: "runs a tool after an error", alter: allowIf((frame) => "error" in frame) },
  {
    check: "ACP-ENUM-203",
    dialect: "v2",
    what: "runs a tool for an unknown outcome",
    alter: allowIf((frame) => outcomeOf(frame).outcome === "_turnkit"),
  },
  {
    check: "TK-PERM-08",
    what: "ends a turn as usual if it is cancelled during a question",
    alter(agent) {
      let isAsking = false;
      agent.outgoing((frame) => {
        if (frame.method === "session/request_permission") isAsking = true;
        return frame;
      });
      agent.result("session/prompt", (result) => (isAsking ? { stopReason: "end_turn" } : result));
    },
  },
  {
    check: "TK-PERM-09",
    dialect: "v2",
    what: "leaves a question open after a cancel",
    alter: (agent) => agent.outgoing((frame) => (frame.method === "$/cancel_request" ? undefined : frame)),
  },
  {
    check: "ACP-PATCH-209",
    dialect: "v2",
    what: "does not say that it waits for the user",
    alter: (agent) =>
      agent.update("state_update", (update) => (update.state === "requires_action" ? undefined : update)),
  },
  { check: "ACP-CLIENTCAP-001", what: "reads files of every client", alter: offer(["fs", "readTextFile"]) },
  {
    check: "TK-FS-02",
    what: "takes a client that reads files for one that writes them",
    alter: (agent) =>
      agent.result("initialize", (result) => {
        const { fs } = agent.client?.clientCapabilities ?? {};
        if (fs?.readTextFile) fs.writeTextFile = true;
        return result;
      }),
  },
  {
    check: "TK-FS-03",
    what: "reads a relative path",
    alter: (agent) => agent.call("fs/read_text_file", (params) => ({ ...params, path: "note.txt" })),
  },
  {
    check: "TK-FS-04",
    what: "fails if a file cannot be written",
    alter(agent) {
      let hasFailed = false;
      const ask = agent.ask.bind(agent);
      agent.ask = (method, params) => {
        const asked = ask(method, params);
        if (method === "fs/write_text_file")
          void asked.answer.then(({ error }) => {
            if (error) hasFailed = true;
          });
        return asked;
      };
      agent.result("session/prompt", (result) => {
        if (hasFailed) throw new Error("No file");
        return result;
      });
    },
  },
  {
    check: "TK-FS-04",
    what: "fails if a file cannot be read",
    alter(agent) {
      let hasFailed = false;
      const receive = agent.receive.bind(agent);
      agent.receive = (value) => {
        if ((value as Loose | null)?.error?.code === -32002) hasFailed = true;
        receive(value);
      };
      agent.result("session/prompt", (result) => {
        if (hasFailed) throw new Error("No file");
        return result;
      });
    },
  },
  {
    check: "TK-SCHEMA-06",
    what: "reads a file from the line -1",
    alter: (agent) => agent.call("fs/read_text_file", (params) => ({ ...params, line: -1 })),
  },
  { check: "ACP-CLIENTCAP-002", what: "uses terminals of every client", alter: offer(["terminal"]) },
  {
    check: "TK-TERM-02",
    what: "does not release a terminal whose command has ended",
    alter(agent) {
      let hasEnded = false;
      agent.outgoing((frame) => {
        if (frame.method === "terminal/output") hasEnded = true;
        if (frame.method !== "terminal/release" || !hasEnded) return frame;
        agent.receive({ jsonrpc: "2.0", id: frame.id, result: {} });
        return undefined;
      });
    },
  },
  {
    check: "TK-TERM-03",
    what: "does not release the terminal of a cancelled turn",
    alter(agent) {
      let isCancelled = false;
      agent.onNotification("session/cancel", () => {
        isCancelled = true;
        return true;
      });
      agent.outgoing((frame) => {
        if (frame.method !== "terminal/release" || !isCancelled) return frame;
        queueMicrotask(() => agent.receive({ jsonrpc: "2.0", id: frame.id, result: {} }));
        return undefined;
      });
    },
  },
  {
    check: "TK-TERM-04",
    what: "kills a released terminal",
    alter: (agent) =>
      agent.outgoing((frame) =>
        frame.method === "terminal/release"
          ? [frame, { ...frame, id: `kill-${frame.id}`, method: "terminal/kill" }]
          : frame,
      ),
  },
  {
    check: "TK-TERM-05",
    what: "fails if a terminal cannot be created",
    alter(agent) {
      let hasFailed = false;
      const receive = agent.receive.bind(agent);
      agent.receive = (value) => {
        if ((value as Loose | null)?.error?.message === "No such program") hasFailed = true;
        receive(value);
      };
      agent.result("session/prompt", (result) => {
        if (hasFailed) throw new Error("No terminal");
        return result;
      });
    },
  },
  {
    check: "TK-TERM-06",
    what: "shows a terminal that does not exist",
    alter: (agent) =>
      agent.update("tool_call_update", (update) =>
        update.content?.[0]?.type === "terminal"
          ? { ...update, content: [{ type: "terminal", terminalId: "other" }] }
          : update,
      ),
  },
  {
    check: "ACP-CLIENTCAP-003",
    what: "asks for a form of every client",
    alter: onWork((agent) =>
      agent.ask("elicitation/create", {
        ...{ sessionId: "s-1", mode: "form", message: "Which port?" },
        requestedSchema: { type: "object", properties: {} },
      }),
    ),
  },
  {
    check: "ACP-CLIENTCAP-201",
    dialect: "v2",
    what: "asks for a form of every client",
    alter: onWork((agent) =>
      agent.ask("elicitation/create", {
        ...{ sessionId: "s-1", mode: "form", message: "Which port?" },
        requestedSchema: { type: "object", properties: {} },
      }),
    ),
  },
  {
    check: "TK-CLIENTCAP-05",
    what: "sends notices to every client",
    alter: onWork((agent) => agent.say("s-1", { sessionUpdate: "notice", severity: "info", title: "New version" })),
  },
  {
    check: "TK-CLIENTCAP-06",
    what: "sends compactions to every client",
    alter: onWork((agent) =>
      agent.say("s-1", { sessionUpdate: "compaction_update", compactionId: "c-1", status: "completed" }),
    ),
  },
  {
    check: "TK-CLIENTCAP-07",
    what: "sends child sessions to every client",
    alter: onWork((agent) => agent.say("s-1", { sessionUpdate: "subagent_update", sessionId: "child" })),
  },
  {
    check: "TK-CLIENTCAP-08",
    what: "sends plans with ids to every client",
    alter: onWork((agent) =>
      agent.say("s-1", { sessionUpdate: "plan_update", plan: { type: "markdown", planId: "p", content: "# Plan" } }),
    ),
  },
];
