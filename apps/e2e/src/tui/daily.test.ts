import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { codingAgent, turnkit } from "../interop/programs.js";
import { createModelServer, type ModelServer } from "../models/model-server.js";
import { call, type Part, type ReceivedRequest, say } from "../models/step.js";
import { type Moment, nextSitting, sitting, story } from "./daily-script.js";
import { dense, play, type Size } from "./play.js";
import { keys, PseudoTerminal } from "./pseudo-terminal.js";

// Each starts two programs twice, from their sources.
vi.setConfig({ testTimeout: 120_000 });

/** Makes a door at which the stand-in waits. */
function createGate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

/** A model that answers by the prompt. At a gate, it waits for the test. */
function createStandIn(gates: readonly { readonly passed: Promise<void> }[]): Promise<ModelServer> {
  async function* tell(): AsyncGenerator<Part> {
    for (const [n, gate] of gates.entries()) {
      yield say(story.head(n));
      await gate.passed;
      yield say(story.tail(n));
    }
  }
  async function* wait(): AsyncGenerator<Part> {
    yield say("I wait ⏳ ");
    await createGate().passed;
  }
  const edit = (from: number) =>
    call("edit_file", { path: "price.ts", edits: [{ oldText: `a = ${from}`, newText: `a = ${from + 1}` }] });
  return createModelServer(({ prompt, results }: ReceivedRequest) => {
    if (results.at(-1)?.includes("a reason: it is mine")) return [say("You said why 🙏.")];
    if (results.length > 0) return [say(`Result: ${results.at(-1)?.slice(0, 60)} ✓`)];
    if (prompt.includes("Go on")) return [say("I heard why 🙏.")];
    if (prompt.includes("Edit")) return [say("I edit."), edit(prompt.includes("more") ? 2 : 1)];
    if (prompt.includes("Run")) return [say("I run."), call("run_command", { command: "echo tests-pass 🧪" })];
    if (prompt.includes("Tell")) return tell();
    if (prompt.includes("Wait")) return wait();
    if (prompt.includes("print?")) return [say(`It printed ${/from-the-shell 🐚/.exec(prompt)?.[0]}.`)];
    if (/línea|row/.test(prompt)) return [say(`I read ${prompt.trim().split("\n").length} lines.`)];
    return [say("Guten Tag 日本語 👩‍👩‍👧.")];
  });
}

it.each<Size>([
  [80, 24],
  [40, 20],
  [200, 60],
])("a day of 60 moments with both programs at %i × %i has each paragraph once in the history", async (...size) => {
  const gates = Array.from({ length: story.paragraphs }, createGate);
  const server = await createStandIn(gates);
  onTestFinished(() => server.close());
  const [home, cwd] = [await createFolder(), await createFolder({ "price.ts": "const a = 1;\n" })];
  const provider = { type: "openai-compatible", baseURL: server.url, keyVariable: "STAND_IN_KEY" };
  const providers = { "stand-in": { ...provider, models: { coder: { contextWindow: 100_000 }, other: {} } } };
  await mkdir(join(home, "turnkit"));
  await writeFile(join(home, "turnkit", "agent.json"), JSON.stringify({ model: "stand-in/coder", providers }));
  const env = { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, STAND_IN_KEY: "k", SHELL: "/bin/sh" };
  const sit = async (moments: readonly Moment[], ...args: readonly string[]) => {
    const [program = "", ...words] = [...turnkit, ...args, "--", ...codingAgent, "--trust"];
    const [columns, rows] = size;
    await using terminal = await PseudoTerminal.open({ command: [program, ...words], cwd, columns, rows, env });
    await terminal.until(/^❯/m);
    await play(terminal, moments, { size, onResize: (count) => gates[count]?.open() });
    terminal.type(keys.ctrlC);
    await terminal.until((screen) => dense(screen).includes("Ctrl-Cagain"));
    terminal.type(keys.ctrlC);
    expect(await terminal.exited).toBe(0);
    const shown = dense(terminal.transcript());
    const marks = gates.flatMap((_, n) => story.marks(n));
    expect(marks.map((mark) => `${mark} ${shown.split(mark).length - 1}`)).toEqual(marks.map((mark) => `${mark} 1`));
    expect(shown).not.toMatch(/●Working|linesabove/);
    expect(shown).toContain("Tocontinuethissession:turnkit--session");
  };
  expect(sitting.length + nextSitting.length).toBe(60);
  await sit(sitting);
  await sit(nextSitting, "--continue");
  expect(await readFile(join(cwd, "price.ts"), "utf8")).toBe("const a = 2;\n");
});
