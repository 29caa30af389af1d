import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { turnkit } from "../interop/programs.js";
import { dailyAgent, openInteractive } from "./interactive.js";
import { PseudoTerminal } from "./pseudo-terminal.js";

// It starts two programs from their sources.
vi.setConfig({ testTimeout: 90_000 });

it("defect P14: the printed command of a conversation can be pasted, whatever is in it", async () => {
  const cwd = await createFolder();
  const folder = join(await createFolder(), "Ada's $HOME; sessions");
  await mkdir(folder);
  const bin = await createFolder();
  const words = turnkit.map((word) => `'${word}'`).join(" ");
  await writeFile(join(bin, "turnkit"), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  // A person who copies the command gets no line breaks of the terminal; a wide one has none.
  await using client = await openInteractive({ agent: [...dailyAgent, folder, "0"], cwd, columns: 2000 });
  await client.ask("Keep this in mind");
  await client.terminal.until(/Keep this in mind[\s\S]*Keep this in mind/);
  expect(await client.quit()).toBe(0);
  const [, pasted = ""] = /^To continue this session: (turnkit .*)$/m.exec(client.terminal.transcript()) ?? [];
  await using again = await PseudoTerminal.open({
    command: ["sh", "-c", pasted],
    ...{ cwd, env: { PATH: `${bin}:${process.env.PATH}` } },
  });
  await again.until(/❯ Keep this in mind[\s\S]*^❯/m);
});

it("defect P7: a conversation begins with the mode of the command line", async () => {
  await using client = await openInteractive({ script: "settings", args: ["--mode", "BY itself"] });
  await client.ask("/review file.ts");
  await client.terminal.until(/Done by myself\./);
});

it("defect P7: a mode that is not offered ends the program, with what is offered", async () => {
  const started = openInteractive({ script: "settings", args: ["--mode", "plan"], columns: 200 });
  await expect(started).rejects.toThrow('does not offer "plan" for mode. It offers: ask (Ask me), auto (By itself).');
});

it("defect P7: a prompt of the command line is sent at once, and a terminal shows the whole conversation", async () => {
  const folder = await createFolder();
  await using terminal = await PseudoTerminal.open({
    command: [...turnkit, "Say", "it", "and", "go", "--", ...dailyAgent, folder, "0"],
    cwd: await createFolder(),
  });
  await terminal.until(/> Say it and go[\s\S]*■ Stop reason: end_turn/);
  expect(await terminal.exited).toBe(0);
});
