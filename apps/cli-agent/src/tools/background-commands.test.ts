import { writeFile } from "node:fs/promises";
import { processDeath } from "@turnkit/testing/node";
import { describe, expect, it } from "vitest";
import { createToolContext } from "../../test/tool-context.js";
import type { Sandbox } from "../sandbox/sandbox.js";
import { createSandboxChoice } from "../sandbox/sandbox-choice.js";
import { commandOutputTool, stopCommandTool } from "./background-tools.js";
import { runCommandTool } from "./run-command.js";

const node = (script: string) => `node -e '${script}'`;

/** Script that writes its id and that of a child process, and does not end. */
const SERVER =
  'const c = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]); ' +
  'console.log("ready", process.pid, c.pid); setInterval(() => {}, 1000)';

/** Script that writes `tick` for each file that it finds, and ends with the last one. */
const TICKS =
  'const fs = require("fs"); let n = 1; console.log("begun"); setInterval(() => { ' +
  'if (fs.existsSync(String(n))) { console.log("tick " + n++); if (fs.existsSync("last")) process.exit(3); } }, 10)';

async function setUp(setting: Parameters<typeof createToolContext>[0] = {}) {
  const session = await createToolContext(setting);
  const run = (command: string) => session.textOf(runCommandTool, { command, background: true });
  const output = (id = "1", seconds = 30) => session.textOf(commandOutputTool, { id, wait_seconds: seconds });
  const pids = (text: string) => (/ready (\d+) (\d+)/.exec(text) ?? []).slice(1).map(Number);
  return { ...session, run, output, pids };
}

describe("defect P13: a command in the background", () => {
  it("returns at once, and its output on demand: each piece once, and its end", async () => {
    const { cwd, run, output, turn, shown, background } = await setUp();
    const text = await run(node(TICKS));
    expect(text).toBe(
      "begun\nIt is running.\nIt is command 1: command_output returns what it writes, stop_command ends it.",
    );
    expect(turn.calls[0]).toMatchObject({
      status: "completed",
      content: [{ type: "terminal", terminalId: "terminal-1" }],
    });
    expect(background).toEqual([[{ type: "terminal", terminalId: "terminal-1" }]]);
    expect(await output("1", 0)).toBe("[no new output]\nIt is running.");
    await writeFile(`${cwd}/1`, "");
    expect(await output()).toBe("tick 1\nIt is running.");
    await writeFile(`${cwd}/last`, "");
    await writeFile(`${cwd}/2`, "");
    expect(await output()).toContain("tick 2");
    await expect.poll(() => output("1", 1)).toBe("[no new output]\nExit code 3.");
    expect(background.at(-1)).toEqual([]);
    expect(shown).toEqual(["begun\ntick 1\ntick 2\n"]);
  });

  it("that fails at once says so at once", async () => {
    const { run } = await setUp();
    expect(await run(node('console.log("no port"); process.exit(1)'))).toBe("no port\nExit code 1.");
  });

  it("defect P32: gives the last state of a line that is written again", async () => {
    const { run } = await setUp();
    expect(await run(node('process.stdout.write("10 %\\r100 %"); process.exitCode = 1'))).toBe("100 %\nExit code 1.");
  });

  it("ends with stop_command, and everything that it started with it", async () => {
    const { run, pids, textOf, background, use } = await setUp();
    const [own, child] = pids(await run(node(SERVER)));
    expect(await textOf(stopCommandTool, { id: "1" })).toBe("[no new output]\nIt was stopped.");
    await processDeath(own as number);
    await processDeath(child as number);
    await expect.poll(() => background.at(-1)).toEqual([]);
    await expect(use(stopCommandTool, { id: "2" })).rejects.toMatchObject({
      code: "not_found",
      message: "There is no background command 2. There are 1.",
    });
  });

  it("goes on after the turn, and ends with the session, whatever it started", async () => {
    const over = new AbortController();
    const { run, pids, background } = await setUp({ sessionSignal: over.signal });
    const [own, child] = pids(await run(node(SERVER)));
    expect(() => process.kill(own as number, 0)).not.toThrow();
    over.abort();
    await processDeath(own as number);
    await processDeath(child as number);
    expect(background).toHaveLength(1);
  });

  it("a wait for output ends with a cancel of the turn, and the command does not", async () => {
    const { run, output, turn, pids } = await setUp({ sessionSignal: new AbortController().signal });
    const [own] = pids(await run(node(SERVER)));
    const waiting = output("1", 300);
    turn.controller.abort(new Error("cancelled"));
    await expect(waiting).rejects.toThrow("cancelled");
    expect(() => process.kill(own as number, 0)).not.toThrow();
  });

  it("is in the list until the model has forgotten it", async () => {
    const { run, textOf } = await setUp();
    expect(await textOf(commandOutputTool, {})).toBe("No command runs in the background.");
    await run(node(SERVER));
    await run("echo hi");
    expect(await textOf(commandOutputTool, {})).toMatch(
      /^1 {2}node -e .* \(It is running\.\)\n2 {2}echo hi {2}\(Exit code 0\.\)$/,
    );
  });

  it("has bounds: eight at a time, and the newest 32 KiB of unread output", async () => {
    const { run, use } = await setUp();
    const all = await run(node('process.stdout.write("x".repeat(100_000) + "é€ end"); setInterval(() => {}, 1000)'));
    expect(all).toMatch(/^\[the beginning of the new output was dropped\]\nx+é€ end\nIt is running\./);
    expect(all.length).toBeLessThan(33_000);
    for (let count = 1; count < 8; count += 1) await run(node("setInterval(() => {}, 1000)"));
    await expect(use(runCommandTool, { command: "echo no", background: true })).rejects.toMatchObject({
      code: "denied",
      message: "8 commands run in the background already: end one with stop_command.",
    });
  });

  it("is asked for like any other, and not started after a refusal or in the mode review", async () => {
    const { run, turn, state, background } = await setUp();
    turn.answer = () => "reject_once";
    await expect(run("echo hi")).rejects.toMatchObject({ code: "denied" });
    state.mode = "review";
    await expect(run("echo hi")).rejects.toMatchObject({ code: "denied" });
    expect([turn.questions.length, background]).toEqual([1, []]);
  });

  it("is outside of the sandbox, so every mode asks each time", async () => {
    const wrap = () => Promise.reject(new Error("unused"));
    const sandbox: Sandbox = { explain: () => undefined, wrap };
    const choice = (mode: "auto" | "require") => () =>
      createSandboxChoice({ mode, network: false, open: async () => ({ sandbox }), onMissing: () => undefined });
    const { run, turn, state } = await setUp({ sandbox: choice("auto") });
    state.mode = "auto";
    await run("echo hi");
    await run("echo hi");
    expect(turn.questions.map(({ options }) => options?.map(({ name }) => name))).toEqual(
      Array(2).fill(["Run it (not sandboxed: it runs in the background)", "Do not run it", expect.any(String)]),
    );
    const strict = await setUp({ sandbox: choice("require") });
    await expect(strict.run("echo hi")).rejects.toMatchObject({
      message: "The command was not run: the agent runs commands only in a sandbox, but it runs in the background.",
    });
  });
});
