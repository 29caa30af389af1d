import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createToolContext } from "../../test/tool-context.js";
import { runCommandTool } from "../tools/run-command.js";
import { explainLinux } from "./explain.js";
import type { SandboxMode } from "./sandbox.js";
import { type Sandbox, type SandboxCommand, SandboxError } from "./sandbox.js";
import { createSandboxChoice } from "./sandbox-choice.js";

type Case = { readonly mode?: SandboxMode; readonly network?: boolean; readonly found?: Partial<Sandbox> | string };

/** Creates a session with a sandbox that is the test, or with the reason for its absence. */
async function setUp({ mode = "auto", network = false, found = {} }: Case) {
  const wrapped: SandboxCommand[] = [];
  const missing: string[] = [];
  const sandbox: Sandbox = {
    wrap: async (command) => {
      wrapped.push(command);
      return { argv: command.argv, finish: async () => [] };
    },
    explain: explainLinux,
    ...(typeof found === "string" ? {} : found),
  };
  const open = async () => (typeof found === "string" ? { reason: found } : { sandbox });
  const context = await createToolContext({
    sandbox: () => createSandboxChoice({ mode, network, open, onMissing: (reason) => missing.push(reason) }),
  });
  const run = (input: object) => context.textOf(runCommandTool, { command: "touch here", ...input });
  const asked = () => context.turn.questions.map(({ options }) => options?.[0]?.name);
  return { ...context, wrapped, missing, run, asked, ran: () => existsSync(join(context.cwd, "here")) };
}

it("defect P27: a Git command that writes and fails without a message names the sandbox", async () => {
  const { state, run } = await setUp({});
  state.mode = "auto";
  for (const command of ["git stash --no-such-flag", "git add --no-such-flag", "cd . && git tag --no-such-flag"])
    expect(await run({ command })).toContain("The sandbox forbids writing to .git, which");
  expect(await run({ command: "git log --no-such-flag" })).not.toContain("sandbox");
});

describe("defect S18: where there is no sandbox", () => {
  it("the mode auto asks, and the question and one notice say why", async () => {
    const { state, run, asked, missing, ran } = await setUp({ found: "bubblewrap (bwrap) is not installed" });
    state.mode = "auto";
    await run({});
    await run({ outside_sandbox: true });
    expect(asked()).toEqual(Array(2).fill("Run it (not sandboxed: bubblewrap (bwrap) is not installed)"));
    expect([missing, ran()]).toEqual([["bubblewrap (bwrap) is not installed"], true]);
  });

  it("the choice require runs nothing, and says why", async () => {
    const { state, run, asked, ran } = await setUp({ mode: "require", found: "bubblewrap (bwrap) is not installed" });
    state.mode = "auto";
    await expect(run({})).rejects.toThrow(
      "The command was not run: the agent runs commands only in a sandbox, but bubblewrap (bwrap) is not installed.",
    );
    expect([asked(), ran()]).toEqual([[], false]);
  });

  it("a failure of the search counts as none", async () => {
    const choice = createSandboxChoice({
      mode: "auto",
      network: false,
      open: () => Promise.reject(new Error("it broke")),
      onMissing: () => undefined,
    });
    expect(await choice.place({ network: false })).toMatchObject({ name: "not sandboxed: it broke" });
  });
});

describe("where there is a sandbox", () => {
  it("the mode auto asks nothing, and ask shows the place", async () => {
    const { state, run, asked, wrapped } = await setUp({});
    await run({});
    state.mode = "auto";
    await run({});
    expect(asked()).toEqual(["Run it (sandboxed, no network)"]);
    expect(wrapped.map(({ network }) => network)).toEqual([false, false]);
  });

  it("the network is a question, unless the user allowed it for all", async () => {
    const one = await setUp({});
    one.state.mode = "auto";
    await one.run({ network: true });
    expect([one.asked(), one.wrapped[0]?.network]).toEqual([["Run it (sandboxed, with network)"], true]);
    const all = await setUp({ network: true });
    all.state.mode = "auto";
    await all.run({});
    expect([all.asked(), all.wrapped[0]?.network]).toEqual([[], true]);
  });

  it("a command outside of it is always a question, and never runs with require", async () => {
    const { state, run, asked, wrapped, turn } = await setUp({});
    state.mode = "auto";
    turn.answer = () => "allow_once";
    await run({ outside_sandbox: true });
    await run({ outside_sandbox: true });
    expect(asked()).toEqual(Array(2).fill("Run it (not sandboxed: the model asks to run it outside of the sandbox)"));
    expect(wrapped).toEqual([]);
    const strict = await setUp({ mode: "require" });
    await expect(strict.run({ outside_sandbox: true })).rejects.toThrow(/only in a sandbox/);
    expect([strict.asked(), strict.ran()]).toEqual([[], false]);
  });

  it("a command that cannot be confined is asked about again, and never runs with require", async () => {
    const wrap = () => Promise.reject(new SandboxError("/p holds more than 200000 files"));
    const { state, run, asked, ran } = await setUp({ found: { wrap } });
    state.mode = "auto";
    await run({});
    expect([asked(), ran()]).toEqual([["Run it (not sandboxed: /p holds more than 200000 files)"], true]);
    const strict = await setUp({ mode: "require", found: { wrap } });
    await expect(strict.run({})).rejects.toThrow(/holds more than/);
    expect(strict.ran()).toBe(false);
  });

  it("off uses none, and asks in the mode auto", async () => {
    const { state, run, asked, wrapped, missing } = await setUp({ mode: "off" });
    state.mode = "auto";
    await run({});
    expect([asked(), wrapped, missing]).toEqual([["Run it (not sandboxed: the sandbox is off)"], [], []]);
  });

  it("the model and the user learn which limit a failed command has met, and what was taken back", async () => {
    const note = "The command created .envrc, which is protected: it has another name.";
    const { turn, run } = await setUp({
      found: { wrap: async ({ argv }) => ({ argv, finish: async () => [note] }) },
    });
    const text = await run({ command: "echo 'x: Read-only file system' >&2; exit 1" });
    expect(text).toMatch(
      /Exit code 1\.\nThe command created .*\nThe sandbox forbids writing outside .* the user is asked\.$/,
    );
    expect(JSON.stringify(turn.calls[0]?.content)).toContain("The sandbox forbids writing");
    expect(JSON.stringify(turn.calls[0]?.content)).toContain(note);
  });
});

describe("explain", () => {
  it.each([
    ["curl: (6) Could not resolve host: example.com", /network/],
    ["Error: getaddrinfo EAI_AGAIN registry.npmjs.org", /network/],
    ["connect ENETUNREACH 1.2.3.4:443", /network/],
    ["touch: cannot touch '/x': Read-only file system", /writing outside/],
    ["EROFS: read-only file system, open '.git/index.lock'", /writing outside/],
    ["mv: cannot move 'sub': Device or resource busy", /renaming or removing/],
    ["Cannot connect to the Docker daemon at unix:///var/run/docker.sock", /other programs/],
    ["cat: .env: Permission denied", /secrets or a special right/],
  ])("recognises %s", (stderr, sentence) => {
    expect(explainLinux(stderr)).toMatch(sentence);
  });

  it("says nothing of other failures, and is quick on hostile output", () => {
    expect(explainLinux("AssertionError: 1 !== 2")).toBeUndefined();
    const began = performance.now();
    explainLinux("Read-only file syste".repeat(100_000));
    expect(performance.now() - began).toBeLessThan(200);
  });
});
