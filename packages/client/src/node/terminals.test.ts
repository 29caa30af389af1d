import { renameSync, symlinkSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive, processDeath } from "@turnkit/testing/node";
import { isRpcError, rpcErrorCode } from "@turnkit/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HostSession } from "../host/hosted-session.js";
import type { CreateTerminal, HostTerminal } from "../host/terminals.js";
import { createLocalTerminalHost } from "./terminals.js";

let root: string;
let session: HostSession;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "turnkit-")));
  await mkdir(join(root, "sub folder"));
  session = { sessionId: "s", cwd: root, roots: [root], signal: new AbortController().signal };
});
afterAll(() => rm(root, { recursive: true }));

const host = createLocalTerminalHost({ graceMs: 100, maxOutputBytes: 5000 });
const create = async (request: CreateTerminal) => host.create(request, session);
const node = (script: string, rest: Partial<CreateTerminal> = {}) =>
  create({ command: process.execPath, args: ["-e", script], ...rest });

async function outputOf(request: CreateTerminal): Promise<string> {
  const terminal = await create(request);
  await terminal.exited;
  return terminal.output().output;
}

async function codeOf(promise: Promise<unknown>): Promise<number | undefined> {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  return isRpcError(error) ? error.code : undefined;
}

/** Waits for live output to hold `text`. */
function printed(terminal: HostTerminal, text: string): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!terminal.output().output.includes(text)) return false;
      resolve();
      return true;
    };
    if (look()) return;
    const stop = terminal.onData(() => look() && stop());
  });
}

describe("a command", () => {
  test("answers at once; the exit comes later and stays (V1-TERM-03, V1-TERM-11)", async () => {
    const terminal = await node(
      "process.stdin.on('data', () => {}).on('end', () => { console.log('x'); process.exit(3) })",
    );
    expect(terminal.output()).toEqual({ output: "", truncated: false });
    expect(await terminal.exited).toEqual({ exitCode: 3, signal: null });
    expect(terminal.output()).toEqual({ output: "x\n", truncated: false, exitStatus: { exitCode: 3, signal: null } });
    await terminal.kill();
    expect(terminal.output().output).toBe("x\n");
    await terminal.release();
  });

  test("with arguments runs directly, without a shell (V1-TERM-05)", async () => {
    expect(await outputOf({ command: "echo", args: ["$HOME;", "*", "a  b"] })).toBe("$HOME; * a  b\n");
  });

  test("alone without anything special runs directly", async () => {
    expect(await outputOf({ command: "pwd" })).toBe(`${root}\n`);
    expect(await codeOf(create({ command: "turnkit-no-such-program" }))).toBe(rpcErrorCode.internalError);
  });

  test("alone as a line goes through the shell, its two streams in order (V1-TERM-05, V1-TERM-09)", async () => {
    const line = "for i in 1 2 3; do echo out $i; echo err $i >&2; done | cat; echo end >&2; exit 7";
    const terminal = await create({ command: line });
    expect(await terminal.exited).toEqual({ exitCode: 7, signal: null });
    const lines = terminal.output().output.trim().split("\n");
    expect(lines.filter((text) => text.startsWith("err"))).toEqual(["err 1", "err 2", "err 3"]);
    const mixed = await outputOf({ command: "echo 1; echo 2 >&2; echo 3; echo 4 >&2; echo 5" });
    expect(mixed).toBe("1\n2\n3\n4\n5\n");
  });

  test("alone as a path with spaces runs that file", async () => {
    const path = join(root, "sub folder/my tool");
    await writeFile(path, "#!/bin/sh\necho tool\n", { mode: 0o755 });
    expect(await outputOf({ command: path })).toBe("tool\n");
  });

  test("a line that the shell cannot find ends with its code and says why", async () => {
    const terminal = await create({ command: "turnkit-no-such-program --version" });
    expect(await terminal.exited).toEqual({ exitCode: 127, signal: null });
    expect(terminal.output().output).toContain("not found");
  });
});

