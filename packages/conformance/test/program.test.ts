import { relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { runProgram } from "../src/node/run-program.js";
import type { Report } from "../src/report/report.js";

const programs = JSON.parse(process.env.TURNKIT_TEST_PROGRAMS ?? "{}") as Record<string, string>;
const model = programs[resolve(import.meta.dirname, "fixtures/model-main.ts")] as string;
const clientModel = programs[resolve(import.meta.dirname, "fixtures/model-client-main.ts")] as string;
const command = (...words: string[]) => ["--", process.execPath, model, ...words];

async function run(...words: string[]) {
  const out = { stdout: "", stderr: "" };
  const into = (name: "stdout" | "stderr") => (text: string) => {
    out[name] += text;
  };
  const code = await runProgram(words, { stdout: into("stdout"), stderr: into("stderr") });
  return { code, ...out };
}

describe("conformance agent", () => {
  it("CONF-01, CONF-02, CONF-11: passes a correct agent over stdio with the quick suite", async () => {
    const { code, stdout } = await run("agent", "--suite", "quick", "--protocol", "2", ...command("v2"));
    expect(stdout.split("\n").at(-2)).toMatch(
      /^model-agent 1\.0\.0, protocol 2, suite quick: passed – \d\d passed, 0 failed/,
    );
    expect(code).toBe(0);
  });

  it("CONF-05: fails an agent that prints to stdout, with a report as JSON and as Markdown", async () => {
    const { code, stdout, stderr } = await run(
      ...["agent", "--only", "ACP-TRANSPORT-001,ACP-INIT-002", "--report", "json", "--report", "md=/dev/null"],
      ...command("v1", "noise"),
    );
    const report = JSON.parse(stdout) as Report;
    expect(code).toBe(1);
    expect(report.counts).toEqual({ passed: 1, failed: 1, warnings: 0, expected: 0, skipped: 0, errors: 0 });
    expect(stderr).toContain("✗ ACP-TRANSPORT-001");
    expect(report.checks[0]).toMatchObject({
      id: "ACP-TRANSPORT-001",
      status: "failed",
      evidence: { lines: expect.arrayContaining([expect.objectContaining({ line: "Loading skills…", marked: true })]) },
    });
    expect(report.checks[0]?.evidence?.stderr).toBe("model agent\n");
  });

  it("CONF-05: cannot run a program that does not exist", async () => {
    const { code, stderr } = await run("agent", "--", "turnkit-no-such-program");
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("turnkit-no-such-program") });
  });

  it("tells an agent that dies at its start from a program that cannot be started", async () => {
    const { code, stdout } = await run("agent", "--only", "ACP-INIT-001", ...command("v1", "crash"));
    expect(stdout).toContain("No answer to initialize came before the agent ended");
    const dead = await run("agent", "--suite", "quick", ...command("v1", "crash"));
    expect(dead.stdout, "nothing good about messages of an agent that sent none").not.toContain("✓");
    expect(code).toBe(1);
  });

  it.each([
    ["agent", "No agent was given"],
    ["agent --protocol 3 -- x", "--protocol 3 is not known"],
    ["agent --prompt sing=La -- x", "--prompt sing is not known"],
    ["agent --timeout soon -- x", "--timeout needs a number"],
    ["agent --report pdf -- x", "--report pdf is not known"],
    ["agent --loud -- x", "--loud"],
    ["agent my-agent", "Put the agent's command after --"],
    ["client", "No client was given"],
    ["client --command my-client", "has no {agent}"],
    ["client --only ACP-INIT-001 --command {agent}", "No check of clients of protocol 1 has the id ACP-INIT-001"],
    ["proxy", "Unknown command proxy"],
    ["agent --only ACP-NONE-001 -- x", "No check of protocol 1 has the id ACP-NONE-001"],
  ])("says what is wrong with: conformance %s", async (line, words) => {
    const { code, stderr } = await run(...line.split(" "));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
  });

  it("CONF-01: lists the checks of a protocol", async () => {
    const { code, stdout } = await run("list", "--protocol", "seed", "--suite", "quick");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ACP-TRANSPORT-001 {2}mandatory {2}Every line on stdout is one JSON-RPC 2\.0 message\.$/m);
  });

  it("shows its help", async () => {
    expect(await run()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("conformance agent [options] -- COMMAND"),
    });
  });
});

describe("conformance client", () => {
  const client = (...words: string[]) => `${process.execPath} ${clientModel} ${words.join(" ")} -- {agent}`;
  const only = "TKC-INIT-01,TKC-PROMPT-01,TKC-LINE-09,TKC-ORDER-01,TKC-CANCEL-02,TKC-RESTORE-03,TKC-END-04,TKC-END-11";

  it("CONF-01, CONF-08: passes a correct client, which starts the runner as its agent", async () => {
    const words = ["client", "--only", only, "--command", client("v1"), "--restore", client("v1", "{session}")];
    const { code, stdout } = await run(...words);
    expect(stdout.split("\n").filter((line) => /^[✗–!]/.test(line))).toEqual([]);
    expect(stdout).toMatch(/model-client 1\.0\.0, protocol 1, suite full: passed – 8 passed/);
    expect(code).toBe(0);
  });

  it("CONF-01: finds a client by its path from the folder of the program", async () => {
    const line = `${relative("", process.execPath)} ${relative("", clientModel)} v1 -- {agent}`;
    const { code, stdout } = await run("client", "--only", "TKC-INIT-01", "--command", line);
    expect(stdout).toContain("✓ TKC-INIT-01");
    expect(code).toBe(0);
  });

  it("CONF-08: skips the checks of earlier sessions without --restore, and fails a client without an agent", async () => {
    const none = `${process.execPath} -e 0 -- {agent}`;
    const { code, stdout } = await run("client", "--only", "TKC-INIT-01,TKC-RESTORE-03", "--command", none);
    expect(stdout).toContain("✗ TKC-INIT-01");
    expect(stdout).toContain("skipped: The client was given no command for this task.");
    expect(code).toBe(1);
  });

  it("CONF-01: lists the checks of clients", async () => {
    const { stdout } = await run("list", "client", "--suite", "quick");
    expect(stdout).toMatch(/^TKC-INIT-01 {2}mandatory/m);
    expect(stdout).not.toContain("ACP-");
  });
});
