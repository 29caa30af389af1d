import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { createFolder } from "../interop/folder.js";
import { codingAgent, turnkit } from "../interop/programs.js";
import { type ProgramEnd, runProgram } from "../interop/running-program.js";
import { startListeningAgent, token } from "./listening-agent.js";
import { startScriptedServer } from "./scripted-server.js";

/** Runs our client with the token, in an empty folder or that one. */
async function runClient(
  args: readonly string[],
  { env = { TURNKIT_TOKEN: token }, cwd = "" } = {},
): Promise<ProgramEnd> {
  const folder = cwd === "" ? await createFolder() : cwd;
  const state = await createFolder();
  return runProgram([...turnkit, ...args], {
    cwd: folder,
    env: { XDG_CONFIG_HOME: state, XDG_STATE_HOME: state, ...env },
  });
}

/** Returns a port on which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

describe("turnkit --url, with turnkit-agent --listen", () => {
  it("sends one prompt over HTTP and WebSocket, in both versions, and traces it without the token", async () => {
    const { url, http } = await startListeningAgent();
    const trace = join(await createFolder(), "wire.jsonl");
    const profiles = [
      [url, "1", ["--trace", trace]],
      [url, "2", []],
      [http, "1", []],
      [http, "2", []],
    ] as const;
    const ends = await Promise.all(
      profiles.map(([address, version, more]) =>
        runClient(["--url", address, "--protocol", version, "--output", "json", "-p", "/help", ...more]),
      ),
    );
    for (const [at, { code, stdout, stderr }] of ends.entries()) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const { text, protocol, agent } = JSON.parse(stdout);
      expect({ protocol, agent: agent.name }).toEqual({ protocol: `v${profiles[at]?.[1]}`, agent: "turnkit-agent" });
      expect(text).toContain("/review");
    }
    const traced = await readFile(trace, "utf8");
    expect(traced).toContain("session/prompt");
    expect(traced).not.toContain(token);
  });

  it("continues the latest session, lists it, and passes the doctor", async () => {
    const sessions = await createFolder();
    const { url } = await startListeningAgent(["--model", "reviewer", "--sessions", sessions], { agent: codingAgent });
    const cwd = await createFolder();
    const first = await runClient(["--url", url, "--output", "json", "-p", "/help"], { cwd });
    const { sessionId } = JSON.parse(first.stdout);
    const [again, listed, doctor] = await Promise.all([
      runClient(["--url", url, "--continue", "--output", "json", "-p", "/help"], { cwd }),
      runClient(["sessions", "list", "--url", url, "--json"], { cwd }),
      runClient(["doctor", "--no-turn", "--url", url, "--json"]),
    ]);
    expect(JSON.parse(again.stdout)).toMatchObject({ exitCode: 0, sessionId, restored: "replayed" });
    expect(JSON.parse(listed.stdout).sessions).toMatchObject([{ sessionId, cwd }]);
    const { checks, ...report } = JSON.parse(doctor.stdout);
    expect(report).toMatchObject({ command: [url], problems: 0 });
    const resultOf = (wanted: string) => checks.find(({ id }: { id: string }) => id === wanted)?.result;
    // A remote agent has no stdin and no stderr here.
    expect([resultOf("own-reports"), resultOf("ACP-SHUTDOWN-001")]).toEqual(["untested", undefined]);
    expect([resultOf("ACP-SESSION-001"), resultOf("TKR-INIT-01")]).toEqual(["fine", "fine"]);
  });

  it("says that a token is wrong, and that nobody listens, over both", async () => {
    const { url, http } = await startListeningAgent();
    const wrong = { env: { TURNKIT_TOKEN: "another-token-of-nobody" } };
    const nobody = `127.0.0.1:${await freePort()}`;
    const ends = await Promise.all([
      ...[url, http].map((address) => runClient(["--url", address, "Hello you"], wrong)),
      ...[`ws://${nobody}`, `http://${nobody}`].map((address) => runClient(["--url", address, "Hello you"])),
    ]);
    expect(ends.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
    const texts = ends.map(({ stderr }) => stderr);
    for (const text of texts.slice(0, 2))
      expect(text).toMatch(/refused the token\. Use the token that it printed at its start\. .*TURNKIT_TOKEN/);
    for (const text of texts.slice(2)) expect(text).toMatch(/127\.0\.0\.1:\d+\/ cannot be reached\.\n.*ECONNREFUSED/s);
    expect(texts.join("")).not.toContain("another-token-of-nobody");
  });
});

describe("turnkit --url, on the wire", () => {
  const run = async (args: readonly string[]) => {
    const server = await startScriptedServer(({ about, frame, sessionId }) => {
      if (about === "session/new") server.send(undefined, { id: frame.id, result: { sessionId: "s-1" } });
      if (about === "session/prompt") server.send(sessionId, { id: frame.id, result: { stopReason: "end_turn" } });
      return undefined;
    });
    const state = await createFolder();
    await mkdir(join(state, "turnkit"));
    const servers = { mcpServers: { mine: { url: "https://mcp.example.org", headers: { authorization: "secret" } } } };
    await writeFile(join(state, "turnkit", "mcp.json"), JSON.stringify(servers));
    const cwd = await createFolder({ "a.ts": "const one = 1;\n" });
    const { code, stderr } = await runClient(["--url", server.url, "--protocol", "1", ...args, "Explain @a.ts"], {
      env: { TURNKIT_TOKEN: token, XDG_CONFIG_HOME: state } as never,
      cwd,
    });
    // This server ends a turn without any text.
    expect({ code, stderr }).toEqual({ code: 0, stderr: "turnkit: The agent ended its turn without any text.\n" });
    const [hello, opened, asked] = [
      await server.ask("POST initialize"),
      await server.ask("POST session/new"),
      await server.ask("POST session/prompt s-1"),
    ];
    const { clientCapabilities: capabilities } = hello.frame.params;
    return { hello, capabilities, opened: opened.frame.params, prompt: asked.frame.params.prompt, cwd };
  };

  it("offers a remote agent no files, terminals and terminal logins, and sends it no MCP servers of this machine", async () => {
    const { hello, capabilities, opened, prompt, cwd } = await run(["--cwd", "/srv/project"]);
    expect(hello.headers.authorization).toBe(`Bearer ${token}`);
    expect(capabilities.fs ?? {}).not.toMatchObject({ readTextFile: true });
    expect(capabilities.fs ?? {}).not.toMatchObject({ writeTextFile: true });
    expect([capabilities.terminal ?? false, capabilities.auth?.terminal ?? false]).toEqual([false, false]);
    expect(opened).toEqual({ cwd: "/srv/project", mcpServers: [] });
    // The person attaches files of this machine.
    expect(prompt).toMatchObject([{ type: "text" }, { uri: pathToFileURL(join(cwd, "a.ts")).href }]);
  });

  it("--share offers them, within --read-only", async () => {
    const { capabilities } = await run(["--share", "--read-only"]);
    expect(capabilities).toMatchObject({ fs: { readTextFile: true }, terminal: true });
    expect(capabilities.fs.writeTextFile ?? false).toBe(false);
    expect(capabilities.auth?.terminal ?? false).toBe(false);
  });
});
