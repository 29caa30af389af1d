import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { processDeath } from "@turnkit/testing/node";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createFolder, createToolContext } from "../../test/tool-context.js";
import type { HookConfig, ProjectPart } from "../config/project-part.js";
import { commandEnvironment } from "../tools/command-environment.js";
import { defineTool, type Tool } from "../tools/tool.js";
import { createHooks } from "./hooks.js";

const node = (script: string) => `${process.execPath} ${script}`;

/** Tool that only counts its calls. */
function counter() {
  const calls: unknown[] = [];
  const tool = defineTool({
    name: "edit_file",
    description: "",
    input: z.object({ path: z.string() }),
    parallel: false,
    open: (input) => ({
      start: { title: "Edit" },
      run: async () => ({ type: "text", value: `done ${calls.push(input)}` }) as const,
    }),
  });
  return { calls, tool };
}

async function setUp(hooks: NonNullable<ProjectPart["hooks"]>, { mayRun = true } = {}) {
  const scripts = await createFolder();
  const { cwd, turn, context, use } = await createToolContext();
  const { calls, tool } = counter();
  const runs: unknown[] = [];
  const made = createHooks({
    ...{
      sessionId: "one",
      cwd,
      env: commandEnvironment(process.env, { distrusted: [] }),
      sandbox: context.sandbox,
      signal: turn.signal,
    },
    parts: [{ hooks }, {}],
    mayRun: () => mayRun,
    onRun: () => runs.push(0),
  });
  const [wrapped] = made.around([tool]) as [Tool];
  const script = async (name: string, text: string) => writeFile(join(scripts, name), text);
  return {
    cwd,
    scripts,
    script,
    turn,
    calls,
    runs,
    hooks: made,
    call: () => use(wrapped, { path: "a.ts" }),
    wrapped,
  };
}

/** Creates hooks whose script is `text`, in a folder of its own. */
async function withScript(
  text: string,
  make: (hook: HookConfig) => NonNullable<ProjectPart["hooks"]>,
  more: Partial<HookConfig> = {},
  options = {},
) {
  const path = join(await createFolder(), "hook.mjs");
  await writeFile(path, text);
  return { path, ...(await setUp(make({ run: node(path), ...more }), options)) };
}

const readInput = `import { readFileSync, writeFileSync } from "node:fs"; const input = JSON.parse(readFileSync(0, "utf8"));`;

describe("P16 hooks: before a call", () => {
  it("get the call as JSON, and let it go on", async () => {
    const { cwd, call, calls, turn, runs } = await withScript(
      `${readInput} writeFileSync("seen.json", JSON.stringify(input));`,
      (hook) => ({ beforeTool: [hook] }),
    );
    expect(await call()).toEqual({ type: "text", value: "done 1" });
    expect(JSON.parse(await readFile(join(cwd, "seen.json"), "utf8"))).toEqual({
      ...{ sessionId: "one", cwd, event: "beforeTool" },
      tool: { name: "edit_file", input: { path: "a.ts" } },
    });
    expect([calls.length, turn.calls.length, runs.length]).toEqual([1, 1, 1]);
  });

  it.each([
    ["fails", `console.error("not this file"); process.exit(2);`, /stopped this call: not this file$/],
    ["is killed", `process.kill(process.pid, "SIGKILL");`, /it was ended by SIGKILL/],
  ])("stop it if one %s, and the user and the model learn why", async (_, script, reason) => {
    const { call, calls, turn } = await withScript(script, (hook) => ({ beforeTool: [hook] }));
    await expect(call()).rejects.toThrow(reason);
    expect(calls).toEqual([]);
    expect(turn.calls.map(({ title, status }) => `${title?.slice(0, 5)} ${status}`)).toEqual([
      "Edit failed",
      "Hook: failed",
    ]);
    expect(JSON.stringify(turn.calls[0]?.content)).toMatch(/stopped this call/);
  });

  it("stop it if the program does not exist, and are not run for other tools or in the mode review", async () => {
    const missing = await setUp({ beforeTool: [{ run: "/no/such/program x" }] });
    await expect(missing.call()).rejects.toThrow(/could not be started/);
    const other = await setUp({ beforeTool: [{ run: "/no/such/program x", tools: ["run_*", "write_file"] }] });
    expect(await other.call()).toMatchObject({ value: "done 1" });
    const review = await setUp({ beforeTool: [{ run: "/no/such/program x" }] }, { mayRun: false });
    expect(await review.call()).toMatchObject({ value: "done 1" });
    expect(review.runs).toEqual([]);
  });
});

describe("P16 hooks: after a call, and at the end", () => {
  it("tell the model what they print, and the user too", async () => {
    const { call, turn } = await withScript(
      `${readInput} console.log("formatted", input.tool.input.path, input.tool.output);`,
      (hook) => ({ afterTool: [hook] }),
      { tools: ["edit_*"] },
    );
    expect(await call()).toMatchObject({
      value: expect.stringMatching(/^done 1\n\nThe hook `.*` says:\n```\nformatted a\.ts done 1\n```$/),
    });
    expect(turn.calls[1]).toMatchObject({
      title: expect.stringMatching(/^Hook: /),
      status: "completed",
      kind: "execute",
    });
  });

  it("do not undo the call if they fail", async () => {
    const { call, calls } = await withScript(`process.exit(3);`, (hook) => ({ afterTool: [hook] }));
    expect(await call()).toMatchObject({ value: expect.stringContaining("says (exit code 3)") });
    expect(calls).toHaveLength(1);
  });

  it("run at the end of a turn", async () => {
    const { cwd, hooks, turn } = await withScript(`${readInput} writeFileSync("end.json", input.event);`, (hook) => ({
      endOfTurn: [hook],
    }));
    await hooks.endTurn(turn);
    expect(await readFile(join(cwd, "end.json"), "utf8")).toBe("endOfTurn");
    expect(turn.calls).toEqual([]);
  });
});

describe("P16 hooks: bounds", () => {
  it("end at their time limit, with all their processes, and with little output", async () => {
    const text = `import { spawn } from "node:child_process";
      import { writeFileSync } from "node:fs";
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
      writeFileSync("pid", String(child.pid));
      process.stdout.write("x".repeat(1_000_000));
      setInterval(() => {}, 1000);`;
    const { cwd, hooks, turn } = await withScript(text, (hook) => ({ endOfTurn: [hook] }), { timeoutSeconds: 1 });
    await hooks.endTurn(turn);
    expect(turn.calls[0]).toMatchObject({ status: "failed" });
    const shown = JSON.stringify(turn.calls[0]?.content);
    expect(shown).toContain("it did not end within 1 s");
    expect(shown.length).toBeLessThan(11_000);
    const pid = Number(await readFile(join(cwd, "pid"), "utf8"));
    await processDeath(pid);
  });

  it("end with the turn, and get no key", async () => {
    const text = `import { writeFileSync } from "node:fs"; writeFileSync("env.json", JSON.stringify(process.env)); setInterval(() => {}, 1000);`;
    process.env.OPENAI_API_KEY = "sk-secret";
    const { cwd, call, turn } = await withScript(text, (hook) => ({ beforeTool: [hook] }));
    delete process.env.OPENAI_API_KEY;
    const running = call();
    running.catch(() => undefined);
    await expect.poll(() => existsSync(join(cwd, "env.json"))).toBe(true);
    turn.controller.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    expect(await readFile(join(cwd, "env.json"), "utf8")).not.toContain("sk-secret");
  });
});
