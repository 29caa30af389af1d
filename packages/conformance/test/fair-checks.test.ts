import { describe, expect, it } from "vitest";
import { runAgentChecks } from "../src/index.js";
import type { ModelAgent } from "./model/model-agent.js";
import { failure, type Loose } from "./model/model-session.js";
import { correctAgent } from "./model/model-sessions.js";

const statuses = async (dialect: "v1" | "v2", only: readonly string[], alter: (agent: ModelAgent) => void) => {
  const open = () => {
    const agent = correctAgent(dialect);
    alter(agent);
    return agent.pipe;
  };
  const protocol = dialect === "v1" ? 1 : 2;
  const { checks } = await runAgentChecks(open, { protocol, only, timeoutMs: 500, cwd: "/work" });
  return checks.map(({ id, status, reason }) => `${id} ${status}${reason === undefined ? "" : `: ${reason}`}`);
};

describe("CONF-04: an agent is not blamed", () => {
  it("for a notice of an extension that comes after a cancel of nothing", async () => {
    const only = ["TK-CANCEL-05", "TK-CANCEL-08"];
    const received = await statuses("v1", only, (agent) => {
      for (const method of ["session/cancel", "$/cancel_request"])
        agent.onNotification(method, () => {
          agent.notify("_vendor/status", { ready: true });
          return true;
        });
    });
    expect(received).toEqual(only.map((id) => `${id} passed`));
  });

  it.each(["v1", "v2"] as const)("for a member of the unstable part of the protocol in %s", async (dialect) => {
    const usage = { totalTokens: 3, inputTokens: 1, outputTokens: 2 };
    const received = await statuses(dialect, ["ACP-SCHEMA-002"], (agent) => {
      if (dialect === "v1") agent.result("session/prompt", (result) => ({ ...result, usage }));
      else agent.update("state_update", (update) => (update.state === "idle" ? { ...update, usage } : update));
    });
    expect(received).toEqual(["ACP-SCHEMA-002 passed"]);
  });

  it("for a prompt that it inserted before the cancel, and answers after it", async () => {
    const received = await statuses("v2", ["TK-CANCEL-11"], (agent) => {
      const prompt = agent.handlers.get("session/prompt");
      agent.handlers.set("session/prompt", async (params, call) => {
        const { sessionId, prompt: content } = params;
        const turn = agent.sessions.get(sessionId)?.turn;
        if (turn === undefined) return prompt?.(params, call);
        const update = { sessionUpdate: "user_message", messageId: "second", content };
        agent.notify("session/update", { sessionId, update });
        await turn.aborted;
        return { messageId: "second" };
      });
    });
    expect(received).toEqual(["TK-CANCEL-11 skipped: The agent holds no prompts."]);
  });

  it("for a long command that it runs itself", async () => {
    const received = await statuses("v1", ["TK-TERM-03"], (agent) => {
      const handler = agent.handlers.get("initialize");
      agent.handlers.set("initialize", async (params, call) => {
        const result = await handler?.(params, call);
        agent.client = { ...agent.client, clientCapabilities: {} };
        return result;
      });
    });
    expect(received).toEqual(["TK-TERM-03 skipped: The agent used no terminal of the client."]);
  });

  it.each(["v1", "v2"] as const)(
    "for a question that waits for another client after an error in %s",
    async (dialect) => {
      const received = await statuses(dialect, ["TK-PERM-07"], (agent) => {
        const receive = agent.receive.bind(agent);
        agent.receive = (frame) => {
          if (!Object.hasOwn(frame as object, "error")) receive(frame);
        };
      });
      expect(received).toEqual(["TK-PERM-07 passed"]);
    },
  );
});

