import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { createFolder, scriptedAgent, turnkitCommand } from "./turnkit.js";

/** More than a pipe holds: who writes it has to wait until somebody reads. */
const MUCH = "x".repeat(1024 * 1024);

/** Starts `turnkit` with pipes that nobody writes to or reads from unless the test does. */
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
    // It reads when it has taken more than the pipe holds.
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
  expect(await code).toBe(0);
});
