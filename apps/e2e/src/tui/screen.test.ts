import { describe, expect, it, vi } from "vitest";
import { runSource } from "../process/source.js";
import { piecesOfARound } from "./chatty-text.js";
import { openInteractive } from "./interactive.js";
import { keys } from "./pseudo-terminal.js";

// Each starts two programs from their sources, at least.
vi.setConfig({ testTimeout: 90_000 });

const lastLines = (text: string, count: number) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .slice(-count);

describe("the screen", () => {
  it("shows what is folded on a screen of its own, and comes back to where it was", async () => {
    await using client = await openInteractive({ script: "fold" });
    const { terminal } = client;
    await client.ask("Think");
    const before = await terminal.until(/6 lines \(Ctrl-O[\s\S]*… 32 more lines[\s\S]*^That is all\.\n\n─+\n❯$/m);
    terminal.type(keys.ctrlO);
    await terminal.until(/▸ ✻ Thought[\s\S]*▸ ✓ search List[\s\S]*Transcript 4\/4/);
    terminal.type(keys.up);
    await terminal.until(/Transcript 3\/4/);
    terminal.type(keys.enter);
    await terminal.until(/▾ ✓ search List[\s\S]*│ match/);
    terminal.type(`a${keys.home}`);
    await terminal.until(/▾ ✻ Thought\n +Thought number 0\.\n +Thought number 1\./);
    terminal.resize(70, 20);
    await terminal.until(/Thought number 5[\s\S]*Transcript 1\//);
    terminal.resize(80, 24);
    terminal.type(keys.escape);
    await terminal.until((screen) => screen === before);
  });

  it("is drawn anew when the terminal gets narrower or wider, without traces of what was there", async () => {
    await using client = await openInteractive({ script: "hello" });
    const { terminal, gates } = client;
    await client.ask("Hi there, this is a prompt that needs more room than a narrow terminal has");
    await terminal.until(/^Hello the$/m);
    terminal.resize(40, 24);
    await terminal.until(/^Hello the\n\n● Working.*\n─{40}\n❯\nscripted-agent/m);
    gates.open("more");
    const narrow = await terminal.until(/^Hello there, and good day\.\n\n─{40}\n❯\nscripted-agent +\/ commands$/m);
    expect(narrow.match(/Hello/g)).toHaveLength(1);
    expect(narrow.match(/─+/g)).toHaveLength(1);
    terminal.resize(100, 30);
    const wide = await terminal.until(/^Hello there, and good day\.\n\n─{100}\n❯\nscripted-agent/m);
    expect(wide.match(/─+/g)).toHaveLength(1);
    expect(lastLines(wide, 3)[2]).toMatch(/Shift-Tab mode$/);
  });

  it("has no colours where NO_COLOR says so, and works the same", async () => {
    await using client = await openInteractive({ script: "hello", env: { NO_COLOR: "1" } });
    const { terminal, gates } = client;
    gates.open("more");
    await client.ask("Hi");
    await terminal.until(/^Hello there, and good day\.\n\n─+\n❯$/m);
    for (let y = 0; y < terminal.terminal.rows; y += 1) {
      const line = terminal.terminal.buffer.active.getLine(y);
      for (let x = 0; x < 80; x += 1) {
        const cell = line?.getCell(x);
        expect([cell?.isFgDefault(), cell?.isBgDefault(), cell?.isBold(), cell?.isDim()]).toEqual([true, true, 0, 0]);
      }
    }
  });

  it("is drawn now and then while thousands of pieces stream in, and nothing of them is lost", async () => {
    const chunks = 5000;
    const agent = [...runSource(new URL("./chatty-agent-main.ts", import.meta.url)), String(chunks)];
    await using client = await openInteractive({ agent });
    const { terminal } = client;
    await client.ask("Go");
    await terminal.until(/Working/);
    await terminal.until((screen) => !screen.includes("Working"));
    const headings = terminal.transcript().match(/^## Part \d+$/gm);
    expect(headings).toEqual(Array.from({ length: Math.ceil(chunks / piecesOfARound) }, (_, n) => `## Part ${n}`));
    expect(terminal.transcript().match(/const value14 = /g)).toHaveLength(Math.floor(chunks / piecesOfARound));
    expect(terminal.frames).toBeLessThan(chunks / 10);
    expect(terminal.clears).toBe(0);
  });

  it("loses no lines where the terminal changes its size, or is drawn anew, while text streams in", async () => {
    const chunks = 5000;
    const agent = [...runSource(new URL("./chatty-agent-main.ts", import.meta.url)), String(chunks)];
    await using client = await openInteractive({ agent });
    const { terminal } = client;
    await client.ask("Go");
    await terminal.until(/Working/);
    for (const part of [2, 4, 6, 8]) {
      await terminal.until(
        (screen) => Number(/## Part (\d+)$/m.exec(screen)?.[1]) >= part || !screen.includes("Working"),
      );
      if (part % 4 === 0) terminal.resize(90 + part, 30);
      else terminal.type("\u000c");
    }
    await terminal.until((screen) => !screen.includes("Working"));
    const seen = new Set(terminal.transcript().match(/^## Part \d+$/gm));
    expect(seen.size).toBe(Math.ceil(chunks / piecesOfARound));
  });

  it("is not the agent's to write on: nothing is moved, hidden, renamed or put on the clipboard", async () => {
    await using client = await openInteractive({ script: "hostile" });
    const { terminal } = client;
    const titles: string[] = [];
    terminal.terminal.onTitleChange((title) => titles.push(title));
    await client.ask("Hi");
    const screen = await terminal.until(/bank \(https:\/\/evil\.example\)\n\n─/);
    expect(screen).toContain("❯ Hi\n\nclean <U+202E>kcab␇ text\n\n✓ read a␛[8mb␊fake\n\nbank");
    // All titles are of turnkit itself, which names the folder.
    expect(titles.filter((title) => !/^(?:◐ )?e2e-\w+ – turnkit$/.test(title))).toEqual([]);
  });

  it("ends with the terminal, and the agent with it", async () => {
    await using client = await openInteractive({ script: "hello" });
    const { terminal, gates } = client;
    await client.ask("Hi");
    await terminal.until(/^Hello the$/m);
    terminal.hangUp();
    expect(await terminal.exited).toBe(130);
    await gates.left;
  });

  it("defect P10: stays when the agent dies, says why, and keeps the draft", async () => {
    await using client = await openInteractive({ script: "death" });
    const { terminal } = client;
    await client.ask("Hi");
    await terminal.until(/^I am g$[\s\S]*✗ The agent has ended: [\s\S]*Enter starts it again/m);
    terminal.type("a draft");
    await terminal.until(/^❯ a draft$/m);
    expect(await client.quit()).toBe(1);
    expect(terminal.transcript()).toMatch(/❯ Hi\n\nI am g[\s\S]*turnkit: The agent has ended/);
  });
});
