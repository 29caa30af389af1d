import { describe, expect, it } from "vitest";
import { agentChecks } from "../src/agent/agent-checks.js";
import { assertPassed, chooseAgentChecks, defaultPrompts, renderMarkdown, runAgentChecks } from "../src/index.js";
import type { ModelAgent } from "./model/model-agent.js";
import { correctAgent } from "./model/model-sessions.js";

const run = (alter: (agent: ModelAgent) => void, options: Parameters<typeof runAgentChecks>[1]) =>
  runAgentChecks(
    () => {
      const agent = correctAgent("v1");
      alter(agent);
      return agent.pipe;
    },
    { timeoutMs: 200, cwd: "/work", ...options },
  );

describe("the checks as data", () => {
  it("CONF-03: have unique ids, a sentence, requirements and pages", async () => {
    const ids = agentChecks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, title, requirements } of agentChecks) {
      expect(title, id).toMatch(/^[A-Z_$a-z].*\.$/);
      expect(requirements.length, id).toBeGreaterThan(0);
    }
    const report = await run(() => {}, { only: ["ACP-INIT-001"] });
    expect(report.checks[0]).toMatchObject({
      ...{ id: "ACP-INIT-001", tier: "mandatory", requirements: ["V1-INIT-08", "V2-INIT-02"], seed: 1 },
      pages: ["https://agentclientprotocol.com/protocol/v1/initialization"],
    });
  });

  it("CONF-03: are at least 120", () => {
    expect(agentChecks.length).toBeGreaterThanOrEqual(120);
  });

  it("CONF-02: have a quick suite in every protocol", () => {
    for (const protocol of [1, 2, "seed"] as const) {
      const quick = chooseAgentChecks({ protocol, suite: "quick" });
      expect(quick.length, String(protocol)).toBeGreaterThan(25);
      expect(quick.length, String(protocol)).toBeLessThan(chooseAgentChecks({ protocol }).length / 2);
    }
  });
});

