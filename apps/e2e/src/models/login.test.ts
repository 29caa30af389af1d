import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { spawn as spawnTerminal } from "@lydell/node-pty";
import { v1Dialect, v2Dialect } from "@turnkit/client";
import { childEnvironment, launchWith } from "@turnkit/client/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { codingAgent } from "../interop/programs.js";
import { createProject } from "./coding-agent.js";
import { createModelServer } from "./model-server.js";
import { say } from "./step.js";

const KEY = "sk-typed-by-a-person";

/** A person who configured a model of Anthropic's, at the stand-in, and has no key yet. */
async function keyless() {
  const server = await createModelServer(() => [say("Hello.")]);
  onTestFinished(() => server.close());
  const config = { model: "anthropic/claude", providers: { anthropic: { baseURL: server.url } } };
  const home = await createProject({ "turnkit/agent.json": JSON.stringify(config) });
  const env = childEnvironment({ values: { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home } });
  const start = async (dialect = v2Dialect, terminalLogin = true) => {
    const info = { name: "login-test", version: "1.0.0" };
    const client = await launchWith([dialect], codingAgent, { info, env, terminalLogin });
    onTestFinished(() => client.close());
    return client;
  };
  return { server, home, env, start };
}

/** Starts the agent once more, as a client does for a login on a terminal, and types this. */
async function logIn(args: readonly string[], env: Readonly<Record<string, string | undefined>>, typed: string) {
  const [program, ...before] = codingAgent;
  const child = spawn(program, [...before, ...args], { env: env as NodeJS.ProcessEnv });
  let shown = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      shown += chunk;
    });
  }
  child.stdin.end(typed);
  const [code] = await once(child, "close");
  return { code, shown };
}

describe.each([
  ["v1", v1Dialect],
  ["v2", v2Dialect],
])("a model whose key is missing, over %s", (_, dialect) => {
  it("asks for a login; a key that is typed in a terminal opens the door, and is nowhere but in its file", async () => {
    const { server, home, env, start } = await keyless();
    const before = await start(dialect);
    await expect(before.newSession({ cwd: home })).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining(
        "Anthropic needs a key: set ANTHROPIC_API_KEY, or run `turnkit-agent login anthropic`.",
      ),
    });
    const method = before.peer.authMethods.find(({ methodId }) => methodId === "anthropic-api-key");
    expect(method).toMatchObject({ type: "terminal", args: ["login", "anthropic"] });

    const { code, shown } = await logIn((method as unknown as { args: string[] }).args, env, `${KEY}\n`);
    expect(code).toBe(0);
    expect(shown).not.toContain(KEY);
    expect(JSON.parse(await readFile(join(home, "turnkit", "keys.json"), "utf8"))).toEqual({ anthropic: KEY });

    const after = await start(dialect);
    const session = await after.newSession({ cwd: home });
    expect(await session.prompt("Hi.").ended).toMatchObject({ stopReason: "end_turn" });
    expect(server.requests.map(({ key }) => key)).toEqual([KEY]);
    expect(JSON.stringify(session.state)).not.toContain(KEY);
  });
});

it("a login that is given no key ends with an error and stores nothing", async () => {
  const { env, home } = await keyless();
  expect(await logIn(["login", "anthropic"], env, "\n")).toMatchObject({
    code: 2,
    shown: expect.stringContaining("turnkit-agent: The input is not a key, so nothing was stored."),
  });
  await expect(readFile(join(home, "turnkit", "keys.json"))).rejects.toMatchObject({ code: "ENOENT" });
});

it("a logout forgets the key, and a client without terminals is offered no login", async () => {
  const { env, home, start } = await keyless();
  await logIn(["login", "anthropic"], env, `${KEY}\n`);
  const client = await start();
  await client.newSession({ cwd: home });
  await client.logout();
  await expect(readFile(join(home, "turnkit", "keys.json"))).rejects.toMatchObject({ code: "ENOENT" });
  await expect(client.newSession({ cwd: home })).rejects.toMatchObject({ code: -32000 });
  expect((await start(v2Dialect, false)).peer.authMethods).toEqual([]);
});

it("in a real terminal the key is not echoed, and the program ends by itself", async () => {
  const { home, env } = await keyless();
  const [program, ...args] = codingAgent;
  const terminal = spawnTerminal(program, [...args, "login"], {
    env: env as Record<string, string>,
    cols: 200,
    rows: 24,
  });
  let screen = "";
  const received = (text: string) => expect.poll(() => screen, { timeout: 15_000 }).toContain(text);
  const exited = new Promise<number>((resolve) => {
    terminal.onExit(({ exitCode }) => resolve(exitCode));
  });
  terminal.onData((data) => {
    screen += data;
  });
  await received("For which provider is the key? ");
  terminal.write("anthropic\r");
  await received("API key for anthropic");
  terminal.write(`${KEY}\r`);
  expect(await exited).toBe(0);
  await received("for you alone.");
  expect(screen).toContain("For which provider is the key? anthropic");
  expect(screen).not.toContain(KEY.slice(0, 5));
  expect(JSON.parse(await readFile(join(home, "turnkit", "keys.json"), "utf8"))).toEqual({ anthropic: KEY });
});