describe("the environment and the folder", () => {
  test("entries are laid over the client's, the later wins", async () => {
    const env = [
      { name: "TURNKIT_A", value: "1" },
      { name: "TURNKIT_A", value: "2 $HOME" },
    ];
    const script = "console.log(process.env.TURNKIT_A, process.env.PATH === undefined)";
    expect(await outputOf({ command: process.execPath, args: ["-e", script], env })).toBe("2 $HOME false\n");
  });

  test.each([
    { name: "", value: "x" },
    { name: "A=B", value: "x" },
    { name: "A", value: "x\0y" },
  ])("%j is refused, without its value", async (entry) => {
    const error = await create({ command: "pwd", env: [entry] }).catch((error: unknown) => error);
    expect(isRpcError(error, rpcErrorCode.invalidParams)).toBe(true);
    expect((error as Error).message).not.toContain("x\0y");
  });

  test("a folder inside is fine, one outside, relative or missing is refused", async () => {
    expect(await outputOf({ command: "pwd", cwd: join(root, "sub folder") })).toBe(`${join(root, "sub folder")}\n`);
    for (const cwd of ["/", `${root}/..`, "sub folder", join(root, "missing"), `${root}x`]) {
      expect(await codeOf(create({ command: "pwd", cwd }))).toBe(rpcErrorCode.invalidParams);
    }
  });

  test.skipIf(process.platform === "win32")(
    "defect S106: a command does not start at the target of a link that has replaced its folder",
    async () => {
      const [folder, moved] = [join(root, "exchanged"), join(root, "moved")];
      await mkdir(folder);
      const { signal } = session;
      const exchanging: HostSession = {
        ...session,
        // The host reads the signal after it has checked the folder.
        get signal() {
          renameSync(folder, moved);
          symlinkSync(tmpdir(), folder);
          return signal;
        },
      };
      const started = (async () => host.create({ command: "pwd", args: ["-P"], cwd: folder }, exchanging))();
      await expect(started).rejects.toThrow(/not found|was replaced/);
    },
  );

  test("an empty command, one with NUL and a withdrawn request are refused", async () => {
    expect(await codeOf(create({ command: " " }))).toBe(rpcErrorCode.invalidParams);
    expect(await codeOf(create({ command: "echo", args: ["a\0b"] }))).toBe(rpcErrorCode.invalidParams);
    const withdrawn = { ...session, signal: AbortSignal.abort() };
    expect(await codeOf((async () => host.create({ command: "pwd" }, withdrawn))())).toBe(
      rpcErrorCode.requestCancelled,
    );
  });
});

