import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collect, note } from "../../test/channel-contract.js";
import { createConnection } from "../channel-connection.js";
import { SpawnError } from "../errors.js";
import { type ChildChannel, type SpawnChannelOptions, spawnChannel } from "./child-process.js";

const run = (script: string, options?: SpawnChannelOptions) => spawnChannel([process.execPath, "-e", script], options);
const print = (message: unknown) => `process.stdout.write(${JSON.stringify(`${JSON.stringify(message)}\n`)});`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnkit-"));
});
afterAll(() => rm(folder, { recursive: true }));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Polls, since nothing tells of the death of somebody else's child. */
async function died(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

test("defect F12: `await using` ends the process at the end of the block", async () => {
  const use = async () => {
    await using channel = await run("process.stdin.resume()");
    expect(isAlive(channel.pid)).toBe(true);
    return channel;
  };
  const { pid } = await use();
  expect(isAlive(pid)).toBe(false);
});

describe("death", () => {
  test("everything written before it is delivered, then the reason tells all", async () => {
    const channel = await run(`${print(note(1))} console.error("it broke"); process.exit(3)`);
    const got = collect(channel);
    const reason = await channel.closed;
    expect(got.messages.items).toEqual([note(1)]);
    expect(reason).toMatchObject({ kind: "exit", exitCode: 3, signal: null, stderr: "it broke\n" });
    expect(reason.message).toBe(`${process.execPath} exited with code 3.`);
  });

  test("defect F15: a close by this side names the process", async () => {
    const channel = await run("process.stdin.resume()");
    collect(channel);
    await channel.close();
    const message = `This side closed the connection to the process ${process.execPath} (pid ${channel.pid}).`;
    expect(await channel.closed).toMatchObject({ kind: "local", message });
  });

  test("by a signal", async () => {
    const channel = await run('process.kill(process.pid, "SIGKILL")');
    collect(channel);
    expect(await channel.closed).toMatchObject({ kind: "exit", exitCode: null, signal: "SIGKILL" });
  });

  test("is not put off by a grandchild that holds the pipe, and takes the grandchild along", async () => {
    const channel = await run(`
      const child = require("node:child_process").spawn("sleep", ["60"], { stdio: "inherit" });
      process.stdout.write(JSON.stringify({ pid: child.pid }) + "\\n", () => process.exit(0));
    `);
    const got = collect(channel);
    expect((await channel.closed).kind).toBe("exit");
    await died((got.messages.items[0] as { pid: number }).pid);
  });

  test("is found while sending", async () => {
    const channel = await run("process.stdin.destroy(); setTimeout(() => process.exit(4), 50)");
    collect(channel);
    let open = true;
    void channel.closed.then(() => {
      open = false;
    });
    for (let i = 0; open; i++) {
      channel.send(note(i));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await channel.closed).toMatchObject({ kind: "exit", exitCode: 4 });
  });

  test("is assumed of a process that closes its stdout and goes on", async () => {
    const channel = await run("require('node:fs').closeSync(1); setInterval(() => {}, 1000)");
    collect(channel);
    expect(await channel.closed).toMatchObject({ kind: "exit", signal: "SIGTERM" });
    expect(isAlive(channel.pid)).toBe(false);
  });
});

describe("close", () => {
  test("a process that ends with its stdin exits by itself", async () => {
    const channel = await run("process.stdin.resume().on('end', () => process.exit(0))");
    collect(channel);
    await channel.close();
    expect(await channel.closed).toMatchObject({ kind: "local", exitCode: 0, signal: null });
  });

  test("one that ignores that gets SIGTERM, and one that ignores that too gets SIGKILL", async () => {
    const deaf = await run("setInterval(() => {}, 1000)", { graceMs: 1_000 });
    collect(deaf);
    await deaf.close();
    expect(await deaf.closed).toMatchObject({ kind: "local", signal: "SIGTERM" });

    const script = `process.on("SIGTERM", () => {}); ${print(note(1))} setInterval(() => {}, 1000)`;
    const stubborn = await run(script, { graceMs: 50 });
    await collect(stubborn).messages.atLeast(1);
    await stubborn.close();
    expect(await stubborn.closed).toMatchObject({ kind: "local", signal: "SIGKILL" });
  });

  test("before it was started, and twice, is fine", async () => {
    const channel = await run("process.stdin.resume()");
    await Promise.all([channel.close(), channel.close()]);
    expect((await channel.closed).kind).toBe("local");
  });

  test("the whole tree goes, however stubborn", async () => {
    const channel = await run(
      `const { spawn } = require("node:child_process");
      const inner = 'process.on("SIGTERM", () => {}); console.log("ready"); setInterval(() => {}, 1000)';
      const child = spawn(process.execPath, ["-e", inner], { stdio: ["ignore", "pipe", "ignore"] });
      child.stdout.once("data", () => process.stdout.write(JSON.stringify({ pid: child.pid }) + "\\n"));
      process.stdin.resume().on("end", () => process.exit(0));`,
      { graceMs: 50 },
    );
    const [message] = await collect(channel).messages.atLeast(1);
    await channel.close();
    await died((message as { pid: number }).pid);
  });

  test("a command that an agent runs in a group of its own ends with the agent that has to be ended", async () => {
    const channel = await run(
      `const { spawn } = require("node:child_process");
      process.on("SIGTERM", () => {});
      const deaf = ["-c", "trap '' TERM; echo; while :; do sleep 1; done"];
      const command = spawn("sh", deaf, { detached: true, stdio: ["ignore", "pipe", "ignore"] });
      command.stdout.once("data", () => process.stdout.write(JSON.stringify({ pid: command.pid }) + "\\n"));`,
      { graceMs: 50 },
    );
    const [message] = await collect(channel).messages.atLeast(1);
    await channel.close();
    await died((message as { pid: number }).pid);
  });

  test.each([Number.POSITIVE_INFINITY, 2 ** 31])(
    "an agent may be given all the time there is: %d ms",
    async (graceMs) => {
      const warned: string[] = [];
      const note = ({ name }: Error) => warned.push(name);
      process.on("warning", note);
      const slow = "process.stdin.resume().on('end', () => setTimeout(() => process.exit(0), 50))";
      const channel = await run(slow, { graceMs });
      collect(channel);
      await channel.close();
      process.off("warning", note);
      expect(await channel.closed).toMatchObject({ exitCode: 0, signal: null });
      expect(warned).toEqual([]);
    },
  );
});

/** Returns true if a process runs. A zombie does not run. */
function runs(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout !== "" && !stdout.startsWith("Z");
}

const deaf = "trap '' TERM; echo $$; while :; do sleep 1; done";
/** On SIGTERM it starts another one, which ignores the signal, and ends. */
const forking = `trap "sh -c '$0' & exit" TERM; echo $$; while :; do sleep 0.1; done`;

/** An agent that starts commands, names them once all run, and then does what `then` says. */
const busy = (commands: readonly (readonly [script: string, detached: boolean])[], then = "") => `
  const { spawn } = require("node:child_process");
  const commands = ${JSON.stringify(commands)};
  const pids = [];
  for (const [script, detached] of commands) {
    const command = spawn("sh", ["-c", script, ${JSON.stringify(deaf)}], { detached, stdio: ["ignore", "pipe", "ignore"] });
    command.stdout.once("data", (line) => {
      pids.push(Number(line));
      if (pids.length < commands.length) return;
      process.stdout.write(JSON.stringify({ pids }) + "\\n", () => { ${then} });
    });
  }
  process.stdin.resume().on("end", () => process.exit(0));`;

describe.skipIf(process.platform === "win32")("defect B15: when a close settles, nobody of the agent is left", () => {
  const left = async (script: string, act: (channel: ChildChannel) => Promise<unknown>) => {
    const channel = await run(script, { graceMs: 100 });
    const [{ pids }] = (await collect(channel).messages.atLeast(1)) as [{ pids: readonly number[] }];
    await act(channel);
    return [channel.pid, ...pids].filter(runs);
  };
  const close = (channel: ChildChannel) => channel.close();

  test.each([
    ["a command that ignores SIGTERM", [[deaf, false]]],
    ["one in a group of its own", [[deaf, true]]],
    [
      "several of both",
      [
        [deaf, false],
        [deaf, true],
        [deaf, true],
        [deaf, false],
      ],
    ],
    ["one that forks on SIGTERM", [[forking, false]]],
    ["one that does so in a group of its own", [[forking, true]]],
  ] as const)("%s, where the agent ends with its stdin", async (_, commands) => {
    expect(await left(busy(commands), close)).toEqual([]);
  });

  test.each([
    ["ended by itself", "process.exit(0)"],
    ["crashed", "process.exit(7)"],
    ["was killed", "process.kill(process.pid, 'SIGKILL')"],
    ["closed its stdout", "require('node:fs').closeSync(1)"],
  ])("where the agent %s before", async (_, then) => {
    const act = async (channel: ChildChannel) => {
      await channel.closed;
      await channel.close();
    };
    expect(await left(busy([[deaf, false]], then), act)).toEqual([]);
  });

  test("also when it was called before", async () => {
    const act = (channel: ChildChannel) => {
      void channel.close();
      return channel.close();
    };
    expect(await left(busy([[deaf, true]]), act)).toEqual([]);
  });

  test("the death of an agent is told before what it leaves behind is gone", async () => {
    const channel = await run(busy([[deaf, false]], "process.exit(3)"));
    const [{ pids }] = (await collect(channel).messages.atLeast(1)) as [{ pids: readonly number[] }];
    expect(await channel.closed).toMatchObject({ kind: "exit", exitCode: 3 });
    expect(pids.filter(runs)).toEqual(pids);
    await channel.close();
    expect(pids.filter(runs)).toEqual([]);
  });
});

describe("stderr", () => {
  test("is drained, bounded, told as it comes, and harmless in messages", async () => {
    const reported: string[] = [];
    const script = `
      for (let i = 0; i < 3000; i++) process.stderr.write("\\x1b[31mzwölf " + i + "\\x1b]52;c;x\\x07\\n");
      process.exitCode = 1;`;
    const channel = await run(script, { stderrBytes: 1000, onStderr: (text) => reported.push(text) });
    collect(channel);
    const reason = await channel.closed;
    expect(reported.join("")).toContain("\x1b[31mzwölf 0\x1b");
    expect(reported.join("").match(/zwölf/g)).toHaveLength(3000);
    expect(reason.stderr).toMatch(/zwölf 2999/);
    expect(Buffer.byteLength(reason.stderr as string)).toBeLessThanOrEqual(1000);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must be gone
    expect(reason.stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f\ufffd]/);
    expect(channel.stderr()).toBe(reason.stderr);
  });

  test("has no control sequence in messages, whatever its kind, and all other text", async () => {
    const sequences = [
      "\x1b[1;31m",
      "\x1b[?2026h",
      "\x9b0m",
      "\x1b]8;;https://a.example\x1b\\",
      "\x1b]0;a\x07",
      "\x9d0;a\x9c",
    ];
    const text = [...sequences, "\x1b(B", "\x1bc", "\x1bP1q\x1b\\", "\x1b[1;", "\x1b]open", "\x9d".repeat(20)].join(
      "-",
    );
    const channel = await run(`process.stderr.write(${JSON.stringify(text)}); process.exitCode = 1`);
    collect(channel);
    expect((await channel.closed).stderr).toBe("---------1;-open-");
  });

  test("what the process was told in confidence does not end up in errors", async () => {
    const script = `console.error("using " + process.env.MODEL_API_KEY + " and Bearer abcdefghijklmnop"); process.exit(1)`;
    const channel = await run(script, { env: { ...process.env, MODEL_API_KEY: "hunter2-correct" } });
    collect(channel);
    expect((await channel.closed).stderr).toBe("using [redacted] and Bearer [redacted]\n");
  });

  test.each([
    ["a line", "\\n", "the end\n"],
    ["a word", " ", "the end\n"],
  ])("nor does its rest, where the bound has cut it with %s", async (_, gap, kept) => {
    const script = `process.stderr.write(process.env.MODEL_API_KEY + "${gap}the end\\n"); process.exitCode = 1`;
    const env = { ...process.env, MODEL_API_KEY: "hunter2-correct" };
    const channel = await run(script, { env, stderrBytes: 16 });
    collect(channel);
    expect((await channel.closed).stderr).toBe(kept);
  });
});

