import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const source = fileURLToPath(new URL("../../test/fixtures/client.ts", import.meta.url));
const fixture: string = JSON.parse(process.env.TURNKIT_TEST_PROGRAMS ?? "{}")[source];

type Started = {
  readonly client: ChildProcess;
  readonly exited: Promise<unknown[]>;
  readonly agent: number;
  /** A command of the agent, in a group of its own. */
  readonly command: number;
};

async function startClient(ending: string): Promise<Started> {
  const client = spawn(process.execPath, [fixture, ending], { stdio: ["ignore", "pipe", "ignore"] });
  const exited = once(client, "exit");
  const [line] = (await once(createInterface({ input: client.stdout as NodeJS.ReadableStream }), "line")) as [string];
  return { client, exited, ...(JSON.parse(line) as { agent: number; command: number }) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // Nobody may be there to collect the exit code of an orphan.
    return !execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).startsWith("Z");
  } catch {
    return false;
  }
}

/** Polls, since nothing tells of the death of somebody else's child. */
async function died(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 200));
}

// Concurrent, because each waits twice for the watchdog's grace.
describe
  .skipIf(process.platform === "win32")
  .concurrent("an agent that ignores the end of its stdin and SIGTERM, and what it runs", () => {
    test.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
      "dies when its client gets %s",
      { timeout: 20_000 },
      async (signal) => {
        const { client, agent, command } = await startClient("wait");
        expect([isAlive(agent), isAlive(command)]).toEqual([true, true]);
        client.kill(signal);
        await Promise.all([died(agent), died(command)]);
      },
    );

    test("dies with its client although somebody killed the watchdog", {
      timeout: 20_000,
    }, async () => {
      const { client, agent, command } = await startClient("unguarded");
      client.kill("SIGKILL");
      await Promise.all([died(agent), died(command)]);
    });

    test.each(["exit", "throw"])("dies when its client ends by %s", { timeout: 20_000 }, async (ending) => {
      const { agent, command } = await startClient(ending);
      await Promise.all([died(agent), died(command)]);
    });
  });

test.skipIf(process.platform === "win32").each(["exit", "throw"])(
  "defect B15: nothing is left when a client has ended by %s without a close",
  { timeout: 20_000 },
  async (ending) => {
    const { exited, agent, command } = await startClient(ending);
    await exited;
    expect([isAlive(agent), isAlive(command)]).toEqual([false, false]);
  },
);

test("nothing is left after a close, and the client's event loop is free", { timeout: 20_000 }, async () => {
  const { exited, agent } = await startClient("close");
  expect(await exited).toEqual([0, null]);
  expect(isAlive(agent)).toBe(false);
});
