import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { dailyAgent, openInteractive } from "./interactive.js";
import { keys } from "./pseudo-terminal.js";

// Each starts two programs from their sources, at least.
vi.setConfig({ testTimeout: 90_000 });

describe.each(["1", "2"])("conversations, in version %s", (version) => {
  const args = ["--protocol", version];

  it.each(["/new", "/clear"])(
    "defect P6: %s begins a new one on an empty screen, and nothing is lost",
    async (name) => {
      const agent = [...dailyAgent, await createFolder()];
      await using client = await openInteractive({ agent, args });
      const { terminal } = client;
      await client.ask("first words");
      await terminal.until(/^Heard: first words$/m);
      await client.ask(name);
      await terminal.until((screen) => !screen.includes("first words") && /^❯$/m.test(screen));
      expect(terminal.screen().findIndex((line) => line.startsWith("─"))).toBeLessThan(4);
      await client.ask("second words");
      await terminal.until(/^Heard: second words$/m);
      expect(await client.quit()).toBe(0);
      expect(terminal.transcript().match(/^Heard: .*$/gm)).toEqual(["Heard: first words", "Heard: second words"]);
    },
  );

  it("defect P16: /resume lists those of this folder first, filters them, and shows the chosen one", async () => {
    const sessions = await createFolder();
    const agent = [...dailyAgent, sessions];
    const elsewhere = await createFolder();
    await using other = await openInteractive({ agent, args, cwd: elsewhere });
    await other.ask("words of another folder");
    await other.terminal.until(/^Heard: words of another folder$/m);
    expect(await other.quit()).toBe(0);
    await using client = await openInteractive({ agent, args, cwd: await createFolder() });
    const { terminal } = client;
    for (const text of ["fix the parser", "explain the lexer"]) {
      await client.ask(text);
      await client.heard(text);
      await client.ask("/new");
      await terminal.until((screen) => !screen.includes(text));
    }
    await client.ask("/resume");
    const list = await terminal.until(/Conversations[\s\S]*fix the parser[\s\S]*words of another folder +\/[^\n]*/);
    expect(list).toMatch(/now {2}explain the lexer\n/);
    expect(list.indexOf("fix the parser")).toBeLessThan(list.indexOf("words of another folder"));
    terminal.type("PARS");
    await terminal.until(/Conversations {2}containing “PARS”\n❯ +now {2}fix the parser\n/);
    terminal.type(keys.enter);
    await terminal.until(/^❯ fix the parser\n\nHeard: fix the parser\n\n─/m);
    await client.ask("/resume another folder");
    await terminal.until(/containing “another folder”\n❯ +now {2}words of another folder/);
    terminal.type(keys.enter);
    await terminal.until(/^Heard: words of another folder\n\n─/m);
    await client.ask("and here");
    await terminal.until(/^Heard: and here$/m);
    expect(await client.quit()).toBe(0);
    const [, command = ""] = /To continue this session: (turnkit [\s\S]*)/.exec(terminal.transcript()) ?? [];
    expect(command.replaceAll("\n", "")).toContain(` --cwd ${elsewhere} `);
  });
});

it("defect P6: a conversation that cannot be opened leaves the current one as it is", async () => {
  const sessions = await createFolder();
  await using client = await openInteractive({ agent: [...dailyAgent, sessions] });
  const { terminal } = client;
  await client.ask("first");
  await client.heard("first");
  const kept = new Set(await readdir(sessions));
  await client.ask("/new");
  await client.ask("second");
  await client.heard("second");
  await client.ask("/resume first");
  await terminal.until(/❯ +now {2}first/);
  for (const name of kept) await rm(join(sessions, name), { recursive: true });
  terminal.type(keys.enter);
  await terminal.until(/✗ Session \S+ was not restored/);
  await client.ask("wait");
  await terminal.until(/^Heard: wait$/m);
  await client.ask("/new");
  await terminal.until(/The agent works\. Esc cancels its work\.\n*$/);
  terminal.type(keys.escape);
  await terminal.until(/■ Cancelled\.[\s\S]*^❯ \/new$/m);
  expect(terminal.transcript().match(/^Heard: .*$/gm)).toEqual(["Heard: first", "Heard: second", "Heard: wait"]);
});

it("an agent without a list of conversations is reported as such", async () => {
  await using client = await openInteractive({ agent: dailyAgent, args: ["--protocol", "1"] });
  await client.ask("/resume");
  await client.terminal.until(/✗ The agent cannot list its conversations\.[\s\S]*^❯$/m);
});
