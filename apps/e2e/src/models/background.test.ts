import { allowOnce, type Dialect, type Session, seedDialect, v1Dialect, v2Dialect } from "@turnkit/client";
import { processDeath } from "@turnkit/testing/node";
import { describe, expect, it, vi } from "vitest";
import { reached, said, startCodingAgent } from "./coding-agent.js";
import { call, type ReceivedRequest, say } from "./step.js";

vi.setConfig({ testTimeout: 60_000 });

/** Server that writes its id and that of a child process, and a line for each line of a file. */
const SERVER = `node -e '
  const { spawn } = require("child_process");
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  console.log("ready", process.pid, child.pid);
  setInterval(() => {}, 1000);'`;

const pidsOf = (request: ReceivedRequest | undefined) =>
  (/ready (\d+) (\d+)/.exec(request?.results.join() ?? "") ?? []).slice(1).map(Number);

const backgroundOf = ({ state }: Session) => state.activity?.background ?? [];

/** Starts an agent with a server in the background, after one turn. */
async function withServer(dialect: Dialect) {
  const agent = await startCodingAgent({
    dialects: [dialect],
    permissions: allowOnce,
    script: [
      [call("run_command", { command: SERVER.replace(/\n */g, " "), background: true })],
      [say("It runs.")],
      [call("command_output", {}), call("stop_command", { id: "1" })],
      [say("It is stopped.")],
    ],
  });
  await agent.session.prompt("Start the server.").ended;
  const pids = pidsOf(agent.server.requests[1]);
  expect(pids).toHaveLength(2);
  return { ...agent, pids, isAlive: () => pids.map((pid) => process.kill(pid, 0)) };
}

describe("defect P13: a command in the background of turnkit-agent", () => {
  it.each([
    ["v1", v1Dialect],
    ["v2", v2Dialect],
    ["seed", seedDialect],
  ])("outlives its turn, is listed, and ends with stop_command: %s", async (_, dialect) => {
    const { session, server, pids, isAlive } = await withServer(dialect);
    expect(isAlive()).toEqual([true, true]);
    await session.prompt("Stop it.").ended;
    expect(server.requests[3]?.results[0]).toMatch(/^1 {2}node .*\(It is running\.\)$/);
    expect(server.requests[3]?.results[1]).toContain("It was stopped.");
    for (const pid of pids) await processDeath(pid);
    expect(said(session.state)).toContain("It is stopped.");
  });

  it("is background work of version 2: shown with its output, and the client can end it", async () => {
    const { session, pids } = await withServer(v2Dialect);
    const [work] = backgroundOf(session);
    expect(backgroundOf(session)).toEqual([{ type: "terminal", terminalId: expect.any(String) }]);
    const { terminalId } = work as { terminalId: string };
    const terminal = session.state.terminals.get(terminalId);
    expect(terminal?.text).toContain("ready");
    expect(terminal?.command).toContain("node -e");
    await session.cancelTerminal(terminalId);
    for (const pid of pids) await processDeath(pid);
    await reached(session, () => backgroundOf(session).length === 0);
  });

  it.each(["closes the session", "goes away", "kills the agent"])("is gone when the client %s", async (how) => {
    const { session, client, pids, kill } = await withServer(v1Dialect);
    if (how === "closes the session") await session.close();
    else if (how === "goes away") await client.close();
    else kill();
    for (const pid of pids) await processDeath(pid);
  });
});