describe("output", () => {
  test("keeps the newest whole characters within the agent's wish and the host's ceiling (V1-TERM-06, V1-TERM-07)", async () => {
    const script = "process.stdout.write('a' + '€'.repeat(4000))";
    for (const [wish, kept] of [
      [100, 99],
      [0, 0],
      [null, 4998],
      [1_000_000, 4998],
    ] as const) {
      const terminal = await node(script, { outputByteLimit: wish });
      await terminal.exited;
      const { output, truncated } = terminal.output();
      expect([Buffer.byteLength(output), truncated]).toEqual([kept, true]);
      expect(output).toBe("€".repeat(kept / 3));
    }
  });

  test("stays truncated once anything was dropped (V1-TERM-09)", async () => {
    const terminal = await node(
      `process.on("SIGUSR2", () => process.stdout.write("x", () => process.exit(0)));
      setInterval(() => {}, 1000);
      process.stdout.write("a".repeat(50) + "pid " + process.pid + ".");`,
      { outputByteLimit: 20 },
    );
    await printed(terminal, ".");
    expect(terminal.output().truncated).toBe(true);
    process.kill(Number(/pid (\d+)/.exec(terminal.output().output)?.[1]), "SIGUSR2");
    await terminal.exited;
    expect(terminal.output()).toMatchObject({ output: expect.stringMatching(/\.x$/), truncated: true });
  });

  test("is not truncated at exactly the limit (V1-TERM-06)", async () => {
    const terminal = await node("process.stdout.write('€€')", { outputByteLimit: 6 });
    await terminal.exited;
    expect(terminal.output()).toMatchObject({ output: "€€", truncated: false });
  });

  test("an incomplete character waits for its rest, and is replaced if none comes (V1-TERM-09)", async () => {
    const terminal = await node(`
      const bytes = Buffer.from("€");
      process.stdout.write(bytes.subarray(0, 2));
      process.stderr.write("mid ");
      process.on("SIGUSR2", () => {
        process.stdout.write(bytes.subarray(2));
        process.stdout.write(Buffer.from([0xe2, 0x82]), () => process.exit(0));
      });
      console.error("pid " + process.pid + ".");
      setInterval(() => {}, 1000);
    `);
    await printed(terminal, ".");
    expect(terminal.output().output).toMatch(/^mid pid \d+\.\n$/);
    process.kill(Number(/pid (\d+)/.exec(terminal.output().output)?.[1]), "SIGUSR2");
    await terminal.exited;
    expect(terminal.output().output).toMatch(/^mid pid \d+\.\n€\ufffd$/);
  });

  test("can be watched live, until one looks away", async () => {
    const terminal = await node("console.log('one'); setTimeout(() => {}, 0)");
    const seen: string[] = [];
    const stop = terminal.onData((bytes) => seen.push(Buffer.from(bytes).toString()));
    terminal.onData(() => stop());
    await terminal.exited;
    expect(seen.join("")).toBe("one\n");
  });
});

describe("the end", () => {
  const stubborn = `
    process.on("SIGTERM", () => console.log("no"));
    const child = require("node:child_process").spawn("sleep", ["60"], { stdio: "inherit" });
    console.log("pid " + child.pid + ".");
    setInterval(() => {}, 1000);`;

  test("kill ends the whole tree, and output stays readable (V1-TERM-11, V1-TERM-12)", async () => {
    const terminal = await node(stubborn);
    await printed(terminal, ".");
    const waiting = terminal.exited;
    await terminal.kill();
    expect(await waiting).toEqual({ exitCode: null, signal: "SIGKILL" });
    const { output, exitStatus } = terminal.output();
    expect(output).toMatch(/pid \d+\.\nno\n/);
    expect(exitStatus).toEqual({ exitCode: null, signal: "SIGKILL" });
    await processDeath(Number(/pid (\d+)/.exec(output)?.[1]));
    await terminal.kill();
    await terminal.release();
    expect(terminal.output().output).toBe("");
  });

  test("a shell line ends by SIGTERM, with what it started", async () => {
    const terminal = await create({ command: "sleep 60 & echo pid $!.; wait" });
    await printed(terminal, ".");
    await terminal.kill();
    expect(await terminal.exited).toEqual({ exitCode: null, signal: "SIGTERM" });
    await processDeath(Number(/pid (\d+)/.exec(terminal.output().output)?.[1]));
  });

  test("release ends a running command and settles who waits (V1-TERM-13)", async () => {
    const terminal = await node("setInterval(() => {}, 1000)");
    const waiting = terminal.exited;
    await terminal.release();
    expect(await waiting).toEqual({ exitCode: null, signal: "SIGTERM" });
  });

  test("what a command leaves running does not hold its exit, and goes with the release", async () => {
    const terminal = await create({ command: "sleep 60 & echo pid $!." });
    expect(await terminal.exited).toEqual({ exitCode: 0, signal: null });
    const pid = Number(/pid (\d+)/.exec(terminal.output().output)?.[1]);
    expect(isAlive(pid)).toBe(true);
    await terminal.release();
    await processDeath(pid);
  });
});
