import { describe, expect, it } from "vitest";
import { openInteractive } from "./interactive.js";
import { keys } from "./pseudo-terminal.js";

const lastLines = (text: string, count: number) => text.split("\n").filter((line) => line !== "").slice(-count);

describe("a conversation at the keyboard", () => {
  it("shows an answer while it streams, and leaves it in the terminal's history", async () => {
    await using client = await openInteractive({ script: "hello" });
    const { terminal, gates } = client;
    await client.ask("Hi there");
    await terminal.until(/^Hello the$[^]*● Working[^]*❯/m);
    gates.open("more");
    await terminal.until(/^Hello there, and good day\.\n\n─+\n❯$/m);
    expect(await client.quit()).toBe(0);
    expect(terminal.transcript()).toBe(
      "\n❯ Hi there\n\nHello there, and good day.\n\nTo go on with this session: --session s-1",
    );
  });

  it("answers a permission by keyboard, after its diff was seen", async () => {
    await using client = await openInteractive({ script: "permission" });
    const { terminal } = client;
    await client.ask("Fix it");
    await terminal.until(/May it\? Edit price\.ts[^]*-a = 1[^]*\+a = 2[^]*1\) Write it[^]*2\) Leave it/);
    terminal.type(keys.enter);
    terminal.type(keys.down);
    await terminal.until(/❯ 1\) Write it/);
    terminal.type("2");
    await terminal.until(/❯ 2\) Leave it/);
    terminal.type(keys.enter);
    const screen = await terminal.until(/^Then not\.\n\n─/m);
    expect(screen).toMatch(/\? Edit price\.ts → Leave it[^]*✗ edit Edit price\.ts {2}\S* *failed/);
  });

  it("lets somebody choose which of several questions to answer first", async () => {
    await using client = await openInteractive({ script: "two questions" });
    const { terminal } = client;
    await client.ask("Go");
    await terminal.until(/Run one[^]*1 of 2, Ctrl-N next/);
    terminal.type(keys.ctrlN);
    await terminal.until(/Run two[^]*1\) Yes, two/);
    terminal.type(`1${keys.enter}`);
    await terminal.until(/Run one[^]*1\) Yes, one/);
    terminal.type(`1${keys.enter}`);
    await terminal.until(/→ Yes, two[^]*→ Yes, one[^]*^❯$/m);
    await client.ask("And?");
    await terminal.until(/^Both\.$/m);
  });

  it("fills in a form of the agent", async () => {
    await using client = await openInteractive({ script: "form" });
    const { terminal } = client;
    await client.ask("Hi");
    await terminal.until(/Question of scripted-agent[^]*Who are you\?[^]*Name \*:/);
    terminal.type("Ada");
    await terminal.until(/❯ Name \*: Ada/);
    terminal.type(`${keys.tab}2`);
    await terminal.until(/❯ Colour: \( \) red {2}\(•\) green/);
    terminal.type(keys.enter);
    await terminal.until(/❯ Send/);
    terminal.type(keys.enter);
    await terminal.until(/Who are you\? → answered[^]*^Hello Ada\.$/m);
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
    await terminal.until(/■ Cancelled\.[^]*❯ Next\n {2}thing/);
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
    await terminal.until(/Answer 99/);
    await client.ask("Still there?");
    await terminal.until(/^I remember\.$/m);
    expect(terminal.transcript().match(/^(?:❯ Question|Answer) \d+$/gm)).toEqual(
      Array.from({ length: 100 }, (_, n) => [`❯ Question ${n}`, `Answer ${n}`]).flat(),
    );
  });

  it("chooses a mode from a list, and completes the names of commands", async () => {
    await using client = await openInteractive({ script: "settings" });
    const { terminal } = client;
    await terminal.until(/scripted-agent · Ask me/);
    terminal.type(keys.shiftTab);
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

describe("the screen", () => {
  it("shows what is folded on a screen of its own, and comes back to where it was", async () => {
    await using client = await openInteractive({ script: "fold" });
    const { terminal } = client;
    await client.ask("Think");
    const before = await terminal.until(/6 lines \(Ctrl-O[^]*… 32 more lines[^]*^That is all\.\n\n─+\n❯$/m);
    terminal.type(keys.ctrlO);
    await terminal.until(/▸ ✻ Thought[^]*▸ ✓ search List[^]*Transcript 4\/4/);
    terminal.type(keys.up);
    await terminal.until(/Transcript 3\/4/);
    terminal.type(keys.enter);
    await terminal.until(/▾ ✓ search List[^]*│ match/);
    terminal.type(`a${keys.home}`);
    await terminal.until(/▾ ✻ Thought\n +Thought number 0\.\n +Thought number 1\./);
    terminal.resize(70, 20);
    await terminal.until(/Thought number 5[^]*Transcript 1\//);
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
    const narrow = await terminal.until(/^Hello there, and good day\.\n\n─{40}\n❯\nscripted-agent$/m);
    expect(narrow.match(/Hello/g)).toHaveLength(1);
    expect(narrow.match(/─+/g)).toHaveLength(1);
    terminal.resize(100, 30);
    const wide = await terminal.until(/^Hello there, and good day\.\n\n─{100}\n❯\nscripted-agent/m);
    expect(wide.match(/─+/g)).toHaveLength(1);
    expect(lastLines(wide, 3)[2]).toMatch(/Ctrl-O transcript$/);
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

  it("is not the agent's to write on: nothing is moved, hidden, renamed or put on the clipboard", async () => {
    await using client = await openInteractive({ script: "hostile" });
    const { terminal } = client;
    const titles: string[] = [];
    terminal.terminal.onTitleChange((title) => titles.push(title));
    await client.ask("Hi");
    const screen = await terminal.until(/bank \(https:\/\/evil\.example\)\n\n─/);
    expect(screen).toContain("❯ Hi\n\nclean <U+202E>kcab␇ text\n\n✓ read a␛[8mb␊fake\n\nbank");
    expect(titles).toEqual([]);
  });

  it("goes away with the agent, and says why", async () => {
    await using client = await openInteractive({ script: "death" });
    const { terminal } = client;
    await client.ask("Hi");
    expect(await terminal.exited).toBe(1);
    expect(terminal.transcript()).toMatch(/❯ Hi\n\nI am g[^]*turnkit: The agent has ended/);
  });
});
