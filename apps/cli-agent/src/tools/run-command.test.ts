import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { processDeath } from "@turnkit/testing/node";
import { describe, expect, it } from "vitest";
import { missing, realSandbox, titled } from "../../test/sandbox.js";
import { createToolContext } from "../../test/tool-context.js";
import type { FoundSandbox, Sandbox } from "../sandbox/sandbox.js";
import { createSandboxChoice } from "../sandbox/sandbox-choice.js";
import { runCommandTool } from "./run-command.js";

const node = (script: string) => `node -e '${script}'`;
const denied = expect.objectContaining({ name: "ToolError", code: "denied" });

const STARTS_A_CHILD =
  'const c = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]); console.log(c.pid); setInterval(() => {}, 1000)';

/** Starts a command with a child process, and waits for the child's id in its output. */
async function withChild() {
  const session = await createToolContext();
  const shown = new Promise<number>((resolve) => {
    session.turn.received = () => session.shown[0]?.includes("\n") && resolve(Number(session.shown[0]));
  });
  const running = session.use(runCommandTool, { command: node(STARTS_A_CHILD) });
  running.catch(() => undefined);
  return { ...session, running, child: await shown };
}

describe("run_command", () => {
  it("defect S18: a cancel does not wait for a sandbox that hangs, neither before a command nor after it", async () => {
    const never = () => new Promise<never>(() => {});
    const choice = (open: () => Promise<FoundSandbox>) => () =>
      createSandboxChoice({ mode: "require", network: false, open, onMissing: () => undefined });
    const stuck: Omit<Sandbox, "wrap"> = { explain: () => undefined };
    let finished: readonly unknown[] = [];
    const sandboxes: readonly (() => Promise<FoundSandbox>)[] = [
      never,
      async () => ({ sandbox: { ...stuck, wrap: never } }),
      async () => ({
        sandbox: {
          ...stuck,
          wrap: async ({ argv }) => ({
            argv,
            finish: async (...args) => {
              finished = args;
              return [];
            },
          }),
        },
      }),
    ];
    for (const open of sandboxes) {
      const { turn, state, use } = await createToolContext({ sandbox: choice(open) });
      state.mode = "auto";
      const running = use(runCommandTool, { command: node("console.log(1); setInterval(() => {}, 1000)") });
      const reason = new Error("cancelled");
      if (open === sandboxes[2]) await new Promise<void>((resolve) => (turn.received = resolve));
      turn.controller.abort(reason);
      await expect(running).rejects.toThrow();
    }
    // The cleanup after a cancel has a limit.
    expect(finished).toEqual([expect.any(Number)]);
  });

  it("asks, runs, shows the output in a terminal, and tells the model how it ended", async () => {
    const { cwd, turn, shown, textOf } = await createToolContext();
    expect(await textOf(runCommandTool, { command: node("console.log(process.cwd())") })).toBe(`${cwd}\nExit code 0.`);
    expect(turn.questions).toHaveLength(1);
    expect(turn.calls[0]).toMatchObject({
      title: node("console.log(process.cwd())"),
      kind: "execute",
      status: "completed",
      content: [{ type: "terminal", terminalId: "terminal-1" }],
      rawOutput: { exitCode: 0, ending: "exit" },
    });
    expect(shown).toEqual([`${cwd}\n`]);
  });

  it("goes through a shell where the line needs one", async () => {
    const { textOf } = await createToolContext();
    expect(await textOf(runCommandTool, { command: "printf 'b\\na\\n' | sort && exit 3" })).toBe("a\nb\nExit code 3.");
  });

  it("is a failed call when the command fails, with its output for the model", async () => {
    const { turn, textOf } = await createToolContext();
    const text = await textOf(runCommandTool, { command: node('console.error("no"); process.exit(2)') });
    expect(text).toBe("no\nExit code 2.");
    expect(turn.calls[0]).toMatchObject({ status: "failed", rawOutput: { exitCode: 2 } });
  });

  it("says so when there is no such program", async () => {
    const { turn, use } = await createToolContext();
    await expect(use(runCommandTool, { command: "no-such-program-here --version" })).rejects.toThrow(/was not found/);
    expect(turn.calls[0]).toMatchObject({ status: "failed" });
  });

  it("runs in a folder of the session and in no other", async () => {
    const { cwd, use, textOf } = await createToolContext();
    await mkdir(join(cwd, "inner"));
    const command = node("console.log(process.cwd())");
    expect(await textOf(runCommandTool, { command, path: "inner" })).toBe(`${join(cwd, "inner")}\nExit code 0.`);
    await expect(use(runCommandTool, { command, path: ".." })).rejects.toMatchObject({ code: "outside" });
  });

  it("gives the model the newest output of a long one", async () => {
    const { textOf } = await createToolContext();
    const text = await textOf(runCommandTool, {
      command: node('for (let i = 0; i < 20000; i++) console.log("line", i)'),
    });
    expect(text).toMatch(/^\[the beginning of the output was dropped\]\n/);
    expect(text).toContain("line 19999\nExit code 0.");
    expect(text.length).toBeLessThan(33 * 1024);
  });

  it.each([
    ["frames of a progress bar", "a\n10 %\r50 %\r100 %\nb\n", "a\n100 %\nb"],
    ["a frame before its next one", "10 %\r50 %\r", "50 %"],
    ["line ends of Windows", "a\r\nb\r\n", "a\nb"],
    ["a carriage return alone", "\r\r\na", "\na"],
  ])("defect P32: gives the model the last state of a line that is written again: %s", async (_, written, seen) => {
    const { textOf } = await createToolContext();
    const command = node(`process.stdout.write(${JSON.stringify(written)})`);
    expect(await textOf(runCommandTool, { command })).toBe(`${seen}\nExit code 0.`);
  });

  it("gives up in time, and says so", async () => {
    const { turn, textOf } = await createToolContext();
    const text = await textOf(runCommandTool, { command: "sleep 1000", timeout_seconds: 1 });
    expect(text).toBe("[no output]\nIt was ended after 1 s.");
    expect(turn.calls[0]).toMatchObject({ status: "failed", rawOutput: { ending: "timeout" } });
  });

  it("ends with its turn, and everything that it started with it", async () => {
    const { turn, running, child } = await withChild();
    turn.controller.abort();
    await expect(running).rejects.toThrow();
    expect(turn.calls[0]).toMatchObject({ status: "cancelled" });
    await processDeath(child);
  });

  it("can be stopped alone: the model learns of it and the turn goes on", async () => {
    const { turn, running, child } = await withChild();
    turn.cancels[0]?.();
    expect(await running).toMatchObject({ type: "text", value: expect.stringContaining("The user stopped it.") });
    expect(turn.calls[0]).toMatchObject({ status: "cancelled" });
    await processDeath(child);
  });
});

