import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createStandIn } from "../src/node/agent-stand-in.js";
import { createClientFolder } from "../src/node/client-folder.js";
import { commandAgent } from "../src/node/index.js";
import { runProgram } from "../src/node/run-program.js";

const programs = JSON.parse(process.env.TURNKIT_TEST_PROGRAMS ?? "{}") as Record<string, string>;
const main = programs[resolve(import.meta.dirname, "../src/node/main.ts")] as string;
const clientModel = programs[resolve(import.meta.dirname, "fixtures/model-client-main.ts")] as string;

const isWindows = process.platform === "win32";
let folder = "";
let away: string | undefined;

beforeAll(() => {
  away = process.env.TMPDIR;
  folder = mkdtempSync(join(tmpdir(), "turnkit-hostile-"));
  process.env.TMPDIR = folder;
});

afterAll(() => {
  if (away === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = away;
  // Node cannot remove paths that are too long.
  if (isWindows) rmSync(folder, { recursive: true });
  else execFileSync("rm", ["-rf", folder]);
});

async function run(...words: string[]) {
  let [stdout, stderr] = ["", ""];
  const code = await runProgram(words, { stdout: (text) => (stdout += text), stderr: (text) => (stderr += text) });
  return { code, stdout, stderr };
}

/** Program that starts a daemon with its own output, prints the id of the daemon, and ends. */
const daemonic = `
  const { spawn } = require("node:child_process");
  const { pid } = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], { detached: true, stdio: "inherit" });
  process.stdout.write(pid + "\\n", () => process.exit(0));`;

describe.skipIf(isWindows)("a program that leaves a daemon", () => {
  it("defect K8: does not keep the runner reading its output", async () => {
    const pipe = await commandAgent([process.execPath, "-e", daemonic])();
    const reader = pipe.readable.getReader();
    const { value } = await reader.read();
    await pipe.kill?.();
    // It ends with or without an error: both let the runner go on.
    await reader.closed.catch(() => undefined);
    process.kill(Number(new TextDecoder().decode(value)));
  });

  it.each(["agent", "client"])(
    "defect K8: does not keep the runner of an %s alive",
    { timeout: 120_000 },
    async (side) => {
      const place = mkdtempSync(join(folder, "daemon-"));
      const script = join(place, "daemon.cjs");
      writeFileSync(
        script,
        daemonic.replace("process.stdout.write(", `require("fs").writeFileSync("${place}/pid", pid + "");$&`),
      );
      const only = ["--only", side === "agent" ? "ACP-INIT-001" : "TKC-INIT-01", "--timeout", "1"];
      const command = [process.execPath, script];
      const words = side === "agent" ? ["--", ...command] : ["--command", `${command.join(" ")} {agent}`];
      const runner = spawn(process.execPath, [main, side, ...only, ...words], { stdio: "ignore" });
      const [code] = await once(runner, "exit");
      process.kill(Number(readFileSync(join(place, "pid"), "utf8")));
      expect(code).toBe(1);
    },
  );
});

describe("a stranger that connects to the agent of a client", () => {
  it.each([
    ["that says nothing", ""],
    ["whose first line has no end", "x".repeat(200)],
  ])("defect K9: %s is left at the end", async (_, text) => {
    const standIn = await createStandIn();
    const port = Number(/port: (\d+)/.exec(standIn.source)?.[1]);
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    await once(socket, "connect");
    socket.resume().write(text);
    const closed = once(socket, "end");
    // The first line is refused at once. The server has accepted the connection when it answers another one.
    if (text === "") {
      const other = connect({ port, host: "127.0.0.1" }).resume();
      other.write("wrong\n");
      await once(other, "close");
      standIn.close();
    }
    await closed;
    socket.destroy();
    standIn.close();
  });
});

describe("the folder of a run", () => {
  const nesting = `
    const { mkdirSync } = require("node:fs");
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      const say = (result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
      if (method === "initialize") return say({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] });
      process.chdir(params.cwd);
      for (let depth = 0; depth < 60; depth += 1) {
        mkdirSync("d".repeat(100));
        process.chdir("d".repeat(100));
      }
      say({ sessionId: "s1" });
    });`;

  it.skipIf(isWindows)("defect K11: that cannot be removed does not lose the report", async () => {
    const words = ["agent", "--only", "ACP-SESSION-001", "--", process.execPath, "-e", nesting];
    const { code, stdout, stderr } = await run(...words);
    expect(stdout).toContain("✓ ACP-SESSION-001");
    expect(stderr).toMatch(/^conformance: \/.* could not be removed \(ENAMETOOLONG\)\. Remove it\.\n$/);
    expect(code).toBe(0);
  });

  it.skipIf(isWindows).each(["SIGINT", "SIGTERM"] as const)(
    "defect K15: is removed when %s ends the run",
    { timeout: 120_000 },
    async (signal) => {
      const TMPDIR = mkdtempSync(join(folder, "signal-"));
      const ready = join(TMPDIR, "ready");
      const silent = `require("fs").writeFileSync("${ready}", ""); process.stdin.resume()`;
      const words = [main, "agent", "--only", "ACP-INIT-001", "--", process.execPath, "-e", silent];
      const runner = spawn(process.execPath, words, { env: { ...process.env, TMPDIR }, stdio: "ignore" });
      await vi.waitUntil(() => existsSync(ready), { timeout: 60_000, interval: 20 });
      runner.kill(signal);
      await once(runner, "exit");
      expect(readdirSync(TMPDIR)).toEqual(["ready"]);
    },
  );
});

describe.skipIf(isWindows)("a client that puts something else in the place of a file", () => {
  it.each([
    ["a pipe", (path: string) => execFileSync("mkfifo", [path])],
    ["a device", (path: string) => execFileSync("ln", ["-s", "/dev/zero", path])],
  ])("defect K14: does not stop the runner with %s", async (_, put) => {
    const parent = mkdtempSync(join(folder, "files-"));
    const { note, read, isRunning } = await createClientFolder(parent);
    rmSync(note);
    put(note);
    expect([await read(note), await isRunning(note)]).toEqual([undefined, false]);
  });
});

describe("an entry of a registry", () => {
  it.each(["--prefix=/elsewhere", "../../outside", "file:/outside", "\u001b]0;title\u0007\u009b31m"])(
    "defect K13: names a package, and no option, path or escape sequence: %j",
    async (name) => {
      const file = join(folder, "agent.json");
      writeFileSync(file, JSON.stringify({ distribution: { npx: { package: name } } }));
      const { code, stderr } = await run("registry", file);
      expect(stderr).toMatch(/^conformance: The entry names no package of npm: [ -~\ufffd]+\n$/);
      expect(code).toBe(2);
    },
  );
});

it("defect K16: a run of a client prints nothing about options of the library", async () => {
  const complained = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await run("client", "--only", "TKC-INIT-01", "--command", `${process.execPath} ${clientModel} v1 -- {agent}`);
  expect(complained.mock.calls).toEqual([]);
  complained.mockRestore();
});
