import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { codingAgent, turnkitAgent } from "../interop/programs.js";
import { typescript } from "../interop/samples.js";
import { openInteractive } from "./interactive.js";
import { keys, PseudoTerminal } from "./pseudo-terminal.js";

// Each starts two programs from their sources, at least.
vi.setConfig({ testTimeout: 90_000 });

it.each(["1", "2"])(
  "a whole review with our own agent, in version %s: findings, diff, permission, edit",
  async (version) => {
    const cwd = await createFolder({ "price.ts": typescript.flawed });
    await using client = await openInteractive({ agent: turnkitAgent, args: ["--protocol", version], cwd });
    const { terminal } = client;
    await client.ask("Review price.ts");
    await terminal.until(
      /Permission: Edit price\.ts[\s\S]*- {2}if \(price === NaN\)[\s\S]*1\) Write this edit[\s\S]*turnkit agent · Ask/,
    );
    terminal.type("1");
    await terminal.until(/❯ 1\)/);
    terminal.type(keys.enter);
    await terminal.until((screen) => screen.includes("The edit is written") && !screen.includes("Working"));
    expect(terminal.transcript()).toMatch(
      /❯ Review price\.ts\n[\s\S]*✓ read Read price\.ts[\s\S]*use-isnan[\s\S]*I propose one edit[\s\S]*→ Write this edit[\s\S]*✓ edit Edit price\.ts/,
    );
    expect(await readFile(join(cwd, "price.ts"), "utf8")).toBe(typescript.fixed);
  },
);

it("whoever starts the agent by hand is told what it waits for", async () => {
  await using terminal = await PseudoTerminal.open({ command: turnkitAgent, cwd: await createFolder() });
  await terminal.until(/talks to a client[\s\S]*turnkit-agent --help/);
  terminal.type("\u0004");
  expect(await terminal.exited).toBe(0);
});

it("what was said before the agent was killed is there again with --session", async () => {
  const cwd = await createFolder({ "price.ts": typescript.flawed });
  const leavesItsId = ["sh", "-c", 'echo $$ > agent.pid; exec "$@"', "sh"];
  const agent = [...codingAgent, "--model", "reviewer"];
  await using killed = await openInteractive({ agent: [...leavesItsId, ...agent], cwd });
  await killed.ask("Review price.ts");
  await killed.terminal.until(/Permission: Edit price\.ts/);
  process.kill(Number(await readFile(join(cwd, "agent.pid"), "utf8")), "SIGKILL");
  await killed.terminal.until(/✗ The agent has ended: [\s\S]*Enter starts it again/);
  expect(await killed.quit()).toBe(1);
  const before = killed.terminal.transcript();
  const [, id = ""] = /To continue this session: turnkit --session (\S+)/.exec(before) ?? [];
  const { home } = killed.terminal;
  await using again = await openInteractive({ agent, cwd, args: ["--session", id], env: { HOME: home } });
  await again.terminal.until(/I propose one edit/);
  const said = /❯ Review price\.ts[\s\S]*I propose one edit[^\n]*/;
  expect(said.exec(again.terminal.transcript())?.[0]).toBe(said.exec(before)?.[0]);
});
