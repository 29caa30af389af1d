import { basename } from "node:path";
import { expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { dailyAgent, openInteractive } from "./interactive.js";

// Each starts two programs from their sources, at least.
vi.setConfig({ testTimeout: 90_000 });

it.each(["1", "2"])(
  "P16: in version %s, the title has the folder, then the agent's title, and is empty at the end",
  async (version) => {
    const cwd = await createFolder();
    await using client = await openInteractive({ agent: dailyAgent, args: ["--protocol", version], cwd });
    const { terminal } = client;
    expect(terminal.titles).toEqual([`${basename(cwd)} – turnkit`]);
    await client.ask("Fix it");
    await terminal.until(/Heard: Fix it/);
    await client.ask("hostile title");
    await terminal.until(/Heard: hostile title/);
    expect(await client.quit()).toBe(0);
    expect(terminal.titles).toContain("Fix it – turnkit");
    expect(terminal.titles).toContain("a␇␛]2;stolen␇␛\\b – turnkit");
    expect(terminal.titles.at(-1)).toBe("");
    expect(terminal.bells).toBe(0);
  },
);

it("P16: a question rings once, and the title has a mark while it is open", async () => {
  await using client = await openInteractive({ script: "one key" });
  const { terminal } = client;
  await client.ask("Test it");
  await terminal.until(/b\) No, because/);
  expect(terminal.bells).toBe(1);
  expect(terminal.titles.at(-1)).toMatch(/^\? .* – turnkit$/);
  terminal.type("y");
  await terminal.until(/^Ran\.$/m);
  expect(terminal.bells).toBe(1);
});

it("P16: variables switch the title and the bell off", async () => {
  const env = { TURNKIT_TITLE: "0", TURNKIT_BELL: "0" };
  await using client = await openInteractive({ script: "one key", env });
  await client.ask("Test it");
  await client.terminal.until(/b\) No, because/);
  expect({ bells: client.terminal.bells, titles: client.terminal.titles }).toEqual({ bells: 0, titles: [] });
});