const greeting = (dialect: "v1" | "v2") =>
  dialect === "v1"
    ? { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello" } }
    : { sessionUpdate: "agent_message", messageId: "hello", content: [{ type: "text", text: "Hello" }] };

describe.each(["v1", "v2"] as const)("CONF-04: an agent that greets is not blamed in %s", (dialect) => {
  const update = greeting(dialect);

  it("for a replay that begins with the greeting", async () => {
    const received = await statuses(dialect, ["TK-LOAD-04"], (agent) =>
      agent.outgoing((frame) => {
        const sessionId: unknown = frame.result?.sessionId;
        if (typeof sessionId !== "string") return frame;
        agent.sessions.get(sessionId)?.history.push(update);
        return [frame, { jsonrpc: "2.0", method: "session/update", params: { sessionId, update } }];
      }),
    );
    expect(received).toEqual(["TK-LOAD-04 passed"]);
  });

  it("for a greeting during the turn of another session", async () => {
    const received = await statuses(dialect, ["TK-SESSION-15"], (agent) =>
      agent.outgoing((frame) => {
        if (!frame.params?.update?.sessionUpdate?.startsWith("agent_message")) return frame;
        const others = [...agent.sessions.keys()].filter((sessionId) => sessionId !== frame.params.sessionId);
        return [...others.map((sessionId) => ({ ...frame, params: { sessionId, update } })), frame];
      }),
    );
    expect(received).toEqual(["TK-SESSION-15 passed"]);
  });
});

describe("CONF-04: an agent that replays a message in pieces is not blamed", () => {
  it("for the id that the pieces had before", async () => {
    const received = await statuses("v2", ["TK-MESSAGE-01", "TK-LOAD-05"], (agent) => {
      agent.update("agent_message", (update) => [
        { ...update, content: [] },
        { ...update, sessionUpdate: "agent_message_chunk", content: update.content[0] },
      ]);
    });
    expect(received.sort()).toEqual(["TK-LOAD-05 passed", "TK-MESSAGE-01 passed"]);
  });

  it("for a turn that ended between the request and its replay", async () => {
    // A failure of TK-IDEM-01 lets the kit bring the session back.
    const received = await statuses("v2", ["TK-MESSAGE-01", "TK-IDEM-01"], (agent) => {
      const handler = agent.handlers.get("session/prompt");
      agent.handlers.set("session/prompt", ({ idempotencyKey, ...params }, call) => handler?.(params, call));
      const prompts = new Set<unknown>();
      let piece: Loose | undefined;
      agent.update("agent_message", (update) => {
        piece = { ...update, sessionUpdate: "agent_message_chunk", content: update.content[0] };
        return [piece];
      });
      agent.update("user_message", (update) => {
        const isReplay = prompts.has(update.messageId);
        prompts.add(update.messageId);
        if (!isReplay || piece === undefined) return [update];
        return [piece, { sessionUpdate: "state_update", state: "idle" }, update];
      });
    });
    expect(received.filter((one) => one.startsWith("TK-MESSAGE"))).toEqual(["TK-MESSAGE-01 passed"]);
  });
});

describe("CONF-04: an agent that changes its plan is not blamed", () => {
  it.each(["v1", "v2"] as const)(
    "for an entry that it dropped, and that a replay brings back, in %s",
    async (dialect) => {
      const received = await statuses(dialect, ["TK-PLAN-01", "TK-LOAD-05"], (agent) => {
        const plan = (...names: readonly string[]) => {
          const entries = names.map((content) => ({ content, priority: "low", status: "pending" }));
          return dialect === "v1"
            ? { sessionUpdate: "plan", entries }
            : { sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries } };
        };
        agent.outgoing((frame) => {
          if (!frame.params?.update?.sessionUpdate?.startsWith("agent_message")) return frame;
          const plans = [plan("a", "b"), plan("a")];
          return [...plans.map((update) => ({ ...frame, params: { ...frame.params, update } })), frame];
        });
      });
      expect(received).toEqual(["TK-PLAN-01 passed", "TK-LOAD-05 passed"]);
    },
  );
});

const isWork = (update: Loose) => String(update.toolCallId).startsWith("call-");

describe("CONF-04: an agent with tool calls in two turns is not blamed", () => {
  /** Adds reports of the call of the first turn to each answer of a later turn. */
  const late = (agent: ModelAgent, kind: string, report: object) =>
    agent.update(kind, (update) =>
      /^call-.*-2$/.test(update.toolCallId) && update.status === "pending"
        ? [{ sessionUpdate: "tool_call_update", toolCallId: update.toolCallId.replace(/2$/, "1"), ...report }, update]
        : update,
    );
  const whole = { title: "Read note.txt", kind: "read", status: "completed" };

  it.each([
    ["v1", "tool_call", { ...whole, status: "in_progress" }],
    ["v2", "tool_call_update", whole],
    ["v2", "tool_call_update", { status: "in_progress", locations: [] }],
  ] as const)("for a change of the earlier call in %s", async (dialect, kind, report) => {
    const received = await statuses(dialect, ["TK-TOOL-05"], (agent) => late(agent, kind, report));
    expect(received).toEqual(["TK-TOOL-05 passed"]);
  });

  it("for a call that goes on in the background with its title in v2", async () => {
    const received = await statuses("v2", ["TK-TOOL-05"], (agent) => {
      agent.update("tool_call_update", (update) =>
        isWork(update) && update.status === "completed" ? { ...update, status: "in_progress" } : update,
      );
      late(agent, "tool_call_update", { ...whole, status: "in_progress" });
    });
    expect(received).toEqual(["TK-TOOL-05 passed"]);
  });

  it.each([
    ["first", () => false],
    ["second", (update: Loose) => update.toolCallId.endsWith("-1")],
  ] as const)("without a call in the %s turn", async (turn, isSent) => {
    const received = await statuses("v1", ["TK-TOOL-05"], (agent) => {
      for (const kind of ["tool_call", "tool_call_update"])
        agent.update(kind, (update) => (isSent(update) ? update : undefined));
    });
    expect(received).toEqual([`TK-TOOL-05 skipped: The ${turn} turn of the prompt work had no tool call.`]);
  });
});

