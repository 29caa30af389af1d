import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { launch } from "@turnkit/client/node";
import { createGate } from "@turnkit/testing";
import { isAlive, processDeath } from "@turnkit/testing/node";
import { describe, expect, it } from "vitest";
import { runSource } from "./source.js";

const agentMain = runSource(new URL("stubborn-agent-main.ts", import.meta.url));

async function agentPidOf(client: ChildProcess): Promise<number> {
  const [text] = await once(client.stdout as NodeJS.ReadableStream, "data");
  return Number(String(text));
}

describe("death", () => {
  // Concurrent, since each waits for the grace of the watchdog.
  it.concurrent.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
    "a client that dies by %s in the middle of a turn leaves no agent",
    async (signal) => {
      const [node, ...args] = runSource(new URL("waiting-client.ts", import.meta.url));
      const client = spawn(node, [...args, ...agentMain], { stdio: ["ignore", "pipe", "ignore"] });
      const agent = await agentPidOf(client);
      expect(isAlive(agent)).toBe(true);
      client.kill(signal);
      await once(client, "exit");
      await processDeath(agent);
    },
  );

  it("an agent killed in the middle of a turn rejects the prompt within a second, with signal and last words", async () => {
    const running = createGate();
    let pid = 0;
    const client = await launch(agentMain, { info: { name: "death", version: "1.0.0" } });
    const session = await client.newSession({ cwd: process.cwd() }, (event) => {
      if (event.type !== "agent_message_chunk" || event.content.type !== "text") return;
      pid = Number(event.content.text);
      running.open();
    });
    const turn = session.prompt("go");
    await running.opened;
    const killed = performance.now();
    process.kill(pid, "SIGKILL");
    await expect(turn.ended).rejects.toMatchObject({
      name: "ConnectionClosedError",
      message: expect.stringContaining("model overloaded"),
      reason: { kind: "exit", signal: "SIGKILL" },
    });
    expect(performance.now() - killed).toBeLessThan(1_000);
    expect(session.state).toMatchObject({ closed: true, activity: { state: "idle" } });
    expect(await client.closed).toMatchObject({ signal: "SIGKILL" });
  });
});