describe("the pipes", () => {
  test("V2-TRA-02: stdin gets messages and nothing else, whatever the child says; its stderr is no traffic", async () => {
    const reported: string[] = [];
    const script = `
      console.error("started");
      console.log("a stray line");
      let got = "";
      process.stdin.on("data", (chunk) => {
        got += chunk;
        if (got.includes('"last"')) console.log(JSON.stringify({ jsonrpc: "2.0", method: "got", params: { got } }));
      });`;
    const channel = await run(script, { onStderr: (text) => reported.push(text) });
    const diagnostics: string[] = [];
    const received: unknown[] = [];
    const connection = createConnection(channel, {
      route: (method) => ({
        receive(params) {
          received.push([method, params]);
          void connection.close();
        },
      }),
      onDiagnostic: ({ code }) => diagnostics.push(code),
    });
    void connection.request("first", { text: "a\nb" }).catch(() => undefined);
    void connection.notify("last", {});
    await connection.closed;
    const first = { jsonrpc: "2.0", id: 0, method: "first", params: { text: "a\nb" } };
    const sent = [first, { jsonrpc: "2.0", method: "last", params: {} }];
    expect(received).toEqual([["got", { got: sent.map((message) => `${JSON.stringify(message)}\n`).join("") }]]);
    expect(diagnostics).toEqual(["invalid_line"]);
    expect(reported.join("")).toContain("started");
  });
});

