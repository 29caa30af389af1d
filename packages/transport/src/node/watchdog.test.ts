import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const fixture = fileURLToPath(new URL("../../test/fixtures/client.ts", import.meta.url));

async function startClient(
  ending: string,
): Promise<{ client: ChildProcess; exited: Promise<unknown[]>; agent: number }> {
  const args = ["--conditions=@turnkit/source", "--import", import.meta.resolve("tsx"), fixture, ending];
  const client = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const exited = once(client, "exit");
  const [line] = (await once(createInterface({ input: client.stdout as NodeJS.ReadableStream }), "line")) as [string];
  return { client, exited, agent: (JSON.parse(line) as { agent: number }).agent };
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
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
}

// Concurrent, because each waits twice for the watchdog's grace.
describe
  .skipIf(process.platform === "win32")
  .concurrent("an agent that ignores the end of its stdin and SIGTERM", () => {
    test.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
      "dies when its client gets %s",
      { timeout: 20_000 },
      async (signal) => {
        const { client, agent } = await startClient("wait");
        expect(isAlive(agent)).toBe(true);
        client.kill(signal);
        await died(agent);
      },
    );

    test.each(["exit", "throw"])("dies when its client ends by %s", { timeout: 20_000 }, async (ending) => {
      const { agent } = await startClient(ending);
      await died(agent);
    });
  });

test("nothing is left after a close, and the client's event loop is free", { timeout: 20_000 }, async () => {
  const { exited, agent } = await startClient("close");
  expect(await exited).toEqual([0, null]);
  expect(isAlive(agent)).toBe(false);
});
