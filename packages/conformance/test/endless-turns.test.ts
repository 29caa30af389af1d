import { describe, expect, it } from "vitest";
import { runAgentChecks } from "../src/index.js";
import { correctAgent } from "./model/model-sessions.js";

const protocols = { v1: 1, v2: 2, seed: "seed" } as const;

/** Runs the full suite. Turns do not end in some of the conversations that send a prompt. */
async function full(dialect: keyof typeof protocols, isEndless: (conversation: number) => boolean, more: object = {}) {
  let prompted = 0;
  let endless = 0;
  const open = () => {
    const agent = correctAgent(dialect);
    let number = 0;
    const prompt = agent.handlers.get("session/prompt");
    agent.handlers.set("session/prompt", (params, call) => {
      if (number === 0) {
        number = ++prompted;
        if (isEndless(number)) endless += 1;
      }
      if (!isEndless(number)) return prompt?.(params, call);
      if (dialect !== "v2") return new Promise(() => {});
      agent.say(params.sessionId, { sessionUpdate: "state_update", state: "running", background: [] });
      return { messageId: `u-${number}` };
    });
    return agent.pipe;
  };
  const options = { protocol: protocols[dialect], timeoutMs: 80, cwd: "/work", ...more };
  const report = await runAgentChecks(open, options);
  return { ...report, endless };
}

const reason = "The check was not tried: the runner has waited for 3 turns in vain, and no turn has ended.";

describe.each([
  ["v1", "ACP-PROMPT-001"],
  ["v2", "ACP-STATE-202"],
  ["seed", "ACP-PROMPT-001"],
] as const)("CONF-08: an agent of %s whose turns never end", (dialect, check) => {
  it("makes only a few checks wait for a turn", async () => {
    const { verdict, checks, endless } = await full(dialect, () => true);
    // Some checks of version 2 send a prompt, and do not wait for its turn.
    expect(endless).toBeLessThan(6);
    expect(verdict).toBe("failed");
    expect(checks.find(({ id }) => id === check)).toMatchObject({ status: "failed" });
    expect(checks.filter((result) => result.reason === reason).length).toBeGreaterThan(20);
  });

  it("fails the check of the end of a turn with several conversations at the same time", async () => {
    const { checks, endless } = await full(dialect, () => true, { jobs: 4 });
    expect(endless).toBeLessThan(12);
    expect(checks.find(({ id }) => id === check)).toMatchObject({ status: "failed" });
  });

  it("gets further prompts if one of its first turns ends", async () => {
    const { checks } = await full(dialect, (conversation) => conversation < 3);
    expect(checks.filter((result) => result.reason === reason)).toEqual([]);
    expect(checks.find(({ id }) => id === "TK-LOAD-04")?.status).toBe("passed");
  });
});

it("CONF-08: the check of the end of a turn fails, even if three turns were waited for at the same time before it", async () => {
  const only = ["TK-SESSION-11", "ACP-PROMPT-203", "ACP-STATE-201", "ACP-STATE-202"];
  const { checks } = await full("v2", () => true, { jobs: 3, only });
  expect(checks.find(({ id }) => id === "ACP-STATE-202")?.status).toBe("failed");
});
