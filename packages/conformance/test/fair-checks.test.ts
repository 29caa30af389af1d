import { describe, expect, it } from "vitest";
import { runAgentChecks } from "../src/index.js";
import type { ModelAgent } from "./model/model-agent.js";
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
    const told = await statuses("v1", only, (agent) => {
      for (const method of ["session/cancel", "$/cancel_request"])
        agent.onNotification(method, () => {
          agent.notify("_vendor/status", { ready: true });
          return true;
        });
    });
    expect(told).toEqual(only.map((id) => `${id} passed`));
  });

  it.each(["v1", "v2"] as const)("for a member of the unstable part of the protocol in %s", async (dialect) => {
    const usage = { totalTokens: 3, inputTokens: 1, outputTokens: 2 };
    const told = await statuses(dialect, ["ACP-SCHEMA-002"], (agent) => {
      if (dialect === "v1") agent.result("session/prompt", (result) => ({ ...result, usage }));
      else agent.update("state_update", (update) => (update.state === "idle" ? { ...update, usage } : update));
    });
    expect(told).toEqual(["ACP-SCHEMA-002 passed"]);
  });

  it("for a long command that it runs itself", async () => {
    const told = await statuses("v1", ["TK-TERM-03"], (agent) => {
      const handler = agent.handlers.get("initialize");
      agent.handlers.set("initialize", async (params, call) => {
        const result = await handler?.(params, call);
        agent.client = { ...agent.client, clientCapabilities: {} };
        return result;
      });
    });
    expect(told).toEqual(["TK-TERM-03 skipped: The agent used no terminal of the client."]);
  });

  it.each(["v1", "v2"] as const)(
    "for a question that waits for another client after an error in %s",
    async (dialect) => {
      const told = await statuses(dialect, ["TK-PERM-07"], (agent) => {
        const receive = agent.receive.bind(agent);
        agent.receive = (frame) => {
          if (!Object.hasOwn(frame as object, "error")) receive(frame);
        };
      });
      expect(told).toEqual(["TK-PERM-07 passed"]);
    },
  );
});

describe("the reason of a failure", () => {
  it("keeps the first letter of a method", async () => {
    const told = await statuses("v1", ["ACP-PROMPT-001", "TK-ENUM-01"], (agent) => {
      agent.outgoing((frame) => {
        const update = frame.params?.update;
        if (!update?.content) return frame;
        const call = { sessionUpdate: "tool_call", toolCallId: "own", title: "Look", kind: "inspect" };
        return [{ ...frame, params: { ...frame.params, update: call } }, frame];
      });
    });
    expect(told).toContain('TK-ENUM-01 failed: session/update tool_call: update.kind is "inspect".');
  });
});