describe("runAgentChecks", () => {
  it("CONF-12: a failed check is a readable assertion", async () => {
    const report = await run((agent) => agent.result("initialize", (result) => ({ ...result, protocolVersion: 2 })), {
      only: ["ACP-INIT-002"],
    });
    expect(() => assertPassed(report)).toThrow(
      /✗ ACP-INIT-002 {2}Asked for version 1, the agent answers 1\.\n {4}failed: protocolVersion is 2\.\n(.*\n)*.*"protocolVersion":2/,
    );
  });

  it("CONF-04: an invalid message of the runner is an error of the runner, and no failure of the agent", async () => {
    const report = await run(() => {}, {
      only: ["ACP-PROMPT-001"],
      prompts: { say: 7 as unknown as string },
    });
    expect(report.verdict).toBe("could not run");
    expect(report.checks[0]).toMatchObject({
      status: "error",
      reason: expect.stringContaining("invalid session/prompt"),
    });
  });

  it("CONF-02: takes prompts of the agent, and steers nothing in the profile plain", async () => {
    const own = await run((agent) => agent.texts.set("/ask", "permission"), {
      only: ["TK-PERM-03"],
      prompts: { permission: "/ask" },
    });
    expect(own.counts.passed).toBe(1);
    const plain = await run(() => {}, { only: ["TK-PERM-03", "ACP-PROMPT-001"], profile: "plain" });
    expect(plain.checks.map(({ status }) => status)).toEqual(["passed", "skipped"]);
    expect(Object.keys(defaultPrompts)).toContain("permission");
  });

  it("CONF-03: removes secrets from the evidence", async () => {
    const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
    const report = await run(
      (agent) => agent.result("initialize", (result) => ({ ...result, protocolVersion: 2, _meta: { token: secret } })),
      { only: ["ACP-INIT-002"] },
    );
    expect(report.verdict).toBe("failed");
    expect(JSON.stringify(report)).not.toContain(secret);
    const noisy = await run(
      (agent) =>
        agent.result("session/new", (result) => {
          agent.text(`debug: OPENAI_API_KEY=${secret}\n`);
          return result;
        }),
      { only: ["ACP-TRANSPORT-001"] },
    );
    expect(noisy.checks[0]?.reason).toContain("debug: ");
    expect(JSON.stringify(noisy)).not.toContain(secret);
  });

  it("CONF-05: a report in Markdown shows failures with their messages, and no markup of the agent", async () => {
    const report = await run(
      (agent) =>
        agent.result("initialize", (result) => ({
          ...result,
          agentInfo: { name: "<img src=x> ~~~~ | a", version: "1" },
          protocolVersion: 2,
        })),
      { only: ["ACP-INIT-002", "ACP-INIT-001"], prompts: { say: "It's me" } },
    );
    const text = renderMarkdown(report);
    expect(text).toContain("# Conformance of \\<img src=x\\> ~~~~ \\| a 1");
    expect(text).toContain("## ACP-INIT-002: Asked for version 1, the agent answers 1.");
    // The options of the run, quoted for a shell.
    expect(text).toContain("`--only ACP-INIT-002 --seed 1 --prompt say='It'\\''s me'`");
    expect(text.match(/^~~~~$/gm)).toHaveLength(2);
    expect(text).toContain("## Passed checks");
  });

  it("sends no prompt in the profile silent", async () => {
    const methods = new Set<unknown>();
    const report = await run(
      (agent) => {
        const request = agent.request.bind(agent);
        agent.request = (frame) => {
          methods.add(frame.method);
          return request(frame);
        };
      },
      { profile: "silent" },
    );
    expect(report.counts).toMatchObject({ failed: 0, errors: 0 });
    expect(report.counts.passed).toBeGreaterThan(40);
    expect([...methods]).toContain("session/new");
    expect([...methods]).not.toContain("session/prompt");
  });

  it("ends at its signal, and skips what it did not get to", async () => {
    const stop = new AbortController();
    const only = ["ACP-INIT-001", "ACP-PROMPT-001", "ACP-CANCEL-001"];
    const report = await run((agent) => agent.result("session/prompt", () => new Promise(() => stop.abort())), {
      ...{ only, timeoutMs: 60_000, signal: stop.signal },
    });
    const ends = report.checks.map(({ id, status, reason }) => [id, status, reason]);
    expect(ends).toEqual([
      ["ACP-INIT-001", "passed", undefined],
      ["ACP-PROMPT-001", "skipped", "The run was stopped."],
      ["ACP-CANCEL-001", "skipped", "The run was stopped."],
    ]);
  });

  it("ends a conversation with an agent that floods, and says so", async () => {
    const report = await run(
      (agent) =>
        agent.result("session/prompt", () => {
          const text = "x".repeat(1024 * 1024);
          for (let n = 0; n < 66; n += 1)
            agent.text(`{"jsonrpc":"2.0","method":"_x/${n}","params":{"text":"${text}"}}\n`);
          return { stopReason: "end_turn" };
        }),
      { only: ["ACP-PROMPT-001"], timeoutMs: 60_000 },
    );
    expect(report.checks[0]?.reason).toBe(
      "No answer to session/prompt came before the agent had sent more than 64 MiB or 20000 lines.",
    );
  });

  it("defect K10: ends a conversation with an agent that floods with short lines, and keeps little of it", async () => {
    const report = await run(
      (agent) =>
        agent.result("session/prompt", () => {
          for (let n = 0; n < 30; n += 1) agent.text("1\n".repeat(1_000));
          return { stopReason: "end_turn" };
        }),
      { only: ["ACP-PROMPT-001"], timeoutMs: 60_000 },
    );
    expect(report.checks[0]?.reason).toContain("more than 64 MiB or 20000 lines");
    expect(report.checks[0]?.evidence?.leftOut).toBeLessThan(200);
  });

  it("reads a message of 50 000 levels as a line that is not JSON", async () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const report = await run(
      (agent) =>
        agent.result("session/new", (result) => {
          agent.text(`{"jsonrpc":"2.0","method":"_x","params":{"deep":${deep}}}\n`);
          return result;
        }),
      { only: ["ACP-TRANSPORT-001", "ACP-SESSION-001"] },
    );
    expect(report.checks.map(({ status }) => status)).toEqual(["failed", "passed"]);
    expect(JSON.stringify(report).length).toBeLessThan(20_000);
  });

  it("reads a message whose id cannot be a text", async () => {
    const report = await run(
      (agent) =>
        agent.result("session/new", (result) => {
          agent.text(`{"jsonrpc":"2.0","id":{"toString":1},"method":"_x"}\n`);
          return result;
        }),
      { only: ["ACP-SESSION-001"] },
    );
    expect(report.checks[0]).toMatchObject({ status: "passed" });
  });

  it.each([
    ["that marks no replay, because it follows an older draft", true, "advisory"],
    ["that marks its replays", false, "mandatory"],
  ])("P-CONF-04: an ignored key is of the right weight for an agent %s", async (_, isOlder, tier) => {
    const report = await runAgentChecks(
      () => {
        const agent = correctAgent("v2");
        if (isOlder) agent.update("replay_complete", () => undefined);
        const request = agent.request.bind(agent);
        agent.request = (frame) => request({ ...frame, params: { ...frame.params, idempotencyKey: undefined } });
        return agent.pipe;
      },
      { protocol: 2, only: ["TK-IDEM-01"], timeoutMs: 200, cwd: "/work" },
    );
    expect(report.checks[0]).toMatchObject({ status: "failed", tier });
    expect(report.verdict).toBe(isOlder ? "passed" : "failed");
  });

  it("does not blame an agent whose turn ends by itself at the moment of the cancel", async () => {
    const { checks } = await run((agent) => agent.texts.set(defaultPrompts.long, "say"), {
      only: ["ACP-CANCEL-001", "TK-JSONRPC-15"],
    });
    for (const { status, reason } of checks) {
      expect({ status, reason }).toEqual({ status: "skipped", reason: expect.stringContaining("was over before") });
    }
  });

  it("runs conversations at the same time, with results in the order of the checks", async () => {
    const order: string[] = [];
    const only = ["ACP-INIT-001", "ACP-INIT-002", "ACP-INIT-003", "ACP-SESSION-001"];
    const report = await run(() => {}, { only, jobs: 3, onResult: ({ id }) => order.push(id) });
    expect(report.checks.map(({ id }) => id)).toEqual(only);
    expect(order.toSorted()).toEqual(only);
  });

  it("repeats random pieces for the same seed", async () => {
    const sizes = async (seed: number) => {
      const seen: number[] = [];
      const open = () => {
        const { writable, ...pipe } = correctAgent("v1").pipe;
        const writer = writable.getWriter();
        const write = (bytes: Uint8Array) => {
          seen.push(bytes.length);
          return writer.write(bytes);
        };
        return { ...pipe, writable: new WritableStream<Uint8Array>({ write, close: () => writer.close() }) };
      };
      await runAgentChecks(open, { only: ["TK-FRAMING-03"], seed, timeoutMs: 200, cwd: "/work" });
      return seen;
    };
    expect(await sizes(7)).toEqual(await sizes(7));
    expect(await sizes(7)).not.toEqual(await sizes(8));
  });
});
