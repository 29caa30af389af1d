import { chmod, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { dailyAgent, openInteractive } from "./interactive.js";
import { keys } from "./pseudo-terminal.js";

// Each starts two programs from their sources, at least.
vi.setConfig({ testTimeout: 90_000 });

const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0;

describe.each(["1", "2"])("the death of the agent, in version %s", (version) => {
  const args = ["--protocol", version];

  it("defect P10: keeps the screen and the draft, says why, and Enter restores the conversation", async () => {
    const agent = [...dailyAgent, await createFolder()];
    await using client = await openInteractive({ agent, args });
    const { terminal } = client;
    await client.ask("Remember 7");
    await terminal.until(/^Heard: Remember 7$/m);
    await client.ask("die");
    await terminal.until(
      /✗ The agent has ended: [^\n]*7[\s\S]*loading the model\n +out of memory: the model needs more/,
    );
    await terminal.until(/Enter starts it again and restores the conversation\./);
    terminal.type("my long draft");
    await terminal.until(/^❯ my long draft$/m);
    terminal.type(keys.enter);
    await terminal.until(/The agent runs again, and the conversation is restored\.[\s\S]*^❯ my long draft$/m);
    terminal.type(keys.enter);
    await terminal.until(/^Heard: my long draft$/m);
    expect(await client.quit()).toBe(0);
    const all = terminal.transcript();
    expect([count(all, /^Heard: Remember 7$/gm), count(all, /^❯ Remember 7$/gm)]).toEqual([1, 1]);
  });

  it("defect P10: gives waiting prompts back, and sends none by itself", async () => {
    const agent = [...dailyAgent, await createFolder()];
    await using client = await openInteractive({ agent, args, isMortal: true });
    const { terminal } = client;
    await client.ask("wait");
    await terminal.until(/^Heard: wait$/m);
    await client.ask("next");
    await terminal.until(/⧗ next/);
    terminal.type("draft");
    await terminal.until(/❯ draft/);
    await client.killAgent();
    await terminal.until(/✗ The agent has ended: [\s\S]*SIGKILL[\s\S]*❯ next\n {2}draft/);
    terminal.type(keys.enter);
    await terminal.until(/The agent runs again[\s\S]*❯ next\n {2}draft/);
    expect(await client.quit()).toBe(0);
    expect(terminal.transcript()).not.toContain("Heard: next");
  });

  it("says that an agent without stored sessions begins anew", async () => {
    await using client = await openInteractive({ agent: dailyAgent, args });
    const { terminal } = client;
    await client.ask("Remember 7");
    await terminal.until(/^Heard: Remember 7$/m);
    await client.ask("die");
    await terminal.until(/Enter starts it again/);
    terminal.type(keys.enter);
    await terminal.until(/new conversation\.[\s\S]*^❯$/m);
    await client.ask("Hello");
    await terminal.until(/^Heard: Hello$/m);
  });
});

it("defect P10: shows an agent that cannot start again, and tries it as often as the person wants", async () => {
  const folder = await createFolder();
  const program = join(folder, "agent");
  const script = `#!/bin/sh\nexec ${dailyAgent.map((word) => `'${word}'`).join(" ")} ${folder}\n`;
  await writeFile(program, script);
  await chmod(program, 0o755);
  await using client = await openInteractive({ agent: [program] });
  const { terminal } = client;
  await client.ask("die");
  await terminal.until(/Enter starts it again/);
  await rm(program);
  terminal.type(keys.enter);
  await terminal.until(/✗ The agent has ended: [\s\S]*agent[\s\S]*Enter starts it again/);
  await terminal.until(/ENOENT|not found|no such file/i);
  await writeFile(program, script);
  await chmod(program, 0o755);
  terminal.type(keys.enter);
  await terminal.until(/The agent runs again|new conversation/);
  await client.ask("Hello");
  await terminal.until(/^Heard: Hello$/m);
});
