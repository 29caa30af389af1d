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
    const wanted = [
      "starts",
      "ACP-TRANSPORT-001",
      "ACP-JSONRPC-004",
      "new-session",
      "ACP-SESSION-001",
      "ACP-SHUTDOWN-001",
    ];
    for (const id of wanted) expect(untested).not.toContain(id);
    expect(untested.length).toBeLessThan(20);
  });

  it("reports truly on an agent of the official SDK that reads files through clients without files", async () => {
    const { code, found } = await examine(officialAgent, ["--only", "ACP-INIT-001,ACP-CLIENTCAP-001,TK-JSONRPC-06"]);
    expect(found).toEqual([expect.stringMatching(/^ACP-CLIENTCAP-001: .*Method not found: fs\/read_text_file/)]);
    expect(code).toBe(5);
  });

  const draft = "The agent does not mark the end of a replay, so it follows an older draft.";
  it.each([
    ["a version 2 agent of the official SDK 2.4.0", officialV2Agent, "v2", ["TK-IDEM-01", "TK-RESUME-03"]],
    ["an agent of the draft of June 2026", seedAgent, "seed", []],
  ])("P-CONF-04: reports truly on %s", async (_, agent, dialect, older) => {
    const only = ["ACP-TRANSPORT-001", "ACP-INIT-001", "ACP-SESSION-001", ...older].join(",");
    const { code, report, found } = await examine(agent, ["--only", only]);
    expect(found).toEqual(older.map((id) => expect.stringMatching(new RegExp(`^${id}: .*${draft}$`))));
    expect({ code, protocol: report.protocol, hints: report.hints }).toEqual({
      ...{ code: 0, protocol: dialect, hints: older.length },
    });
  });

  it("complains of noise between messages, and says so by its exit code", async () => {
    const chatty = [
      ...officialAgent.slice(0, 1),
      "--import",
      "data:text/javascript,console.log('ready')",
      ...officialAgent.slice(1),
    ];
    const { code, found } = await examine(chatty, ["--no-turn", "--only", "ACP-TRANSPORT-001"]);
    expect(code).toBe(5);
    expect(found).toEqual(["ACP-TRANSPORT-001: This line is not a JSON-RPC 2.0 message: ready."]);
  });
});
