import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { allowOnce, v1Dialect } from "@turnkit/client";
import { childEnvironment, launchWith } from "@turnkit/client/node";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { codingAgent, turnkit } from "../interop/programs.js";
import { PseudoTerminal } from "../tui/pseudo-terminal.js";
import { createProject, said } from "./coding-agent.js";
import { createModelServer, type Script } from "./model-server.js";
import { call, fail, say } from "./step.js";

const manifest = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/package.json"));
const everything = join(dirname(manifest), "dist/index.js");

// Each test starts two programs.
vi.setConfig({ testTimeout: 60_000 });

/** Environment of a user with this `agent.json`, and with keys. */
async function environment(config: object, values: Record<string, string> = {}) {
  const home = await createProject({ "turnkit/agent.json": JSON.stringify(config) });
  return childEnvironment({ values: { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, ...values } });
}

type Run = { readonly env: object; readonly cwd: string; readonly command: readonly [string, ...string[]] };

/** Runs a program without a terminal. */
async function run({ command: [program, ...args], env, cwd }: Run) {
  const child = spawn(program, args, { cwd, env: env as NodeJS.ProcessEnv, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { stdout, stderr, code };
}

/** Model server, and an environment in which the agent uses it as a provider of this type. */
async function configured(type: string, script: Script, values: Record<string, string> = {}) {
  const server = await createModelServer(script);
  onTestFinished(() => server.close());
  const providers = { [type]: { baseURL: server.url } };
  return { server, env: await environment({ model: `${type}/coder`, retries: { attempts: 1 }, providers }, values) };
}

describe("defect P15: turnkit-agent by itself", () => {
  it("uses the .mcp.json of a trusted project", async () => {
    const { server, env } = await configured("lmstudio", () => [say("Hello.")]);
    const local = { command: process.execPath, args: [everything] };
    const cwd = await createProject({ ".mcp.json": JSON.stringify({ mcpServers: { local } }) });
    const ask = () => run({ command: [...codingAgent, "--trust", "Hi"], env, cwd });
    expect((await ask()).stderr).toContain(".mcp.json is not trusted");
    expect(server.requests[0]?.tools).not.toContain("local__echo");
    await run({ command: [...turnkit, "mcp", "trust", "--yes"], env, cwd });
    expect(await ask()).toMatchObject({ code: 0, stderr: "" });
    expect(server.requests[1]?.tools).toContain("local__echo");
  });

  it("says on a terminal what it is and what to do, and ends", async () => {
    await using terminal = await PseudoTerminal.open({
      command: codingAgent,
      cwd: await createProject({}),
      columns: 100,
    });
    expect(await terminal.exited).toBe(0);
    const screen = terminal.screen().join("\n");
    for (const known of [
      "turnkit-agent is a coding agent",
      'turnkit-agent "fix the tests"',
      "turnkit-agent login",
      "--help",
    ]) {
      expect(screen).toContain(known);
    }
    expect(screen).not.toContain("jsonrpc");
  });

  it.each([
    ["a word each", ["What", "is", "there?"]],
    ["-p", ["-p", "What is there?"]],
  ])("answers a prompt and ends: %s", async (_, words) => {
    const cwd = await createProject({ "a.txt": "hello\n" });
    const { server, env } = await configured(
      "openai",
      [[call("read_file", { path: "a.txt" })], [say("It says hello.")]],
      { OPENAI_API_KEY: "sk-1" },
    );
    const { stdout, stderr, code } = await run({ command: [...codingAgent, "--trust", ...words], env, cwd });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("It says hello.");
    expect(server.requests[0]?.prompt).toBe("What is there?");
    expect(server.requests[1]?.results.join()).toContain("hello");
  });

  it("hands the options of the run to turnkit, and its own to the agent", async () => {
    const cwd = await createProject({});
    const { server, env } = await configured(
      "openai",
      [[call("run_command", { command: "echo hi" })], [say("Done.")]],
      {
        OPENAI_API_KEY: "sk-1",
      },
    );
    const words = ["--output", "json", "--permissions", "deny", "--model", "openai/other", "Run it"];
    const { stdout } = await run({ command: [...codingAgent, "--trust", ...words], env, cwd });
    expect(JSON.parse(stdout)).toMatchObject({ stopReason: "end_turn" });
    expect(server.requests[0]?.model).toBe("other");
    expect(server.requests[1]?.results.join()).toContain("denied");
  });
});

describe("defect P2: no dead end", () => {
  it("without a key, the first answer says so with commands to copy, and only the first", async () => {
    const env = await environment({});
    const client = await launchWith([v1Dialect], codingAgent, { info: { name: "new", version: "1" }, env });
    onTestFinished(() => client.close());
    const session = await client.newSession({ cwd: await createProject({}) });
    await session.prompt("Fix the bug").ended;
    expect(said(session.state)).toContain("No language model is set up");
    expect(said(session.state)).toContain("`turnkit-agent login anthropic`");
    const before = said(session.state).length;
    await session.prompt("/help").ended;
    const help = said(session.state).slice(before);
    expect(help).toContain("`turnkit-agent login`");
    expect(help).not.toContain("No language model is set up");
    const model = session.state.configOptions?.find(({ configId }) => configId === "model");
    expect(model?.description).toContain("`turnkit-agent login`");
  });

  it("defect P30: one prompt without a key fails with the exit code of an early end", async () => {
    const cwd = await createProject({});
    const { code, stderr } = await run({
      command: [...codingAgent, "--trust", "Fix the bug"],
      env: await environment({}),
      cwd,
    });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("refus") });
  });

  it("an Ollama of this machine is offered, and answers when it is chosen", async () => {
    const models = [{ name: "qwen3:32b" }, { name: "llama4" }];
    const server = await createModelServer([[say("I am local.")]], { "/api/tags": { models } });
    onTestFinished(() => server.close());
    const env = await environment({ providers: { ollama: { baseURL: server.url } } });
    const info = { name: "new", version: "1" };
    const client = await launchWith([v1Dialect], codingAgent, { info, env, permissions: allowOnce });
    onTestFinished(() => client.close());
    const session = await client.newSession({ cwd: await createProject({}) });
    await session.setConfigOption("model", "ollama/qwen3:32b");
    await session.prompt("Who are you?").ended;
    expect(said(session.state)).toBe("I am local.");
    expect(server.requests.map(({ model }) => model)).toEqual(["qwen3:32b"]);
  });

  it("one-shot keeps the advice of an agent whose key is missing", async () => {
    const { env } = await configured("anthropic", []);
    const cwd = await createProject({});
    const command = [...turnkit, "-p", "Hello", "--", ...codingAgent] as const;
    const { stderr, code } = await run({ command, env, cwd });
    expect(stderr).toContain("Anthropic needs a key: set ANTHROPIC_API_KEY, or run `turnkit-agent login anthropic`.");
    expect(stderr).not.toContain("nothing");
    expect(code).toBe(4);
  });

  it.each([
    ["of the environment", { ANTHROPIC_API_KEY: "sk-old" }, "Set another key in ANTHROPIC_API_KEY"],
    ["that was stored", {}, "Store another key with `turnkit-agent login anthropic`"],
  ])("a key %s that is refused: the provider's reason, and what to do", async (_, values, advice) => {
    const { env } = await configured("anthropic", [fail(401, "invalid x-api-key")], values);
    if (Object.keys(values).length === 0) {
      const child = spawn(codingAgent[0], [...codingAgent.slice(1), "login", "anthropic"], {
        env: env as NodeJS.ProcessEnv,
      });
      child.stdin.end("sk-stored\n");
      await once(child, "close");
    }
    const command = [...turnkit, "-p", "Hello", "--", ...codingAgent, "--trust"] as const;
    const { stderr, code } = await run({ command, env, cwd: await createProject({}) });
    expect(stderr).toContain("Anthropic answered 401: invalid x-api-key.");
    expect(stderr).toContain(advice);
    expect(stderr).not.toContain("nothing");
    expect(code).toBe(4);
  });
});
