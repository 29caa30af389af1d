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

/** What `turnkit doctor --json` says of an agent. */
async function examine(agent: readonly string[], args: readonly string[] = []) {
  const cwd = await createFolder();
  // No model and no stored session of whoever runs the tests.
  const env = { HOME: cwd, XDG_CONFIG_HOME: cwd, XDG_DATA_HOME: cwd, XDG_STATE_HOME: cwd };
  const { code, stdout, stderr } = await runProgram([...turnkit, "doctor", "--json", ...args, "--", ...agent], { cwd, env });
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
    console.log(untested);
  });

  it("reports truly on an agent of the official SDK", async () => {
    const { code, found, untested } = await examine(officialAgent);
    console.log(code, found, untested);
  });
  it("reports truly on a version 2 agent of the official SDK", async () => {
    const { code, found, untested } = await examine(officialV2Agent);
    console.log(code, found, untested);
  });
  it("reports truly on an agent of the draft", async () => {
    const { code, found, untested } = await examine(seedAgent);
    console.log(code, found, untested);
  });
});
