import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder, turnkit } from "./turnkit.js";

/** Agent in plain JavaScript. It writes its folder to a file. */
const source = (answer: string, note: string) => `#!${process.execPath}
require("node:fs").writeFileSync(${JSON.stringify(note)}, process.cwd());
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const authMethods = [{ id: "browser", name: "Browser" }];
  if (method === "initialize") send({ id, result: { protocolVersion: 1, agentInfo: { name: "tiny", version: "3" }, authMethods } });
  else if (method === "session/new") send({ id, ${answer} });
  else send({ id, error: { code: -32601, message: "Method not found" } });
});`;

/** A machine on which only this agent is installed, under the name of a known agent. */
function setUp(answer = 'result: { sessionId: "s" }') {
  const [bin, config, cwd, notes] = [createFolder(), createFolder(), createFolder(), createFolder()];
  const note = join(notes, "cwd");
  writeFileSync(join(bin, "opencode"), source(answer, note), { mode: 0o755 });
  const env = { PATH: bin, XDG_CONFIG_HOME: config };
  const file = join(config, "turnkit", "agents.json");
  return { bin, cwd, env, file, note, setup: (...args: string[]) => turnkit(["setup", ...args], { cwd, env }) };
}

describe("turnkit setup", () => {
  it("defect P46: shows the command and each step, checks the agent outside of the project, and makes it the default", async () => {
    const { bin, cwd, env, file, note, setup } = setUp();
    const { code, stdout } = await setup("opencode", "--yes");
    expect(code).toBe(0);
    expect(stdout.indexOf(`${join(bin, "opencode")} acp`)).toBeLessThan(stdout.indexOf("✓ tiny 3, protocol v1"));
    // defect P46: says what it waits for
    expect(stdout.replace(/\s+/g, " ")).toMatch(
      /Starting the agent … The agent has started\. Opening a session … .*✓ tiny 3/,
    );
    expect(stdout).toContain(`opencode is the default now, in ${file}. To begin: turnkit`);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ default: "opencode" });
    expect(readFileSync(note, "utf8")).toContain("turnkit-setup-");
    expect(await turnkit(["agents", "--json"], { cwd, env })).toMatchObject({
      stdout: expect.stringContaining('"default": "opencode"'),
    });
  });

  it("keeps the rest of agents.json, and stores a command under a name", async () => {
    const { bin, file, setup } = setUp();
    await setup("opencode", "--yes");
    writeFileSync(file, JSON.stringify({ default: "opencode", agents: { codex: null } }));
    expect(await setup("mine", "--yes", "--", "opencode", "--acp")).toMatchObject({ code: 0 });
    const agents = { codex: null, mine: { command: [join(bin, "opencode"), "--acp"] } };
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ default: "mine", agents });
  });

  it("starts nothing without a question or --yes, and names what is there", async () => {
    const { note, setup } = setUp();
    expect(await setup()).toMatchObject({
      code: 2,
      stderr: "turnkit: setup: name an agent, as in: turnkit setup opencode --yes. Found: opencode.\n",
    });
    expect(await setup("opencode")).toMatchObject({ code: 2, stderr: expect.stringContaining("Add --yes.") });
    expect(existsSync(note)).toBe(false);
  });

  it.each([
    ["requires a login that nobody can do here", 'error: { code: -32000, message: "Log in" }', 4],
    ["opens no session", 'error: { code: -32603, message: "Broken" }', 5],
  ])("leaves the default as it is if the agent %s", async (_, answer, expected) => {
    const { file, setup } = setUp(answer);
    const { code, stdout } = await setup("opencode", "--yes");
    expect(code).toBe(expected);
    expect(stdout).toContain("default stays as it is");
    expect(existsSync(file)).toBe(false);
  });
});
