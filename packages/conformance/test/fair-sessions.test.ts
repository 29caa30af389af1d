import { describe, expect, it } from "vitest";
import { runAgentChecks } from "../src/index.js";
import type { ModelAgent } from "./model/model-agent.js";
import { correctAgent } from "./model/model-sessions.js";
import { refuse } from "./mutants/sessions.js";
import { twoOptions } from "./mutants/settings.js";

const statusOf = async (dialect: "v1" | "v2", id: string, alter: (agent: ModelAgent) => void) => {
  const open = () => {
    const agent = correctAgent(dialect);
    alter(agent);
    return agent.pipe;
  };
  const protocol = dialect === "v1" ? 1 : 2;
  const { checks } = await runAgentChecks(open, { protocol, only: [id], timeoutMs: 500, cwd: "/work" });
  return checks.map(({ status, reason }) => `${status}${reason === undefined ? "" : `: ${reason}`}`).join();
};

describe("CONF-04: an agent with several sessions is not blamed", () => {
  it.each(["v1", "v2"] as const)("for options that each session has of its own in %s", async (dialect) => {
    for (const id of ["TK-CONFIG-08", "TK-CONFIG-09"])
      expect(await statusOf(dialect, id, (agent) => twoOptions(agent, "own")), id).toBe("passed");
  });

  it("for an option that it changes in all sessions, and reports there", async () => {
    const received = await statusOf("v1", "TK-CONFIG-08", (agent) => {
      twoOptions(agent, "shared");
      agent.result("session/set_config_option", (result) => {
        for (const id of agent.sessions.keys())
          agent.say(id, { sessionUpdate: "config_option_update", configOptions: result.configOptions });
        return result;
      });
    });
    expect(received).toBe("skipped: The agent changed the options of the other session itself.");
  });

  it("for a second prompt that waits for the first turn", async () => {
    const received = await statusOf("v1", "TK-CANCEL-12", (agent) => {
      const prompt = agent.handlers.get("session/prompt");
      agent.handlers.set("session/prompt", async (params, call) => {
        await agent.sessions.get(params.sessionId)?.turn?.aborted;
        return prompt?.(params, call);
      });
    });
    expect(received).toBe("skipped: The agent did not refuse a second prompt during the turn.");
  });

  it.each([
    ["no ids", undefined, "skipped: No message of the agent with an id came before the end of the turn."],
    ["one id for all pieces of a message", "own", "passed"],
  ] as const)("for messages with %s", async (_what, id, status) => {
    const received = await statusOf("v1", "TK-MESSAGE-02", (agent) => {
      agent.update("agent_message_chunk", ({ messageId, ...update }) => {
        const piece = { ...update, ...(id && { messageId }) };
        return [piece, piece];
      });
    });
    expect(received).toBe(status);
  });
});

describe("CONF-03: a skipped check", () => {
  it("shows the error of the step that it needs", async () => {
    const received = await statusOf("v1", "ACP-DELETE-202", (agent) => refuse(agent, "session/list", () => true));
    expect(received).toContain(
      'An earlier step failed with the error of session/list: {"jsonrpc":"2.0","id":3,"error":',
    );
  });
});
