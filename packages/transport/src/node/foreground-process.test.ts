import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ForegroundOptions, runInForeground } from "./foreground-process.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnkit-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a script with its output in a file, and answers with both. */
async function run(script: string, options: ForegroundOptions = {}) {
  const file = await open(join(folder, "out"), "w");
  try {
    const stdio = ["ignore", file.fd, "ignore"] as const;
    const exit = await runInForeground([process.execPath, "-e", script], { stdio, ...options });
    return { exit, output: await readFile(join(folder, "out"), "utf8") };
  } finally {
    await file.close();
  }
}

test("a program gets the streams, folder and environment that it is given; its exit is the answer", async () => {
  const script = "console.log(process.cwd(), process.env.TURNKIT_X, process.env.HOME); process.exitCode = 3";
  expect(await run(script, { cwd: "/", env: { TURNKIT_X: "x" } })).toEqual({
    exit: { exitCode: 3, signal: null },
    output: "/ x undefined\n",
  });
});

test("it stays in the group of this process, which may read from the terminal", async () => {
  const group = async (pid: number | "self") => {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2];
  };
  const script = "process.stdout.write(require('fs').readFileSync('/proc/self/stat', 'utf8').split(') ')[1])";
  const { output } = await run(script);
  expect(output.split(" ")[2]).toBe(await group("self"));
});

test("a signal ends it, if it must be by SIGKILL", async () => {
  const script =
    "process.on('SIGTERM', () => console.log('no')); process.kill(process.ppid, 'SIGUSR2'); setInterval(() => {}, 1000)";
  const controller = new AbortController();
  process.once("SIGUSR2", () => controller.abort());
  expect(await run(script, { signal: controller.signal, graceMs: 50 })).toEqual({
    exit: { exitCode: null, signal: "SIGKILL" },
    output: "no\n",
  });
  const aborted = await run("setInterval(() => {}, 1000)", { signal: AbortSignal.abort() });
  expect(aborted.exit).toEqual({ exitCode: null, signal: "SIGTERM" });
});

test.each([
  ["turnkit-no-such-program", undefined, /not found in the .* folders on PATH/],
  [process.execPath, "/no/such/folder", /its folder \/no\/such\/folder does not exist/],
])("%s in %s cannot start, and the error says what to do", async (program, cwd, message) => {
  await expect(runInForeground([program], { ...(cwd && { cwd }) })).rejects.toMatchObject({
    code: "spawn",
    message: expect.stringMatching(message),
  });
});
