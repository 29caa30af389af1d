import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { openInteractive } from "./interactive.js";
import { keys } from "./pseudo-terminal.js";

// Each starts two programs from their sources, at least.
vi.setConfig({ testTimeout: 90_000 });

describe("a conversation at the keyboard", () => {
  it("shows an answer while it streams, and leaves it in the terminal's history", async () => {
    await using client = await openInteractive({ script: "hello" });
    const { terminal, gates } = client;
    await client.ask("Hi there");
    await terminal.until(/^Hello the$[\s\S]*● Working[\s\S]*❯/m);
    gates.open("more");
    await terminal.until(/^Hello there, and good day\.\n\n─+\n❯$/m);
    expect(await client.quit()).toBe(0);
    expect(terminal.transcript()).toMatch(
      /^\n❯ Hi there\n\nHello there, and good day\.\n\nTo continue this session: turnkit --session s-1 -- \S/,
    );
  });

  it("answers a permission by keyboard, after its diff was seen", async () => {
    await using client = await openInteractive({ script: "permission" });
    const { terminal } = client;
    await client.ask("Fix it");
    await terminal.until(/Permission: Edit price\.ts[\s\S]*-a = 1[\s\S]*\+a = 2[\s\S]*1\) Write it[\s\S]*2\) Leave it/);
    terminal.type(keys.enter);
    terminal.type(keys.down);
    await terminal.until(/❯ 1\) Write it/);
    terminal.type("2");
    await terminal.until(/❯ 2\) Leave it/);
    terminal.type(keys.enter);
    const screen = await terminal.until(/^Then not\.\n\n─/m);
    expect(screen).toMatch(/\? Edit price\.ts → Leave it[\s\S]*✗ edit Edit price\.ts {2}\S* *failed/);
  });

  it("lets somebody choose which of several questions to answer first", async () => {
    await using client = await openInteractive({ script: "two questions" });
    const { terminal } = client;
    await client.ask("Go");
    await terminal.until(/Run one[\s\S]*1 of 2, Ctrl-N next/);
    terminal.type(keys.ctrlN);
    await terminal.until(/Run two[\s\S]*1\) Yes, two/);
    terminal.type(`1${keys.enter}`);
    await terminal.until(/1\) Yes, one[\s\S]*a moment to read/);
    await terminal.until(/Run one[\s\S]*1\) Yes, one[\s\S]*y once/);
    terminal.type(`1${keys.enter}`);
    await terminal.until(/→ Yes, two[\s\S]*→ Yes, one[\s\S]*^❯$/m);
    await client.ask("And?");
    await terminal.until(/^Both\.$/m);
  });

  it("shows what a command prints while it runs, and how it ended", async () => {
    const cwd = await createFolder();
    await using client = await openInteractive({ script: "terminal", cwd, rows: 40 });
    const { terminal } = client;
    await client.ask("Count");
    await terminal.until(/◐ execute Count {2}in progress\n {2}\$ [\s\S]*│ counted \d+\n/);
    await terminal.until(/│ counted 20\n/);
    await writeFile(join(cwd, "enough"), "");
    await terminal.until(/✓ execute Count\n[\s\S]*│ … \d+ earlier lines\n(?: {2}│ counted \d+\n){8} {2}exit code 3\n/);
  });

  it("defect P75: fills in a form of the agent, and shows no report for authors of clients", async () => {
    await using client = await openInteractive({ script: "form" });
    const { terminal } = client;
    await client.ask("Hi");
    await terminal.until(/Question of scripted-agent[\s\S]*Who are you\?[\s\S]*Name \*:/);
    terminal.type("Ada");
    await terminal.until(/❯ Name \*: Ada/);
    terminal.type(`${keys.tab}2`);
    await terminal.until(/❯ Colour: \( \) red {2}\(•\) green/);
    terminal.type(keys.enter);
    await terminal.until(/❯ Send/);
    terminal.type(keys.enter);
    await terminal.until(/Who are you\? → answered[\s\S]*^Hello Ada\.$/m);
    expect(terminal.transcript()).not.toContain("session.answer");
  });

  it("cancels with Escape, and what waited to be asked comes back to be changed", async () => {
    await using client = await openInteractive({ script: "cancel" });
    const { terminal } = client;
    await client.ask("Tell me");
    await terminal.until(/^A long story$/m);
    terminal.type(`Next${keys.enter}`);
    await terminal.until(/⧗ Next/);
    terminal.type("thing");
    await terminal.until(/❯ thing/);
    terminal.type(keys.escape);
    await terminal.until(/■ Cancelled\.[\s\S]*❯ Next\n {2}thing/);
    terminal.type(keys.enter);
    await terminal.until(/^Again\.$/m);
  });

  it("asks what waits when the turn has ended", async () => {
    await using client = await openInteractive({ script: "queue" });
    const { terminal, gates } = client;
    await client.ask("One");
    await terminal.until(/^First answer\.$/m);
    terminal.type(`Two${keys.enter}`);
    await terminal.until(/⧗ Two/);
    gates.open("first");
    await terminal.until(/First answer\.\n\n❯ Two\n\nSecond answer\.\n\n─/);
  });

  it("shows all of a restored session and goes on with it", async () => {
    await using client = await openInteractive({ script: "restore", args: ["--session", "old-1"] });
    const { terminal } = client;
    await terminal.until(/Answer 299/);
    await client.ask("Still there?");
    await terminal.until(/^I remember\.$/m);
    expect(terminal.transcript().match(/^(?:❯ Question|Answer) \d+$/gm)).toEqual(
      Array.from({ length: 300 }, (_, n) => [`❯ Question ${n}`, `Answer ${n}`]).flat(),
    );
  });

  it("chooses a mode from a list, and completes the names of commands", async () => {
    await using client = await openInteractive({ script: "settings" });
    const { terminal } = client;
    await terminal.until(/scripted-agent · Ask me/);
    terminal.type(`/mode${keys.enter}`);
    await terminal.until(/❯ Ask me ✓\n {2}By itself/);
    terminal.type(keys.down);
    await terminal.until(/❯ By itself/);
    terminal.type(keys.enter);
    await terminal.until(/scripted-agent · By itself/);
    terminal.type("/mo");
    await terminal.until(/❯ \/mode +choose the mode\n {2}\/model/);
    terminal.type(keys.tab);
    await terminal.until(/^❯ \/mode$/m);
    terminal.type(keys.enter);
    await terminal.until(/❯ By itself ✓/);
    terminal.type(keys.escape);
    await terminal.until(/^❯$/m);
    await client.ask("/review file.ts");
    await terminal.until(/^Done by myself\.$/m);
  });

  it("brings back what was asked in an earlier conversation", async () => {
    await using first = await openInteractive({ script: "queue" });
    await first.ask("One");
    await first.terminal.until(/^First answer\.$/m);
    const { home } = first.terminal;
    await using second = await openInteractive({ script: "queue", env: { HOME: home } });
    second.terminal.type(keys.up);
    await second.terminal.until(/^❯ One$/m);
  });

  it("takes a paste as text, whatever is in it", async () => {
    await using client = await openInteractive({ script: "cancel" });
    const { terminal } = client;
    terminal.type("\u001b[200~Next\rthing\u001b[201~");
    await terminal.until(/❯ Next\n {2}thing/);
  });
});
