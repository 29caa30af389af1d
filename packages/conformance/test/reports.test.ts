import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  type AgentCheckOptions,
  renderHtml,
  renderJson,
  renderJunit,
  renderMarkdown,
  renderSarif,
  runAgentChecks,
} from "../src/index.js";
import { readExpectedFailures } from "../src/node/expected-failures.js";
import { correctAgent } from "./model/model-sessions.js";

/** Agent with a hostile name that fails one check, and another one with a warning. */
const run = (options: AgentCheckOptions = {}) =>
  runAgentChecks(
    () => {
      const agent = correctAgent("v1");
      agent.result("initialize", (result) => ({
        ...result,
        protocolVersion: 2,
        agentInfo: { name: "<script>alert(1)</script>\u001b[31m", version: '"&]]>' },
      }));
      agent.handlers.set("authenticate", () => ({}));
      return agent.pipe;
    },
    {
      timeoutMs: 200,
      cwd: "/work",
      only: ["ACP-INIT-001", "ACP-INIT-002", "TK-INIT-03", "ACP-JSONRPC-004"],
      ...options,
    },
  );

describe("CONF-05: a report", () => {
  it("as JUnit has a case for each check, with the messages of a failure, and no character that XML forbids", async () => {
    const text = renderJunit(await run());
    expect(text).toContain('tests="4" failures="1" errors="0" skipped="1"');
    expect(text).toMatch(
      /name="ACP-INIT-002 Asked for version 1, the agent answers 1\." time="[\d.]+"><failure message="protocolVersion is 2\.">/,
    );
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(text.includes("<script>") || text.includes("\u001b")).toBe(false);
  });

  it.each([
    [1, "--only ACP-INIT-002 --seed 1"],
    [2, "--protocol 2 --only ACP-INIT-002 --seed 1"],
  ] as const)("of protocol %s names all options that repeat a failure", async (protocol, options) => {
    const report = { ...(await run()), protocol };
    expect(renderHtml(report)).toContain(`<code>${options}</code>`);
    expect(renderMarkdown(report)).toContain(`Repeat: \`${options}\``);
  });

  it.each([
    ["HTML", renderHtml],
    ["Markdown", renderMarkdown],
  ] as const)("as %s has failures, then warnings, then skipped checks, then passed ones", async (_, render) => {
    const report = await run();
    const [one] = report.checks;
    if (one === undefined) throw new Error("No check ran.");
    const checks = [
      { ...one, id: "D-PASSED", status: "passed" },
      { ...one, id: "C-SKIPPED", status: "skipped" },
      { ...one, id: "B-WARNING", status: "failed", tier: "advisory" },
      { ...one, id: "A-FAILURE", status: "failed", tier: "mandatory" },
    ] as const;
    const text = render({ ...report, checks });
    const places = ["A-FAILURE", "B-WARNING", "C-SKIPPED", "D-PASSED"].map((id) => text.indexOf(id));
    expect(places).not.toContain(-1);
    expect(places.toSorted((a, b) => a - b)).toEqual(places);
  });

  it("as SARIF has the checks as rules, and failures as results with a level", async () => {
    const { version, runs } = JSON.parse(renderSarif(await run()));
    expect(version).toBe("2.1.0");
    expect(runs[0].tool.driver.rules.map(({ id }: { id: string }) => id)).toContain("ACP-INIT-002");
    expect(runs[0].results).toEqual([
      expect.objectContaining({ ruleId: "ACP-INIT-002", level: "error", message: { text: "protocolVersion is 2." } }),
    ]);
  });

  it("defect K12: as JSON or SARIF has no character that a terminal obeys or that turns text around", async () => {
    const report = await run();
    const hostile = "\u009b31m\u007f\u202e\u2028\u{e0041}";
    const checks = report.checks.map((check) => ({ ...check, reason: hostile }));
    for (const render of [renderJson, renderSarif]) {
      const text = render({ ...report, checks });
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
      expect(JSON.stringify(JSON.parse(text))).toContain(JSON.stringify(hostile).slice(1, -1));
    }
  });

  it("defect K12: has a short name of the agent, and no links of it in Markdown", async () => {
    const agentInfo = { name: "n".repeat(100_000), version: "see https://evil.example www.evil.example" };
    const open = () => {
      const agent = correctAgent("v1");
      agent.result("initialize", (result) => ({ ...result, agentInfo }));
      return agent.pipe;
    };
    const report = await runAgentChecks(open, { only: ["ACP-INIT-001"], cwd: "/work" });
    expect(report.agent?.name).toBe(`${"n".repeat(200)}…`);
    expect(renderMarkdown(report)).toContain("see https\\://evil.example www\\.evil.example");
  });

  it("defect K12: is not large because a message is deep", async () => {
    const deep = JSON.parse(`${"[".repeat(60)}${"1,".repeat(1_500)}1${"]".repeat(60)}`) as unknown;
    const open = () => {
      const agent = correctAgent("v1");
      agent.result("initialize", (result) => ({ ...result, protocolVersion: 2, deep }));
      return agent.pipe;
    };
    const report = await runAgentChecks(open, { only: ["ACP-INIT-002"], cwd: "/work" });
    expect(report.checks[0]?.status).toBe("failed");
    expect(renderJson(report).length).toBeLessThan(60_000);
  });

  it("as HTML is one file without scripts, and shows no markup of the agent", async () => {
    const text = renderHtml(await run());
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).toContain("<h1>Conformance of &lt;script&gt;alert(1)&lt;/script&gt;\ufffd[31m &quot;&amp;]]&gt;</h1>");
    expect(text).toContain("<mark>&gt;");
    expect(text).not.toMatch(/<script|src=|@import|url\(/);
  });
});

