import { expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { turnkit } from "../interop/programs.js";
import { runSource } from "../process/source.js";
import { createGateServer } from "./gate-server.js";
import { PseudoTerminal } from "./pseudo-terminal.js";

// It starts two programs from their sources.
vi.setConfig({ testTimeout: 90_000 });

it("what was typed before a question stood there is no answer to it", async () => {
  await using gates = await createGateServer();
  const agent = [...runSource(new URL("./scripted-agent-main.ts", import.meta.url)), "late question", `${gates.port}`];
  await using terminal = await PseudoTerminal.open({
    command: [...turnkit, "-p", "Fix it", "--", ...agent],
    cwd: await createFolder(),
  });
  await terminal.until(/I look\./);
  terminal.type("1\r");
  // The terminal itself shows it, since nobody reads yet.
  await terminal.until(/I look\.1/);
  gates.open("ask");
  await terminal.until(/2\) Leave it[\s\S]*Your choice[^\n]*:\s*$/);
  terminal.type("2\r");
  await terminal.until(/→ Leave it[\s\S]*Then not\./);
  expect(await terminal.exited).toBe(6); // a permission was denied
});
