import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { v1Dialect, v2Dialect } from "@turnkit/client";
import { describe, expect, it } from "vitest";
import { calls, reached, said, startCodingAgent } from "./coding-agent.js";
import { call, type Part, say } from "./step.js";

/** Says something, and then nothing until the end of the test. */
async function* endless(): AsyncGenerator<Part> {
  yield say("Well, let me think. ");
  await new Promise(() => {});
}

/** Starts a child that starts another one, writes both ids to a file, and goes on until it is killed. */
const stubborn = `
  const { spawn } = require("node:child_process");
  const { writeFileSync } = require("node:fs");
  process.on("SIGTERM", () => {});
  const child = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"]);
  writeFileSync("pids.txt", process.pid + " " + child.pid);
  console.log("ready");
  setInterval(() => {}, 1000);
`;

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe.each([
  ["v1", v1Dialect, "failed"],
  ["v2", v2Dialect, "cancelled"],
])("a cancel over %s", (_, dialect, cancelled) => {
  it("in the middle of an answer ends the request to the provider, and the next prompt is answered", async () => {
    const { session, server } = await startCodingAgent({
      dialects: [dialect],
      script: [endless(), [say("Hello again.")]],
    });
    const turn = session.prompt("Think about it.");
    await reached(session, (state) => said(state).includes("think"));
    expect(await turn.cancel()).toMatchObject({ stopReason: "cancelled", agentConfirmed: true });
    expect(await server.requests[0]?.over).toBe("dropped");

    expect(await session.prompt("Are you there?").ended).toMatchObject({ stopReason: "end_turn" });
    expect(said(session.state)).toBe("Well, let me think. Hello again.");
    // What was seen of the broken answer is what the model is told of it.
    expect(JSON.stringify(server.requests[1]?.body.messages)).toContain("Well, let me think. ");
  });

  it("in the middle of a command ends it and all that it started", async () => {
    const { session, server, folder } = await startCodingAgent({
      dialects: [dialect],
      // Numbers of processes in a sandbox mean nothing outside of it.
      args: ["--sandbox", "off"],
      files: { "stubborn.cjs": stubborn },
      script: [[call("run_command", { command: "node stubborn.cjs" })], [say("Good.")]],
    });
    const turn = session.prompt("Run it.");
    await expect.poll(() => existsSync(join(folder, "pids.txt")), { timeout: 15_000 }).toBe(true);
    await expect.poll(() => readFile(join(folder, "pids.txt"), "utf8")).toMatch(/^\d+ \d+$/);
    const pids = (await readFile(join(folder, "pids.txt"), "utf8")).split(" ").map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);

    expect(await turn.cancel()).toMatchObject({ stopReason: "cancelled" });
    await expect.poll(() => pids.map(isAlive), { timeout: 10_000 }).toEqual([false, false]);
    expect(calls(session.state)).toEqual([`node stubborn.cjs: ${cancelled}`]);

    // The conversation is whole: providers refuse one with a call that nobody answered.
    expect(await session.prompt("Go on.").ended).toMatchObject({ stopReason: "end_turn" });
    expect(server.requests[1]?.body.messages.map(({ role }: { role: string }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "user",
    ]);
  });
});

it("a client that goes away in the middle of a command leaves nothing behind", async () => {
  const { client, session, folder } = await startCodingAgent({
    args: ["--sandbox", "off"],
    files: { "stubborn.cjs": stubborn },
    script: [[call("run_command", { command: "node stubborn.cjs" })]],
  });
  const turn = session.prompt("Run it.");
  turn.ended.catch(() => {});
  await expect.poll(() => existsSync(join(folder, "pids.txt")), { timeout: 15_000 }).toBe(true);
  await expect.poll(() => readFile(join(folder, "pids.txt"), "utf8")).toMatch(/^\d+ \d+$/);
  const pids = (await readFile(join(folder, "pids.txt"), "utf8")).split(" ").map(Number);
  await client.close();
  await expect.poll(() => pids.map(isAlive), { timeout: 10_000 }).toEqual([false, false]);
});