describe("defect K7: texts of an agent in a report", () => {
  it.each([
    ["Markdown", renderMarkdown],
    ["HTML", renderHtml],
    ["JUnit", renderJunit],
  ] as const)("control no terminal, and turn no text around (%s)", async (_, render) => {
    const hostile = "\u001b[2J\u0000\u0007\u009b31m\u202e\u2066\u2028";
    const report = await run();
    const [first, ...others] = report.checks;
    if (first === undefined) throw new Error("no check");
    const lines = [{ ms: 1, by: "agent" as const, line: hostile, marked: true }];
    const evidence = { lines, leftOut: 0, stderr: `${hostile}\n${hostile}` };
    const checks = [{ ...first, status: "failed" as const, reason: hostile, evidence }, ...others];
    const text = render({ ...report, agent: { name: hostile, version: hostile }, checks } as typeof report);
    expect(text).toContain("\ufffd");
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
  });
});

describe("CONF-06: expected failures", () => {
  it("do not fail a run, but one that is not listed does", async () => {
    const known = await run({ expected: { "ACP-INIT-002": "it speaks version 2 only" } });
    expect(known).toMatchObject({ verdict: "passed", counts: { failed: 0, expected: 1 } });
    expect(renderJunit(known)).toContain("expected failure: it speaks version 2 only");
    expect(JSON.parse(renderSarif(known)).runs[0].results[0].suppressions).toEqual([
      { kind: "external", justification: "it speaks version 2 only" },
    ]);
    expect((await run({ expected: { "TK-INIT-03": "" } })).verdict).toBe("failed");
  });

  it("fail a run if a listed check passes, and change nothing if it is skipped", async () => {
    const both = { "ACP-INIT-002": "known", "ACP-INIT-001": "known" };
    const report = await run({ expected: both });
    expect(report).toMatchObject({ verdict: "failed", counts: { failed: 1, expected: 1 } });
    expect(renderHtml(report)).toContain("passed, but a failure is expected");
    const skipped = await run({ expected: { "ACP-INIT-002": "known", "ACP-JSONRPC-004": "known" } });
    expect(skipped.checks.find(({ id }) => id === "ACP-JSONRPC-004")?.status).toBe("skipped");
    expect(skipped.verdict).toBe("passed");
  });

  const folder = mkdtempSync(join(tmpdir(), "turnkit-expected-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const read = (text: string) => {
    const file = join(folder, "expected.yaml");
    writeFileSync(file, text);
    return readExpectedFailures(file);
  };

  it("are read from YAML: a map, a list, or nothing", async () => {
    expect(await read("ACP-INIT-002: two only\nTK-INIT-03:\n")).toEqual({
      "ACP-INIT-002": "two only",
      "TK-INIT-03": "",
    });
    expect(await read("- ACP-INIT-002\n")).toEqual({ "ACP-INIT-002": "" });
    expect(await read("# nothing yet\n")).toEqual({});
  });

  it("name checks that exist", async () => {
    await expect(read("ACP-INIT-999: no")).rejects.toThrow("names the check ACP-INIT-999, which does not exist");
    await expect(read("just a text")).rejects.toThrow("is neither a map");
    await expect(readExpectedFailures(join(folder, "none.yaml"))).rejects.toThrow("none.yaml");
  });
});