describe("start", () => {
  test.each([
    ["what is not on PATH", ["turnkit-no-such-program"], {}, /not found in the \d+ folders on PATH/],
    ["a path without a file", ["/no/such/program"], {}, /no such file/],
    ["a missing folder", [process.execPath], { cwd: "/no/such/folder" }, /\/no\/such\/folder does not exist/],
    ["a file for a folder", [process.execPath], { cwd: process.execPath }, /is not a folder/],
    ["a folder for a program", [tmpdir()], {}, /it is a folder/],
    ["too much", [process.execPath, "x".repeat(3_000_000)], {}, /arguments and environment are too large/],
    ["a NUL", ["a\0b"], {}, /Could not start/],
    ["nothing", [] as never, {}, /program and each argument apart/],
    ["an object", { pid: 1 } as never, {}, /^Could not start a program: it is an object\. To start one, name/],
  ] as const)("defect N131: %s is a SpawnError with advice", async (_, command, options, message) => {
    const error = await spawnChannel(command, options).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(SpawnError);
    expect((error as Error).message).toMatch(message);
  });

  const remedy = "name the program and each argument apart, as in";

  test.each([
    ["instead of an array", "my-agent  --acp", `my-agent  --acp: ${remedy} ["my-agent","--acp"].`],
    ["in an array", ["my-agent --acp"], `my-agent --acp: there is no such program; ${remedy} ["my-agent","--acp"].`],
    [
      "with a path",
      ["/no/agent --acp"],
      `/no/agent --acp: there is no such file; check the path, or ${remedy} ["/no/agent","--acp"].`,
    ],
    [
      "of a shell (defect N96)",
      ["echo hi | wc -c"],
      'echo hi | wc -c: there is no such program; only a shell reads such a line: run sh with the arguments ["-c","echo hi | wc -c"].',
    ],
  ])("defect F15, defect N96: a command line %s is a SpawnError that splits it", async (_, command, message) => {
    const error = await spawnChannel(command as never).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "spawn", message: `Could not start ${message}` });
  });

  test("a command line in an error has no secrets in it", async () => {
    const error = await spawnChannel(["my-agent --token hunter2-correct"]).catch((error: unknown) => error);
    expect((error as Error).message).not.toContain("hunter2");
  });

  test("a file that may not be executed", async () => {
    const path = join(folder, "agent");
    await writeFile(path, "#!/bin/sh\n");
    await chmod(path, 0o644);
    await expect(spawnChannel([path])).rejects.toThrow(/chmod/);
  });

  test("a script whose first line names what is not there", async () => {
    const path = join(folder, "script");
    await writeFile(path, "#!/bin/sh\r\necho\r\n", { mode: 0o755 });
    await expect(spawnChannel([path])).rejects.toThrow(/first line/);
  });

  test("what is kept of the cause has no secrets in it", async () => {
    const error = await spawnChannel(["turnkit-no-such-program", "--token", "hunter2-correct"]).catch((one) => one);
    expect(error.cause).toMatchObject({ code: "ENOENT", spawnargs: ["--token", "[redacted]"] });
    expect(inspect(error)).not.toContain("hunter2");
  });

  test("no shell, the folder and the environment that were given", async () => {
    const script =
      "console.log(JSON.stringify([process.cwd(), process.env.X, process.env.HOME ?? null, process.argv[1]]))";
    const options = { cwd: folder, env: { X: "y", PATH: process.env.PATH } };
    const channel = await spawnChannel([process.execPath, "-e", script, "$HOME; `x` *"], options);
    const [message] = await collect(channel).messages.atLeast(1);
    expect(message).toEqual([folder, "y", null, "$HOME; `x` *"]);
    await channel.closed;
  });
});
