import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { turnkit } from "../interop/programs.js";
import { runSource } from "../process/source.js";
import { openInteractive } from "./interactive.js";
import { keys, PseudoTerminal } from "./pseudo-terminal.js";
import { longCommand } from "./scripts.js";

// Each starts two programs from their sources, at least.
vi.setConfig({ testTimeout: 90_000 });

describe("questions", () => {
  it("defect P14: show a command as it is typed, options that decide once first, and one key decides", async () => {
    await using client = await openInteractive({ script: "one key" });
    const { terminal } = client;
    await client.ask("Test it");
    const screen = await terminal.until(/Permission: Run the tests[\s\S]*b\) No, because/);
    expect(screen).toMatch(/\n {2}\$ npm test -- --run\n/);
    expect(screen).not.toContain('"command"');
    expect(screen).toMatch(
      /1\) Run it {2}allow once\n {2}2\) Leave it {2}reject once\n {2}3\) "?n\) No, never"? {2}allow always\n/,
    );
    expect(screen.replace(/\s+/g, " ")).toMatch(/turnkit remembers until [\d-]{10}: exactly this command line in \//);
    expect(screen).toMatch(/y once {2}n no {2}a always {2}1–4/);
    terminal.type("y");
    await terminal.until(/\? Run the tests → Run it[\s\S]*^Ran\.$/m);
  });

  it("P16: a refusal with a reason tells the agent the reason with the next prompt", async () => {
    await using client = await openInteractive({ script: "one key" });
    const { terminal } = client;
    await client.ask("Test it");
    await terminal.until(/b\) No, because/);
    terminal.type("1");
    await terminal.until(/^Ran\.$/m);
    await client.ask("Clean up");
    await terminal.until(/\$ rm -rf 'a b'\n[\s\S]*b\) No, because/);
    terminal.type("b");
    await terminal.until(/❯ No, because/);
    terminal.type("it is mine");
    await terminal.until(/❯ No, because it is mine/);
    terminal.type(keys.enter);
    await terminal.until(/→ Leave it[\s\S]*^Left\.$[\s\S]*↳ with your next prompt: I did not allow/m);
    await client.ask("Go on");
    const screen = await terminal.until(/^I see\.$/m);
    expect(screen).toMatch(/❯ I did not allow “Run the tests”, because it is mine\n\n {2}Go on/);
    expect(screen).not.toContain("↳");
  });

  it("S11: letters of a prompt that is typed while the question comes answer nothing", async () => {
    await using client = await openInteractive({ script: "one key" });
    const { terminal } = client;
    await client.ask("Test it");
    await terminal.until(/b\) No, because/);
    terminal.type("y");
    terminal.type("es, but");
    await terminal.until(/❯ yes, but\n.*send or clear your prompt/);
    expect(terminal.transcript()).not.toContain("→");
    terminal.type("\u0015");
    await terminal.until(/y once {2}n no/);
    terminal.type("y");
    await terminal.until(/^Ran\.$/m);
  });

  it("S23: pages through a command that has no room, up to its end, at every size", async () => {
    for (const [columns, rows] of [
      [80, 24],
      [40, 10],
    ] as const) {
      await using client = await openInteractive({ script: "long command", columns, rows });
      const { terminal } = client;
      await client.ask("Go");
      let screen = await terminal.until(/PgUp/);
      const seen = new Set<string>();
      const collect = (shown: string) => {
        for (const [line] of shown.matchAll(/(?:echo line \d+(?:; rm -rf build)?)$/gm)) seen.add(line);
      };
      collect(screen);
      while (!screen.includes("rm -rf build")) {
        const before = screen;
        terminal.type(keys.pageDown);
        screen = await terminal.until((next) => next !== before && /of \d+/.test(next));
        collect(screen);
      }
      expect([...seen].map((line) => line.replace(/^\$ /, ""))).toEqual(longCommand.split("\n"));
      terminal.type("y");
      await terminal.until(/^Ran\.$/m);
    }
  });
});

describe("turnkit permissions", () => {
  it("P16: an answer for good holds in later conversations of the folder, is listed in words, and can be revoked", async () => {
    const agent = [...runSource(new URL("./scripted-agent-main.ts", import.meta.url)), "remember", "1"];
    const cwd = await createFolder();
    await using first = await openInteractive({ agent, cwd });
    const { home } = first.terminal;
    await first.ask("Test");
    await first.terminal.until(/b\) No, because/);
    first.terminal.type("a");
    await first.terminal.until(/^Chosen: always$/m);
    await first.ask("Again");
    await first.terminal.until(/^Chosen: yes$/m);
    const again = async (folder: string) => {
      const client = await openInteractive({ agent, cwd: folder, env: { HOME: home } });
      await client.ask("Test");
      return client;
    };
    await using second = await again(cwd);
    await second.terminal.until(/^Chosen: yes$/m);
    expect(second.terminal.transcript()).toContain("? Run the tests → Run it");
    await using elsewhere = await again(await createFolder());
    await elsewhere.terminal.until(/b\) No, because/);

    const permissions = async (...args: readonly string[]) => {
      await using terminal = await PseudoTerminal.open({
        command: [...turnkit, "permissions", ...args],
        ...{ cwd, env: { HOME: home, NO_COLOR: "1" } },
      });
      expect(await terminal.exited).toBe(0);
      return terminal.transcript();
    };
    const listed = await permissions("list");
    expect(listed).toMatch(
      /^[\da-f]{8} {2}allow {2}until [\d-]{10} {2}agent scripted-agent\n {2}\$ npm test\n {2}in \//,
    );
    const { mode } = await stat(join(home, ".local", "state", "turnkit", "permissions"));
    expect(mode & 0o777).toBe(0o700);
    expect(await permissions("revoke", listed.slice(0, 6))).toMatch(/^1 permission revoked for/);
    expect(await permissions()).toMatch(/^Nothing is remembered for/);
    await using third = await again(cwd);
    await third.terminal.until(/b\) No, because/);
  });
});
