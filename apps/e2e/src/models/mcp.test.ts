import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Dialect, seedDialect, v1Dialect, v2Dialect } from "@turnkit/client";
import type { McpServer } from "@turnkit/session";
import { spawnChannel } from "@turnkit/transport/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { calls, said, startCodingAgent } from "./coding-agent.js";
import { call, say } from "./step.js";

/** The file that a reference server is started from: next to its manifest, since it has no entry for others. */
const startFile = (manifest: string): string => join(dirname(fileURLToPath(manifest)), "dist/index.js");
const everything = startFile(import.meta.resolve("@modelcontextprotocol/server-everything/package.json"));
const filesystem = startFile(import.meta.resolve("@modelcontextprotocol/server-filesystem/package.json"));

const stdio = (name: string, args: readonly string[]): McpServer => ({
  type: "stdio",
  name,
  command: process.execPath,
  args,
  env: [],
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The server "everything" over HTTP, once it listens; gives its URL. */
async function startHttpServer(): Promise<string> {
  const port = await freePort();
  let listens = () => {};
  const listening = new Promise<void>((resolve) => {
    listens = resolve;
  });
  const channel = await spawnChannel([process.execPath, everything, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    graceMs: 200,
    onStderr: (text) => text.includes(String(port)) && listens(),
  });
  onTestFinished(() => channel.close());
  channel.start({ message: () => {}, invalidLine: () => {} });
  await listening;
  return `http://127.0.0.1:${port}/mcp`;
}

const dialects: readonly (readonly [string, Dialect])[] = [
  ["v1", v1Dialect],
  ["v2", v2Dialect],
  ["seed", seedDialect],
];

describe.each(dialects)("the MCP reference servers, through the agent over %s", (_, dialect) => {
  it("V1-SESS-17 V2-SES-30: are used by the model over stdio and http in one turn", async () => {
    const url = await startHttpServer();
    const { client, folder, server } = await startCodingAgent({
      dialects: [dialect],
      script: [
        [call("files__list_directory", { path: "." }), call("remote__get-sum", { a: 40, b: 2 })],
        [call("local__echo", { message: "and over stdio" })],
        [say("Done.")],
      ],
    });
    await writeFile(join(folder, "note.txt"), "x");
    const session = await client.newSession({
      cwd: folder,
      mcpServers: [
        stdio("files", [filesystem, folder]),
        stdio("local", [everything]),
        { type: "http", name: "remote", url, headers: [] },
      ],
    });
    expect(await session.prompt("Try them.").ended).toMatchObject({ stopReason: "end_turn" });
    expect(said(session.state)).toBe("Done.");
    const [first, second, third] = server.requests;
    expect(first?.tools).toEqual(
      expect.arrayContaining(["read_file", "files__write_file", "local__echo", "remote__get-sum"]),
    );
    expect(second?.results[0]).toContain("note.txt");
    expect(second?.results[1]).toContain("42");
    expect(third?.results[0]).toBe("Echo: and over stdio");
    for (const shown of calls(session.state)) expect(shown).toMatch(/: completed$/);
  });

  it("that fail are told to the user, and the session works", async () => {
    const { client, folder } = await startCodingAgent({ dialects: [dialect], script: [[say("Hello.")]] });
    const session = await client.newSession({
      cwd: folder,
      mcpServers: [{ type: "stdio", name: "missing", command: "/no/such/server", args: [], env: [] }],
    });
    expect(await session.prompt("Hi").ended).toMatchObject({ stopReason: "end_turn" });
    const notices = [...session.state.timeline].filter((entry) => entry.type === "notice");
    const received = [said(session.state), ...notices.map(({ title, description }) => `${title}: ${description}`)];
    expect(received.join("\n")).toMatch(/The MCP server missing cannot be used: [\s\S]*no such file/);
    expect(said(session.state)).toContain("Hello.");
  });
});
