import { describe, expect, it } from "vitest";
import { runAgentChecks } from "../src/index.js";
import { correctAgent } from "./model/model-sessions.js";

/** Runs the quick suite. Some conversations get no answer to `initialize`. */
async function quick(isSilent: (conversation: number) => boolean) {
  let opened = 0;
  const open = () => {
    const agent = correctAgent("v1");
    opened += 1;
    if (isSilent(opened)) agent.outgoing((frame) => (frame.result?.protocolVersion ? undefined : frame));
    return agent.pipe;
  };
  const { checks, verdict } = await runAgentChecks(open, { suite: "quick", timeoutMs: 50, cwd: "/work" });
  return { opened, verdict, checks };
}

describe("CONF-08: an agent that never answers initialize", () => {
  it("does not let every check wait for it", async () => {
    const { opened, verdict, checks } = await quick(() => true);
    expect(opened).toBe(4);
    expect(verdict).toBe("failed");
    expect(checks.filter(({ status }) => status === "failed").map(({ id }) => id)).toEqual(["ACP-INIT-001"]);
    const last = checks.find(({ id }) => id === "ACP-CANCEL-001");
    expect(last?.reason).toBe("The agent did not answer initialize in 3 conversations. The check was not tried.");
  });

  it("is asked on if one of its first conversations works", async () => {
    const { opened, checks } = await quick(
      (conversation) => conversation === 1 || conversation === 2 || conversation === 4,
    );
    expect(opened).toBeGreaterThan(20);
    expect(checks.find(({ id }) => id === "ACP-CANCEL-001")?.status).toBe("passed");
  });
});
