import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { dailyAgent, openInteractive } from "./interactive.js";
import { keys } from "./pseudo-terminal.js";

// Each starts two programs from their sources, at least.
vi.setConfig({ testTimeout: 90_000 });

describe("a command line of the person", () => {
  it("defect P6: runs in the person's shell, and the agent gets its output only after /attach", async () => {
    const cwd = await createFolder({ "a b.txt": "" });
    await using client = await openInteractive({ agent: dailyAgent, cwd, env: { SHELL: "/bin/bash" } });
    const { terminal } = client;
    await client.ask("! ls; echo '```'; printf '\\033[31mred\\n' >&2; false");
    await terminal.until(
      / {2}\$ ls; echo[\s\S]*│ a b\.txt\n {2}│ ```\n {2}│ red\n {2}exit code 1\n {2}\/attach shows it/,
    );
    await client.ask("Hello");
    await terminal.until(/Heard: Hello\n\n─/);
    terminal.type(`/attach${keys.enter}`);
    await terminal.until(/^❯ \[output of ls; echo/m);
    terminal.type(` why?${keys.enter}`);
    await terminal.until(/I ran this command, and its output follows:/);
    await terminal.until((screen) => !screen.includes("Working"));
    expect(terminal.transcript()).toMatch(/Heard: \[output of [^\]]*\] why\?[\s\S]*a b\.txt[\s\S]*red/);
  });

  it("defect P6: gives its output to the prompt when it has ended, if /attach comes before", async () => {
    const cwd = await createFolder();
    await using client = await openInteractive({ agent: dailyAgent, cwd, env: { SHELL: "/bin/sh" } });
    const { terminal } = client;
    await client.ask("!echo early; until [ -e go ]; do sleep 0.05; done; echo late");
    await terminal.until(/│ early\n {2}Ctrl-C ends it/);
    terminal.type(`/attach${keys.enter}`);
    await terminal.until(/The output comes into the prompt when the command has ended\./);
    await writeFile(join(cwd, "go"), "");
    await terminal.until(/^❯ \[output of echo early/m);
    terminal.type(keys.enter);
    await terminal.until((screen) => /Heard: /.test(screen) && !screen.includes("Working"));
    expect(terminal.transcript()).toMatch(/its output follows:[\s\S]*early\s+late/);
  });

  it("defect P6: ends with Ctrl-C, with everything that it started, while the conversation goes on", async () => {
    await using client = await openInteractive({ agent: dailyAgent });
    const { terminal } = client;
    await client.ask("!sleep 600 & echo started; sleep 600");
    await terminal.until(/│ started\n {2}Ctrl-C ends it/);
    await client.ask("Hello");
    await terminal.until(/Heard: Hello/);
    terminal.type(keys.ctrlC);
    await terminal.until(/ended by SIGTERM\n {2}\/attach/);
    await client.ask("Still there?");
    await terminal.until(/Heard: Still there\?/);
    expect(await client.quit()).toBe(0);
  });
});

describe("a line with a slash", () => {
  it("defect P6: with an unknown name stays here, and the nearest name is shown", async () => {
    await using client = await openInteractive({ agent: dailyAgent, rows: 60 });
    const { terminal } = client;
    await terminal.until(/Ask me/);
    await client.ask("/reviw a.ts");
    await terminal.until(/There is no command \/reviw\. Do you mean \/review\? \/\/reviw sends it to the agent\./);
    terminal.type(keys.escape);
    await terminal.until(/^❯$/m);
    await client.ask("/review a.ts");
    await terminal.until(/^Command review: a\.ts$/m);
    await client.ask("//reviw b.ts");
    await terminal.until(/^Heard: \/reviw b\.ts$/m);
    await client.ask("/help");
    await terminal.until(/Ctrl-R +searches in earlier prompts[\s\S]*\/review +Review a file[\s\S]*\/quit +end turnkit/);
  });

  it("shows in its menu that there are more commands than it has room for", async () => {
    await using client = await openInteractive({ agent: [...dailyAgent, "", "30"] });
    const { terminal } = client;
    await terminal.until(/Ask me/);
    terminal.type("/");
    await terminal.until(/❯ \/review[\s\S]*\/task-4 +Do task 4\n {2}… 3\d more: ↑↓/);
    terminal.type(keys.up);
    await terminal.until(/❯ \/quit +end turnkit\n {2}… 3\d more: ↑↓/);
  });
});
