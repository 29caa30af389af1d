import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createFolder } from "../interop/folder.js";
import { turnkitAgent } from "../interop/programs.js";
import { typescript } from "../interop/samples.js";
import { openInteractive } from "./interactive.js";
import { keys } from "./pseudo-terminal.js";

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
