import { renameSync, symlinkSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processDeath } from "@turnkit/testing/node";
import { childEnvironment } from "@turnkit/transport/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentTerminalStart } from "../agent-terminal.js";
import { createLocalTerminals, type LocalTerminalsOptions } from "./local-terminals.js";

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "turnkit-")));
  await mkdir(join(root, "inner"));
});
afterAll(() => rm(root, { recursive: true }));

/** Terminals of a session as its client sees them. */
class Shown {
  readonly starts: AgentTerminalStart[] = [];
  readonly exits: unknown[] = [];
  text = "";
  #told = () => {};

  /** Waits for live output to hold `text`. */
  async shows(text: string): Promise<void> {
    while (!this.text.includes(text)) {
      await new Promise<void>((resolve) => {
        this.#told = resolve;
      });
    }
  }

  open(start: AgentTerminalStart = {}) {
    this.starts.push(start);
    return {
      terminalId: `terminal-${this.starts.length}`,
      write: (output: Uint8Array | string) => {
        this.text += typeof output === "string" ? output : Buffer.from(output).toString();
        this.#told();
        return undefined;
      },
      exit: (status: unknown) => {
        this.exits.push(status);
        return undefined;
      },
    };
  }
}

function setUp(options: LocalTerminalsOptions = {}) {
  const shown = new Shown();
  const controller = new AbortController();
  const session = {
    cwd: root,
    roots: [root],
    signal: controller.signal,
    terminal: (start?: AgentTerminalStart) => shown.open(start),
  };
  const terminals = createLocalTerminals(session, { graceMs: 100, ...options });
  const node = (script: string, rest = {}) =>
    terminals.create({ command: process.execPath, args: ["-e", script], ...rest });
  return { shown, controller, terminals, node };
}

const STARTS_A_CHILD = `
  const { spawn } = require("node:child_process");
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  console.log("child", child.pid);`;
const WAITS = "setInterval(() => {}, 1000);";

// Processes take their time to start on a busy machine.
describe("createLocalTerminals", { timeout: 30_000 }, () => {
  test("runs a command where it is told to and shows it as a terminal of the agent", async () => {
    const { shown, node } = setUp();
    const terminal = await node("console.log(process.cwd(), process.env.GREETING)", {
      cwd: join(root, "inner"),
      env: { GREETING: "hi" },
    });
    expect(await terminal.waitForExit()).toEqual({ exitCode: 0, signal: null });
    const output = `${join(root, "inner")} hi\n`;
    expect(await terminal.output()).toEqual({ output, truncated: false, exitStatus: { exitCode: 0, signal: null } });
    expect(shown.text).toBe(output);
    expect(shown.exits).toEqual([{ exitCode: 0, signal: null }]);
    expect(shown.starts[0]).toMatchObject({ cwd: join(root, "inner") });
    expect(shown.starts[0]?.command).toContain("-e 'console.log(process.cwd(), process.env.GREETING)'");
  });

  test.skipIf(process.platform === "win32")(
    "defect S106: a command does not start at the target of a link that has replaced its folder",
    async () => {
      const [folder, moved] = [join(root, "exchanged"), join(root, "moved")];
      await mkdir(folder);
      // The names of the variables are read after the folder was checked.
      const env = new Proxy<Readonly<Record<string, string | undefined>>>(childEnvironment(), {
        ownKeys(variables) {
          renameSync(folder, moved);
          symlinkSync(tmpdir(), folder);
          return Reflect.ownKeys(variables);
        },
      });
      const { node } = setUp({ env });
      const terminal = await node("console.log(process.cwd())", { cwd: folder });
      await terminal.waitForExit();
      expect((await terminal.output()).output).toBe(`${moved}\n`);
    },
  );

  test("shows output while the command runs", async () => {
    const { shown, node } = setUp();
    const terminal = await node("console.log('ready'); setInterval(() => {}, 1000)");
    await shown.shows("ready\n");
    expect(await terminal.output()).toEqual({ output: "ready\n", truncated: false });
    await terminal.release();
    expect(await terminal.waitForExit()).toEqual({ exitCode: null, signal: "SIGTERM" });
  });

  test("keeps the newest output, below the caller's and its own bound", async () => {
    const { node } = setUp({ maxOutputBytes: 10 });
    for (const [outputByteLimit, kept] of [
      [4, "xyz\n"],
      [1000, "rstuvwxyz\n"],
    ] as const) {
      const terminal = await node("console.log('abcdefghijklmnopqrstuvwxyz')", { outputByteLimit });
      await terminal.waitForExit();
      expect(await terminal.output()).toMatchObject({ output: kept, truncated: true });
    }
  });

  test.each(["the turn", "the session", "the client"] as const)("ends the whole tree when %s says so", async (who) => {
    const turn = new AbortController();
    const { shown, controller, node } = setUp({ signal: turn.signal });
    const terminal = await node(STARTS_A_CHILD + WAITS);
    await shown.shows("\n");
    if (who === "the turn") turn.abort();
    else if (who === "the session") controller.abort();
    else shown.starts[0]?.onCancel?.();
    await terminal.waitForExit();
    await processDeath(Number(/child (\d+)/.exec(shown.text)?.[1]));
  });

  test.each(["release", "the signal"] as const)("%s ends what the command left behind", async (how) => {
    const { shown, controller, node } = setUp();
    const terminal = await node(`${STARTS_A_CHILD} child.unref();`);
    await terminal.waitForExit();
    if (how === "release") await terminal.release();
    else controller.abort();
    await processDeath(Number(/child (\d+)/.exec(shown.text)?.[1]));
  });

  test("starts nothing outside the roots, nothing that is not there, and nothing after the signal", async () => {
    const { controller, terminals, node } = setUp();
    await expect(node("", { cwd: tmpdir() })).rejects.toMatchObject({ code: -32602 });
    await expect(terminals.create({ command: "no-such-program-here" })).rejects.toMatchObject({ code: "spawn" });
    controller.abort();
    await expect(node("")).rejects.toMatchObject({ code: "aborted" });
  });
});

test("a command gets no secrets of this process, but what it is granted", async () => {
  process.env.TURNKIT_TEST_TOKEN = "secret";
  try {
    const show = "console.log(process.env.TURNKIT_TEST_TOKEN + ' ' + (process.env.PATH !== undefined))";
    const usual = await setUp().node(show);
    await usual.waitForExit();
    expect((await usual.output()).output).toBe("undefined true\n");
    const granted = await setUp({ env: childEnvironment({ names: ["TURNKIT_TEST_TOKEN"] }) }).node(show);
    await granted.waitForExit();
    expect((await granted.output()).output).toBe("secret true\n");
  } finally {
    delete process.env.TURNKIT_TEST_TOKEN;
  }
});