describe.each(["v1", "v2"] as const)("CONF-04: an agent that replays twice is not blamed in %s", (dialect) => {
  const method = dialect === "v1" ? "session/load" : "session/resume";

  it("for a greeting in each replay, which does not become a part of the history", async () => {
    let greetings = 0;
    const received = await statuses(dialect, ["TK-LOAD-09"], (agent) => {
      const handler = agent.handlers.get(method);
      agent.handlers.set(method, (params, call) => {
        const content = { type: "text", text: `Welcome ${++greetings}` };
        const update = greeting(dialect);
        agent.say(params.sessionId, { ...update, content: dialect === "v1" ? content : [content] });
        return handler?.(params, call);
      });
    });
    expect(received).toEqual(["TK-LOAD-09 passed"]);
  });

  it("if it keeps no session that was closed a second time", async () => {
    let restores = 0;
    const received = await statuses(dialect, ["TK-LOAD-09"], (agent) => {
      const handler = agent.handlers.get(method);
      agent.handlers.set(method, (params, call) => {
        if (++restores > 1) throw failure(-32002, "Resource not found");
        return handler?.(params, call);
      });
    });
    expect(received).toEqual(["TK-LOAD-09 skipped: The agent keeps no closed sessions."]);
  });
});

describe("the reason of a failure", () => {
  const reasonOf = async (id: string, dialect: "v1" | "v2", alter: (agent: ModelAgent) => void) =>
    (await statuses(dialect, [id], alter))[0]?.replace(/^.* failed: /, "");
  const plan = (update: { plan: object }) => ({ ...update, plan: { ...update.plan, planId: undefined } });
  const planless = (agent: ModelAgent) => agent.update("plan_update", plan as never);

  it("keeps the first letter of a member", async () => {
    const nameless = (agent: ModelAgent) =>
      agent.update("tool_call", (update) => ({ ...update, toolCallId: undefined }));
    expect(await reasonOf("ACP-PATCH-204", "v1", nameless)).toBe("toolCallId is undefined.");
  });

  it("names the member of a plan that is missing", async () => {
    expect(await reasonOf("ACP-PATCH-205", "v2", planless)).toBe("planId is undefined.");
  });

  it("shows no value of a member that is missing", async () => {
    const reason = "session/update plan_update: update.plan.planId expected a string, got nothing.";
    expect(await reasonOf("TK-SCHEMA-04", "v2", planless)).toBe(reason);
  });

  it("shows the answer after which a tool call went on", async () => {
    const bold = (agent: ModelAgent) => {
      const ask = agent.ask.bind(agent);
      agent.ask = (method, params) => {
        const { id, answer } = ask(method, params);
        const granted = { result: { outcome: { outcome: "selected", optionId: "yes" } } };
        return { id, answer: answer.then(() => granted) };
      };
    };
    expect(await reasonOf("TK-PERM-05", "v1", bold)).toBe(
      'The tool call completed after the answer {"outcome":{"outcome":"cancelled"}}.',
    );
  });

  it("keeps the first letter of a method", async () => {
    const received = await statuses("v1", ["ACP-PROMPT-001", "TK-ENUM-01"], (agent) => {
      agent.outgoing((frame) => {
        const update = frame.params?.update;
        if (!update?.content) return frame;
        const call = { sessionUpdate: "tool_call", toolCallId: "own", title: "Look", kind: "inspect" };
        return [{ ...frame, params: { ...frame.params, update: call } }, frame];
      });
    });
    expect(received).toContain('TK-ENUM-01 failed: session/update tool_call: update.kind is "inspect".');
  });
});