describe("a command that is not run", () => {
  const command = "touch here";

  it("because the user refuses it", async () => {
    const { cwd, turn, use } = await createToolContext();
    turn.answer = () => "reject_once";
    await expect(use(runCommandTool, { command })).rejects.toEqual(denied);
    expect(turn.calls[0]).toMatchObject({ status: "failed" });
    expect(existsSync(join(cwd, "here"))).toBe(false);
  });

  it("because the mode is review: nobody is asked", async () => {
    const { cwd, turn, state, use } = await createToolContext();
    state.mode = "review";
    await expect(use(runCommandTool, { command })).rejects.toEqual(denied);
    expect([turn.questions, existsSync(join(cwd, "here"))]).toEqual([[], false]);
  });

  it("because it makes no sense", async () => {
    const { turn, use } = await createToolContext();
    for (const input of [{}, { command: " " }, { command: "a\0b" }, { command: "ls", timeout_seconds: 0 }]) {
      await expect(use(runCommandTool, input)).rejects.toMatchObject({ code: "invalid_input" });
    }
    expect(turn.calls).toEqual([]);
  });
});

describe("a command that needs no question", () => {
  it.skipIf(missing !== undefined)(titled("because the mode is auto, and the command is sandboxed"), async () => {
    const { cwd, turn, state, use } = await createToolContext({ sandbox: realSandbox });
    state.mode = "auto";
    await use(runCommandTool, { command: "touch here" });
    expect([turn.questions, existsSync(join(cwd, "here"))]).toEqual([[], true]);
  });

  it("because this very line was allowed for its folder", async () => {
    const { cwd, turn, use } = await createToolContext();
    await writeFile(join(cwd, "makefile"), "one:\n\ttouch one\ntwo:\n\ttouch two\n");
    turn.answer = () => "allow_always";
    await use(runCommandTool, { command: "make one" });
    expect(turn.questions[0]?.options?.[1]?.name).toBe(
      "Run exactly this line in this folder without asking in this session (not sandboxed: this is a test)",
    );
    await use(runCommandTool, { command: "make one" });
    await use(runCommandTool, { command: "make one", path: cwd });
    expect(turn.questions).toHaveLength(1);
    await mkdir(join(cwd, "in"));
    await use(runCommandTool, { command: "make one", path: "in" });
    expect(turn.questions).toHaveLength(2);
    await use(runCommandTool, { command: "make two" });
    await use(runCommandTool, { command: "make one; touch three" });
    expect(turn.questions).toHaveLength(4);
  });
});
