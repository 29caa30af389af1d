import { describe, expect, it } from "vitest";
import { runAgentChecks } from "../src/index.js";
import { correctAgent } from "./model/model-sessions.js";

/** An agent that ends each long turn by itself, right after the runner has seen that the turn runs. */
function hastyAgent(dialect: "v1" | "v2") {
  const agent = correctAgent(dialect);
  agent.onNotification("session/cancel", () => false);
  const request = agent.request.bind(agent);
  agent.request = async (frame) => {
    await request(frame);
    if (frame.method !== "_turnkit/runs") return;
    for (const session of agent.sessions.values()) session.turn?.abort();
  };
  if (dialect === "v1") agent.result("session/prompt", (result) => ({ ...result, stopReason: "end_turn" }));
  else agent.update("state_update", (update) => (update.stopReason ? { ...update, stopReason: "end_turn" } : update));
  return agent.pipe;
}

describe("a turn that ends by itself when it is cancelled", () => {
  it.each([
    [1, "v1", ["ACP-CANCEL-001", "TK-CANCEL-03", "TK-CANCEL-07", "TK-CANCEL-09"]],
    [2, "v2", ["ACP-CANCEL-201", "TK-CANCEL-03", "TK-CANCEL-07"]],
  ] as const)("CONF-08: is not blamed on the agent in protocol %s", async (protocol, dialect, only) => {
    let opened = 0;
    const open = () => {
      opened += 1;
      return hastyAgent(dialect);
    };
    const report = await runAgentChecks(open, { protocol, only, timeoutMs: 1_000, cwd: "/work" });
    for (const { id, status, reason } of report.checks) {
      expect({ id, status }).toEqual({ id, status: "skipped" });
      expect(reason, id).toMatch(/ends without a cancel too|over before it could be cancelled/);
    }
    // The prompt is tried without a cancel only once.
    expect(opened).toBe(only.length + 1);
  });

  it.each(["cannot be started", "opens no session"])(
    "CONF-08: is a failure if the agent %s for a second attempt",
    async (how) => {
      let opened = 0;
      const open = () => {
        opened += 1;
        if (opened === 2 && how === "cannot be started") throw new Error("The program is gone.");
        if (opened === 1) return hastyAgent("v1");
        const agent = correctAgent("v1");
        agent.handlers.delete("session/new");
        return agent.pipe;
      };
      const report = await runAgentChecks(open, { only: ["TK-CANCEL-03"], timeoutMs: 1_000, cwd: "/work" });
      expect(report.checks).toMatchObject([{ id: "TK-CANCEL-03", status: "failed" }]);
    },
  );

  it.each([
    ["ACP-CANCEL-001", "v1", "refusal"],
    ["ACP-CANCEL-201", "v2", "refusal"],
    ["ACP-CANCEL-201", "v2", "max_tokens"],
  ] as const)("CONF-08: %s is tried again in %s after a turn that ended by itself as %s", async (id, dialect, own) => {
    const agent = correctAgent(dialect);
    let isFirst = true;
    const ownEnd = <E extends { readonly stopReason?: unknown }>(end: E): E => {
      if (end.stopReason !== "cancelled" || !isFirst) return end;
      isFirst = false;
      return { ...end, stopReason: own };
    };
    if (dialect === "v1") agent.result("session/prompt", ownEnd);
    else agent.update("state_update", ownEnd);
    const protocol = dialect === "v1" ? 1 : 2;
    const { checks } = await runAgentChecks(() => agent.pipe, { protocol, only: [id], timeoutMs: 1_000, cwd: "/work" });
    expect(checks).toMatchObject([{ id, status: "passed" }]);
    expect(isFirst).toBe(false);
  });
});
