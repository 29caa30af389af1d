import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { processDeath } from "@turnkit/testing/node";
import { expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { turnkit } from "../interop/programs.js";
import { dailyAgent } from "./interactive.js";
import { keys, PseudoTerminal, type PseudoTerminalOptions } from "./pseudo-terminal.js";

// Each starts two programs from their sources.
vi.setConfig({ testTimeout: 90_000 });

/** Opens the client with an agent that starts only when `go` is called. */
async function openBefore(agent: readonly string[], options: Partial<PseudoTerminalOptions> = {}) {
  const notes = await createFolder();
  const door = join(notes, "door");
  execFileSync("mkfifo", [door]);
  const wait = `echo $$ > ${notes}/pid; cat ${door} > ${notes}/passed; exec "$@"`;
  const terminal = await PseudoTerminal.open({
    command: [...turnkit, "--", "sh", "-c", wait, "sh", ...agent],
    ...{ cwd: await createFolder(), ...options },
  });
  await terminal.until(/^❯/m);
  return {
    terminal,
    go: () => writeFile(door, "go"),
    agentPid: async () => Number(await readFile(join(notes, "pid"), "utf8")),
    [Symbol.asyncDispose]: () => terminal[Symbol.asyncDispose](),
  };
}

it("is there before the agent, and a prompt that was typed then is sent when there is a conversation", async () => {
  await using client = await openBefore(dailyAgent);
  const { terminal, go } = client;
  await terminal.until(/● Starting sh …\n─+\n❯\nsh is starting · .*Ctrl-C ends$/m);
  terminal.type(`first question${keys.enter}`);
  await terminal.until(/⧗ first question\n─+\n❯/);
  terminal.type("a draft");
  await terminal.until(/^❯ a draft$/m);
  await go();
  await terminal.until(/^❯ first question\n\nHeard: first question\n\n─+\n❯ a draft\nDaily agent/m);
  expect(terminal.transcript()).not.toMatch(/Starting|starting/);
});

it("lets the person take a waiting prompt back, and refuses other conversations until there is one", async () => {
  await using client = await openBefore(dailyAgent);
  const { terminal, go } = client;
  terminal.type(`too early${keys.enter}`);
  await terminal.until(/⧗ too early/);
  terminal.type(keys.escape);
  await terminal.until(/^❯ too early$/m);
  terminal.type(`${keys.ctrlC}/new${keys.enter}`);
  await terminal.until(/The agent is starting\./);
  await go();
  await terminal.until(/^❯ \/new[\s\S]*Daily agent/m);
  expect(terminal.transcript()).not.toContain("Heard");
});

it("ends with one Ctrl-C while the agent starts, and the agent with it", async () => {
  await using client = await openBefore(dailyAgent);
  const { terminal, agentPid } = client;
  const pid = await vi.waitFor(agentPid);
  terminal.type(keys.ctrlC);
  expect(await terminal.exited).toBe(130);
  await processDeath(pid);
  expect(terminal.transcript()).not.toMatch(/Starting|─/);
});

it("shows why an agent does not start, and the next start offers what was typed for it", async () => {
  const cwd = await createFolder();
  await using client = await openBefore(["sh", "-c", "echo 'usage: agent --acp' >&2; exit 3"], { cwd });
  const { terminal, go } = client;
  terminal.type("a long thought");
  await terminal.until(/^❯ a long thought$/m);
  await go();
  expect(await terminal.exited).toBe(1);
  const all = terminal.transcript();
  expect(all).toMatch(/exited with code 3[\s\S]*usage: agent --acp/);
  expect(all).not.toMatch(/─|❯/);
  const env = { XDG_STATE_HOME: join(terminal.home, ".local", "state") };
  await using again = await openBefore(dailyAgent, { cwd, env });
  again.terminal.type(keys.up);
  await again.terminal.until(/^❯ a long thought$/m);
});

it("shows that there is no such agent", async () => {
  await using terminal = await PseudoTerminal.open({
    command: [...turnkit, "--", "/nowhere/my-agent", "--acp"],
    cwd: await createFolder(),
  });
  expect(await terminal.exited).toBe(1);
  expect(terminal.transcript()).toMatch(/Could not start \/nowhere\/my-agent/);
  expect(terminal.transcript()).not.toMatch(/─|❯/);
});

/** An agent that opens no session before a login with the method `code`. */
const locked = `
  let isOpen = false;
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (method === "initialize") {
      return send({ id, result: { protocolVersion: 1, authMethods: [{ id: "code", name: "Use a code" }] } });
    }
    if (method === "authenticate") { isOpen = true; return send({ id, result: {} }); }
    if (!isOpen) return send({ id, error: { code: -32000, message: "Authentication required" } });
    send({ id, result: { sessionId: "s-1", stopReason: "end_turn" } });
  });
`;

it("makes room for a login, and comes back with the draft", async () => {
  await using client = await openBefore([process.execPath, "-e", locked]);
  const { terminal, go } = client;
  terminal.type("my draft");
  await terminal.until(/^❯ my draft$/m);
  await go();
  await terminal.until(/The agent requires a login first\.[\s\S]*1\) Use a code[\s\S]*Your choice/);
  terminal.type(`1${keys.enter}`);
  await terminal.until((screen) => /^❯ my draft$/m.test(screen) && !/Starting|Opening/.test(screen));
  expect(terminal.screen().at(-1) ?? "").not.toMatch(/starting/);
});
