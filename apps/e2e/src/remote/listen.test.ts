import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { processDeath } from "@turnkit/testing/node";
import { describe, expect, it } from "vitest";
import { createFolder } from "../interop/folder.js";
import { turnkitAgent } from "../interop/programs.js";
import { runProgram } from "../interop/running-program.js";
import { startListeningAgent, token } from "./listening-agent.js";
import { RawHttp } from "./raw-http.js";
import { RawWebSocket } from "./raw-web-socket.js";

const headers = { Authorization: `Bearer ${token}` };

/** MCP server that tells its process id in a file, and ends neither with its stdin nor by SIGTERM. */
const stubbornServer = (file: string) => `
  require("node:fs").writeFileSync(${JSON.stringify(file)}, String(process.pid));
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1000);
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    const say = (result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
    if (method === "initialize") say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} },
      serverInfo: { name: "stubborn", version: "1" } });
    if (method === "tools/list") say({ tools: [] });
  });`;

describe("turnkit-agent --listen", () => {
  it("prints its address alone on stdout, a new token on stderr, and serves only who has the token", async () => {
    const agent = await startListeningAgent([], { env: {} });
    expect(agent.output.stdout).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/\n$/);
    await agent.printed("turnkit --url ws://", "stderr");
    const [, fresh = ""] = /TURNKIT_TOKEN=(\S{32}) turnkit --url/.exec(agent.output.stderr) ?? [];
    const hello = { id: 0, method: "initialize", params: { protocolVersion: 1 } };
    const raw = new RawHttp(agent.http);
    const tried = [{}, { Authorization: `Bearer ${fresh}x` }, { Authorization: `Bearer ${fresh}` }].map((one) =>
      raw.post(hello, one as Record<string, string>),
    );
    expect((await Promise.all(tried)).map(({ status }) => status)).toEqual([401, 401, 200]);
  });

  it.each([1, 2] as const)(
    "answers a prompt of version %i over a WebSocket, each connection by itself",
    async (version) => {
      const { url } = await startListeningAgent();
      const folder = await createFolder({ "a.ts": "const one = 1;\n" });
      const [one, other] = [await RawWebSocket.open(url, headers), await RawWebSocket.open(url, headers)];
      expect((await one.initialize(version)).result.protocolVersion).toBe(version);
      await other.initialize(version);
      one.send({ id: 1, method: "session/new", params: { cwd: folder, mcpServers: [] } });
      const { sessionId } = (await one.answer(1)).result;
      one.send({ id: 2, method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text: "/help" }] } });
      expect((await one.answer(2)).error).toBeUndefined();
      await one.next((frame) => JSON.stringify(frame).includes("/review"));
      other.send({ id: 2, method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text: "/help" }] } });
      expect((await other.answer(2)).error).toBeDefined();
    },
  );

  it("takes the token of a private file and does not print it; a file that others can read is refused", async () => {
    const file = join(await createFolder({ token: `${token}\n` }), "token");
    await chmod(file, 0o600);
    const agent = await startListeningAgent(["--token-file", file], { env: {} });
    const { status } = await new RawHttp(agent.http).post(
      { id: 0, method: "initialize", params: { protocolVersion: 1 } },
      headers,
    );
    expect(status).toBe(200);
    await agent.printed("Ctrl-C ends it", "stderr");
    expect(agent.output.stderr).not.toContain(token);
    await chmod(file, 0o644);
    const refused = await runProgram([...turnkitAgent, "--listen", "127.0.0.1:0", "--token-file", file], { cwd: "/" });
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(`chmod 600 ${file}`) });
  });

  it("ends by Ctrl-C within its bound: clients learn it, and no process of the agent is left", async () => {
    const agent = await startListeningAgent(["--trust"]);
    const raw = await RawWebSocket.open(agent.url, headers);
    await raw.initialize();
    const cwd = await createFolder();
    const received = join(cwd, "pid");
    const server = { name: "stubborn", command: process.execPath, args: ["-e", stubbornServer(received)], env: [] };
    raw.send({ id: 1, method: "session/new", params: { cwd, mcpServers: [server] } });
    const { sessionId } = (await raw.answer(1)).result;
    raw.prompt(sessionId, 2);
    await raw.answer(2);
    const pid = Number(await readFile(received, "utf8"));
    const before = performance.now();
    agent.kill("SIGINT");
    expect(await raw.closed).toMatchObject({ code: 1001 });
    expect(await agent.ended).toMatchObject({ code: 0, signal: null });
    expect(performance.now() - before).toBeLessThan(4_500);
    await processDeath(pid);
  });

  it.each([
    [["--listen", "0.0.0.0:0", "--no-token"], /--no-token is for 127\.0\.0\.1/],
    [["--listen", "192.0.2.1:0"], /--listen: 192\.0\.2\.1:0 cannot be used: .*EADDRNOTAVAIL/],
  ])("refuses %j with advice", async (args, advice) => {
    const refused = await runProgram([...turnkitAgent, ...args], { cwd: await createFolder() });
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(advice) });
  });
});
