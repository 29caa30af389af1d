import { describe, expect, it } from "vitest";
import { createFolder } from "./folder.js";
import { officialAgent, officialV2Agent, seedAgent, turnkit, turnkitAgent } from "./programs.js";
import { runProgram } from "./running-program.js";

type Report = {
  readonly protocol?: string;
  readonly problems: number;
  readonly hints: number;
  readonly checks: readonly { readonly id: string; readonly result: string; readonly seen?: string }[];
};

/** Runs `turnkit doctor --json` against an agent. */
async function examine(agent: readonly string[], args: readonly string[] = []) {
  const cwd = await createFolder();
  // No model and no stored session of whoever runs the tests.
  const env = { HOME: cwd, XDG_CONFIG_HOME: cwd, XDG_DATA_HOME: cwd, XDG_STATE_HOME: cwd };
  const { code, stdout, stderr } = await runProgram([...turnkit, "doctor", "--json", ...args, "--", ...agent], {
    cwd,
    env,
  });
  expect(stderr).toBe("");
  const report = JSON.parse(stdout) as Report;
  const found = report.checks.flatMap(({ id, result, seen }) => (result === "finding" ? [`${id}: ${seen}`] : []));
  const untested = report.checks.flatMap(({ id, result }) => (result === "untested" ? [id] : []));
  return { code, report, found, untested };
}

describe("turnkit doctor", () => {
  it.each([
    ["1", "v1"],
    ["2", "v2"],
    ["seed", "seed"],
  ])("has nothing to complain about turnkit-agent, spoken to in version %s", async (protocol, dialect) => {
    const { code, report, found, untested } = await examine(turnkitAgent, ["--protocol", protocol]);
    expect(found).toEqual([]);
    expect({ code, protocol: report.protocol }).toEqual({ code: 0, protocol: dialect });
    for (const id of ["starts", "stdout-noise", "unknown-method", "new-session", "prompt", "exit"]) {
      expect(untested).not.toContain(id);
    }
  });

  it("reports truly on an agent of the official SDK: it uses the ids of finished tool calls again", async () => {
    const { code, report, found, untested } = await examine(officialAgent);
    expect(found).toEqual(["coherent-updates: 2 oddities, the first: a finished tool call was reopened (read)"]);
    expect({ code, hints: report.hints }).toEqual({ code: 0, hints: 1 });
    // It promises none of these.
    const ofVersion2 = ["replay-marker", "prompt-key", "children-announced", "children-end"];
    expect(untested).toEqual(["session-list", "restore", ...ofVersion2, "restore-unknown", "session-close"]);
  });

  const oddities = [
    "prompt accepted under another id than its echo had (u-23)",
    "a finished tool call was reopened (e)",
  ];
  const ofDraft = [
    `coherent-updates: 2 oddities, the first: ${oddities[0]}`,
    "replay-marker: a replay without replay_complete",
    "prompt-key: one key with two messages: u-0 and u-23",
  ];
  it.each([
    ["a version 2 agent of the official SDK 2.4.0", officialV2Agent, "v2", ofDraft],
    ["an agent of the draft of June 2026", seedAgent, "seed", [`coherent-updates: one oddity: ${oddities[1]}`]],
  ])("P-CONF-04: reports truly on %s", async (_, agent, dialect, expected) => {
    const { code, report, found } = await examine(agent);
    expect(found).toEqual(expected);
    expect({ code, protocol: report.protocol }).toEqual({ code: 0, protocol: dialect });
  });

  it("complains of noise between messages, and says so by its exit code", async () => {
    const chatty = [
      ...officialAgent.slice(0, 1),
      "--import",
      "data:text/javascript,console.log('ready')",
      ...officialAgent.slice(1),
    ];
    const { code, found } = await examine(chatty, ["--no-turn"]);
    expect(code).toBe(5);
    expect(found).toEqual(['stdout-noise: one line on stdout that is not JSON: "ready"']);
  });
});
