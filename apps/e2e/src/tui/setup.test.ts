import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { codingAgent, turnkit } from "../interop/programs.js";
import { dailyAgent, openInteractive } from "./interactive.js";
import { keys, PseudoTerminal } from "./pseudo-terminal.js";

// Each starts two programs from their sources.
vi.setConfig({ testTimeout: 90_000 });

it("turnkit setup lists what is installed, shows the command before it starts, and stores the default", async () => {
  const bin = await createFolder();
  const words = codingAgent.map((word) => `'${word}'`).join(" ");
  await writeFile(join(bin, "turnkit-agent"), `#!/bin/sh\nexec ${words} "$@"\n`);
  await chmod(join(bin, "turnkit-agent"), 0o755);
  const command = [...turnkit, "setup"] as [string, ...string[]];
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  await using terminal = await PseudoTerminal.open({ command, cwd: await createFolder(), env });
  await terminal.until(/Which agent is the default\?[\s\S]*\) turnkit \([\s\S]*Your choice/);
  const [, number = ""] = /(\d)\) turnkit \(/.exec(terminal.transcript()) ?? [];
  terminal.type(`${number}${keys.enter}`);
  await terminal.until((screen) => screen.includes(join(bin, "turnkit-agent")) && screen.includes("Start it"));
  expect(terminal.transcript()).not.toContain("✓");
  terminal.type(`1${keys.enter}`);
  await terminal.until(/✓ turnkit-agent [\s\S]*turnkit is the default now/);
  expect(await terminal.exited).toBe(0);
  const file = join(terminal.home, ".config", "turnkit", "agents.json");
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ default: "turnkit" });
});

it("a conversation asks about a project's MCP servers, and shows each command whole", async () => {
  const server = {
    command: "/bin/sh",
    args: ["-c", `exec cat # ${"long ".repeat(60)}end`],
    env: { NODE_OPTIONS: "-r x" },
  };
  const cwd = await createFolder({ ".mcp.json": JSON.stringify({ mcpServers: { files: server } }) });
  const command = [...turnkit, "--", ...dailyAgent] as [string, ...string[]];
  await using terminal = await PseudoTerminal.open({ command, cwd });
  await terminal.until(/May the agent use the 1 MCP server of [\s\S]*4\) leave them out until[\s\S]*Your choice/);
  const shown = terminal.transcript().replace(/\s+/g, "");
  expect(shown).toContain(`files:$NODE_OPTIONS="-rx"/bin/sh-c"execcat#${"long".repeat(60)}end"`);
  terminal.type(`4${keys.enter}`);
  await terminal.until(/^❯$/m);
  terminal.hangUp();
  await terminal.exited;
  await using again = await openInteractive({ agent: dailyAgent, cwd, env: { HOME: terminal.home } });
  expect(again.terminal.transcript()).not.toContain("MCP server");
});
