import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { turnkit } from "../interop/programs.js";
import { dailyAgent, openInteractive } from "./interactive.js";
import { keys, PseudoTerminal } from "./pseudo-terminal.js";

// Each starts two programs from their sources, at least.
vi.setConfig({ testTimeout: 90_000 });

const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`;

describe("the draft", () => {
  it("defect P9: is cleared with Escape or Ctrl-C and comes back with Up; Escape cancels a turn first", async () => {
    await using client = await openInteractive({ agent: dailyAgent });
    const { terminal } = client;
    terminal.type("a draft");
    await terminal.until(/^❯ a draft$/m);
    terminal.type(keys.escape);
    await terminal.until(/^❯$[\s\S]*The draft is cleared\. ↑ brings it back\./m);
    terminal.type(keys.up);
    await terminal.until(/^❯ a draft$/m);
    terminal.type(keys.ctrlC);
    await terminal.until(/^❯$[\s\S]*Press Ctrl-C again to end turnkit\./m);
    await client.ask("wait");
    await terminal.until(/Heard: wait[\s\S]*Working/);
    terminal.type("next");
    await terminal.until(/^❯ next$/m);
    terminal.type(keys.escape);
    await terminal.until(/■ Cancelled\.[\s\S]*^❯ next$/m);
    terminal.type(keys.escape);
    await terminal.until(/^❯$/m);
    expect(await client.quit()).toBe(0);
  });

  it("defect P9: folds a long paste, and the agent gets all of it", async () => {
    await using client = await openInteractive({ agent: dailyAgent });
    const { terminal } = client;
    const lines = Array.from({ length: 120 }, (_, n) => `row ${n}`);
    terminal.type("Look: ");
    terminal.type(pasted(lines.join("\r")));
    await terminal.until(/^❯ Look: \[pasted 120 lines\]$/m);
    terminal.type(` please${keys.enter}`);
    await terminal.until(() => /Heard: [\s\S]*row 119 please\n\n─/.test(terminal.transcript()));
    expect(
      terminal
        .transcript()
        .split("Heard: ")[1]
        ?.match(/row \d+/g),
    ).toEqual(lines);
  });

  it("defect P9: finds an earlier prompt with Ctrl-R, also of an earlier conversation", async () => {
    await using first = await openInteractive({ agent: dailyAgent });
    await first.ask("fix the parser");
    await first.terminal.until(/Heard: fix the parser/);
    await first.ask("explain the lexer");
    await first.terminal.until(/Heard: explain the lexer/);
    const { home } = first.terminal;
    await using second = await openInteractive({ agent: dailyAgent, env: { HOME: home } });
    const { terminal } = second;
    terminal.type(keys.ctrlR);
    await terminal.until(/explain the lexer\nSearch: {2,}1 of 2/);
    terminal.type("pars");
    await terminal.until(/fix the parser\nSearch: pars {2}1 of 1/);
    terminal.type(keys.enter);
    await terminal.until(/^❯ fix the parser$/m);
    terminal.type(keys.enter);
    await terminal.until(/Heard: fix the parser/);
  });

  it("defect P9: opens in $EDITOR with Ctrl-G, in a private file that goes away", async () => {
    const cwd = await createFolder();
    const editor = join(cwd, "my editor");
    await writeFile(
      editor,
      `#!/bin/sh\nstat -c %a "$2" > ${cwd}/mode\ncat "$2" > ${cwd}/before\nprintf '\\nsecond $1 line\\n\\n' >> "$2"\n`,
    );
    await chmod(editor, 0o755);
    const temporary = await createFolder();
    const env = { EDITOR: `'${editor}' --wait`, TMPDIR: temporary };
    await using client = await openInteractive({ agent: dailyAgent, cwd, env });
    const { terminal } = client;
    terminal.type("first");
    await terminal.until(/❯ first/);
    terminal.type(keys.ctrlG);
    await terminal.until(/❯ first\n {2}second \$1 line\n/);
    expect([await readFile(join(cwd, "mode"), "utf8"), await readFile(join(cwd, "before"), "utf8")]).toEqual([
      ...["600\n", "first"],
    ]);
    expect((await readdir(temporary)).filter((name) => name.startsWith("turnkit-prompt"))).toEqual([]);
    terminal.type(keys.enter);
    await terminal.until(/Heard: first\s+second \$1 line/);
  });

  it("keeps the draft when the editor fails, and a Ctrl-C for the editor does not end turnkit", async () => {
    // Without `exec`, dash loses a Ctrl-C that comes while it starts the program.
    await using client = await openInteractive({
      agent: dailyAgent,
      env: { EDITOR: "echo editing; exec sleep 600; :" },
    });
    const { terminal } = client;
    terminal.type("first");
    await terminal.until(/❯ first/);
    terminal.type(keys.ctrlG);
    await terminal.until(/^editing$/m);
    terminal.type(keys.ctrlC);
    await terminal.until(/✗ The editor echo editing; exec sleep 600; : ended with[\s\S]*❯ first/);
  });

  it("defect P9: takes Shift-Enter of a terminal with the kitty protocol, and a backslash before Enter", async () => {
    const written: string[] = [];
    await using client = await openInteractive({ agent: dailyAgent });
    const { terminal } = client;
    const note = (prefix: string) => () => {
      written.push(prefix);
      return true;
    };
    terminal.terminal.parser.registerCsiHandler({ prefix: ">", final: "u" }, note("on"));
    terminal.terminal.parser.registerCsiHandler({ prefix: "<", final: "u" }, note("off"));
    terminal.type("\u001b[?0u");
    terminal.type("one\u001b[13;2utwo");
    await terminal.until(/❯ one\n {2}two/);
    terminal.type(`\\${keys.enter}three`);
    await terminal.until(/❯ one\n {2}two\n {2}three/);
    terminal.type("\u001b[13u");
    await terminal.until(/Heard: one/);
    terminal.type("\u001b[99;5u");
    await terminal.until(/Ctrl-C again/);
    terminal.type("\u001b[99;5u");
    expect(await terminal.exited).toBe(0);
    expect(written).toEqual(["on", "off"]);
  });

  it("defect P9: goes to the next mode with Shift-Tab", async () => {
    await using client = await openInteractive({ agent: dailyAgent });
    const { terminal } = client;
    await terminal.until(/Daily agent · Ask me/);
    terminal.type(keys.shiftTab);
    await terminal.until(/Daily agent · Plan only/);
    terminal.type(keys.shiftTab + keys.shiftTab);
    await terminal.until(/Daily agent · Ask me/);
  });
});

