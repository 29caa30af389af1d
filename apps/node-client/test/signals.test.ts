import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { createFolder, scriptedAgent, turnkitCommand } from "./turnkit.js";

/** Text that is larger than a pipe: its writer has to wait for a reader. */
const MUCH = "x".repeat(1024 * 1024);

/** Starts `turnkit` with pipes. Only the test writes to them and reads from them. */
function start(args: readonly string[]) {
  const [program = "", ...words] = [...turnkitCommand, ...args];
  const child = spawn(program, words, { cwd: createFolder() });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, code: once(child, "exit").then(([code]) => code as number | null) };
}

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "one %s ends a program that waits for the rest of its prompt",
  async (signal) => {
    const { child, code } = start(["--", ...scriptedAgent("talk")]);
    // The process reads on when it has taken more than the pipe holds.
    await new Promise((resolve) => child.stdin.write(MUCH, resolve));
    child.kill(signal);
    expect(await code).toBe(130);
  },
);

it("SIGTERM ends a program whose output nobody reads", async () => {
  const { child, code } = start(["-p", "Go", "--", ...scriptedAgent("talkative")]);
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    if (String(chunk).includes("xxx")) break;
  }
  child.kill("SIGTERM");
  expect(await code).toBe(130);
});

it("says by its code that nobody read all of its output", async () => {
  const { child, code } = start(["agents"]);
  child.stdout.destroy();
  expect(await code).toBe(130);
});

it.skipIf(!existsSync("/dev/full"))("fails where its output cannot be written, and says so", async () => {
  const [program = "", ...words] = turnkitCommand;
  const full = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(full));
  const child = spawn(program, [...words, "agents", "--json"], { stdio: ["ignore", full, "pipe"] });
  const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), once(child, "close")]);
  expect(stderr).toMatch(/^turnkit: The output could not be written: .*no space left/);
  expect(code).toBe(1);
});

it("goes on when nobody reads its stderr any more", async () => {
  const { child, code } = start(["-p", "Go", "--output", "json", "--", ...scriptedAgent("ask")]);
  child.stderr.destroy();
  child.stdout.resume();
  expect(await code).toBe(6); // nobody answers the questions of this agent
});

/** Agent whose command ignores SIGTERM. It sends the process id of the command, and ends its turn if asked to. */
const busyAgent = (ends: boolean) => `
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  const deaf = ["-c", "trap '' TERM; echo; while :; do sleep 1; done"];
  const command = require("node:child_process").spawn("sh", deaf, { stdio: ["ignore", "pipe", "ignore"] });
  command.stdout.once("data", () => {
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (method === "initialize") send({ id, result: { protocolVersion: 1 } });
      if (method === "session/new") send({ id, result: { sessionId: "s" } });
      if (method !== "session/prompt") return;
      const content = { type: "text", text: "pid " + command.pid + "." };
      send({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content } } });
      if (${ends}) send({ id, result: { stopReason: "end_turn" } });
    }).on("close", () => process.exit(0));
  });`;

/** Returns whether a process runs; a zombie does not. */
function runs(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout !== "" && !stdout.startsWith("Z");
}

it.skipIf(process.platform === "win32").each([
  ["the end of the turn", undefined],
  ["SIGTERM", "SIGTERM"],
  ["SIGHUP", "SIGHUP"],
  ["SIGINTs", "SIGINT"],
] as const)(
  "defect B15: after %s nobody of the agent's process group is left",
  { timeout: 20_000 },
  async (_, signal) => {
    const { child, code } = start(["-p", "Go", "--", process.execPath, "-e", busyAgent(signal === undefined)]);
    let printed = "";
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      printed += String(chunk);
      if (/pid \d+\./.test(printed)) break;
    }
    child.stdout.resume();
    const pid = Number(/pid (\d+)\./.exec(printed)?.[1]);
    // Repeated: two signals that are sent at once arrive as one.
    const insisting = setInterval(() => signal && child.kill(signal), 100);
    await code;
    clearInterval(insisting);
    expect(pid).toBeGreaterThan(1);
    expect(runs(pid)).toBe(false);
  },
);