it("defect P9: Ctrl-Z gives the terminal to the shell, and fg brings the conversation back", async () => {
  await using terminal = await PseudoTerminal.open({
    command: ["bash", "--norc", "--noprofile", "-i"],
    cwd: await createFolder(),
    env: { PS1: "shell> " },
  });
  await terminal.until(/^shell>/m);
  const command = [...turnkit, "--", ...dailyAgent].map((word) => `'${word}'`).join(" ");
  terminal.type(`${command}${keys.enter}`);
  await terminal.until(/^❯$/m);
  terminal.type(`Hello${keys.enter}`);
  await terminal.until(/^Heard: Hello$/m);
  terminal.type("a draft");
  await terminal.until(/^❯ a draft$/m);
  terminal.type(keys.ctrlZ);
  await terminal.until(/Stopped[\s\S]*^shell>/m);
  terminal.type(`echo "between $((1 + 1))"${keys.enter}`);
  await terminal.until(/^between 2$/m);
  expect(terminal.screen().join("\n")).not.toContain("❯ a draft");
  terminal.type(`fg${keys.enter}`);
  await terminal.until(/^between 2$[\s\S]*^❯ a draft$/m);
  terminal.type(`!${keys.enter}`);
  await terminal.until(/❯ a draft!|Heard: a draft!/);
  await terminal.until(/Heard: a draft!/);
  expect(terminal.transcript().match(/^Heard: Hello$/gm)).toHaveLength(1);
});
