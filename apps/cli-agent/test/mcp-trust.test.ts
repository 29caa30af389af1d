import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { McpServer } from "@turnkit/agent";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { namesProject } from "../src/mcp/project-text.js";
import { needsTrust } from "../src/mcp/server-start.js";
import { createMcpServers, type McpFailure } from "../src/mcp/servers.js";
import { commandEnvironment } from "../src/tools/command-environment.js";
import { findRipgrep } from "../src/tools/ripgrep.js";
import { StdioClient } from "./stdio-client.js";
import { createFolder } from "./tool-context.js";

/** Server in the bare protocol that first writes its folder and its arguments to a file. */
const script = (file: string) => `
  require("node:fs").writeFileSync(${JSON.stringify(file)}, JSON.stringify({ cwd: process.cwd(), env: process.env,
    files: require("node:fs").readdirSync(".") }));
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    const say = (result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
    if (method === "initialize") say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} },
      serverInfo: { name: "bare", version: "1" } });
    if (method === "tools/list") say({ tools: [{ name: "ping", inputSchema: { type: "object" } }] });
  });`;

const server = (command: string, args: readonly string[] = [], env: Record<string, string> = {}): McpServer => ({
  type: "stdio",
  name: "bare",
  command,
  args,
  env: Object.entries(env).map(([name, value]) => ({ name, value })),
});

const placeOf = (...roots: readonly [string, ...string[]]) => ({ cwd: roots[0], roots });

async function connect(servers: readonly McpServer[], cwd: string, isTrusted: boolean) {
  const failures: McpFailure[] = [];
  const mcp = createMcpServers({
    place: { cwd, roots: [cwd] },
    signal: new AbortController().signal,
    onFailure: (failure) => failures.push(failure),
  });
  onTestFinished(() => mcp.close());
  mcp.add(servers, async () => isTrusted);
  return { mcp, failures };
}

async function program(folder: string, name: string, file: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), `#!${process.execPath}\n${script(file)}`);
  await chmod(join(folder, name), 0o755);
  return join(folder, name);
}

async function setUp() {
  const [project, bin, state] = [await createFolder(), await createFolder(), await createFolder()];
  const received = join(await createFolder(), "told.json");
  vi.stubEnv("XDG_STATE_HOME", state);
  onTestFinished(() => void vi.unstubAllEnvs());
  return { project, bin, state, received, read: async () => JSON.parse(await readFile(received, "utf8")) };
}

describe("defect S13: an MCP server in a folder that nobody trusts", () => {
  it.each([
    [true, ["bare__ping"]],
    [false, []],
  ])("waits for the answer, and starts if it is %s", async (answer, tools) => {
    const { project, received } = await setUp();
    const { mcp, failures } = await connect([server(process.execPath, ["-e", script(received)])], project, false);
    expect(await mcp.needTrust()).toBe(true);
    expect([mcp.starting(), mcp.tools([]), existsSync(received)]).toEqual([[], [], false]);
    mcp.decide(answer);
    await mcp.ready();
    expect(mcp.tools([]).map(({ name }) => name)).toEqual(tools);
    expect(existsSync(received)).toBe(answer);
    expect(failures.map(({ reason }) => reason)).toEqual(answer ? [] : [expect.stringContaining("do not trust")]);
  });

  it("starts at once in a folder that is trusted, in that folder", async () => {
    const { project, received, read } = await setUp();
    const { mcp } = await connect([server(process.execPath, ["-e", script(received)])], project, true);
    expect(await mcp.needTrust()).toBe(false);
    await mcp.ready();
    expect((await read()).cwd).toBe(project);
  });

  it("keeps nobody waiting at the end of the session", async () => {
    const { project, received } = await setUp();
    const { mcp, failures } = await connect([server(process.execPath, ["-e", script(received)])], project, false);
    await mcp.needTrust();
    await mcp.close();
    expect([failures, existsSync(received)]).toEqual([[], false]);
  });

  it.each([
    [server("npx", ["-y", "some-server"]), false],
    [server("npx", ["-y", "some-server", "--port=80"], { KEY: "x", MODE: "a,b" }), false],
    [{ type: "http", name: "a", url: "https://example.com" } as McpServer, false],
    [server("node", ["-e", "1"]), true],
    [server("./server"), true],
    [server("npx", ["-y", "./tool.js"]), true],
    [server("npx", ["-y", "some-server", "--config=tool.js"]), true],
    [server("npx", ["-y", "some-server", "sub/../tool.js"]), true],
    [server("npx", ["-y", "some-server", "."]), true],
    [server("npx", ["-y", "some-server"], { CONFIG: "tool.js" }), true],
    [server("npx", ["-y", "some-server"], { NODE_OPTIONS: "--require x" }), true],
    [server("npx", ["-y", "some-server"], { npm_config_registry: "http://x.example" }), true],
    [server("sh", ["-c", "npx -y some-server"], { LD_PRELOAD: "x" }), true],
    [server("npm", ["run", "x"]), true],
  ])("is known by what it names: %j %s", async (given, expected) => {
    const { project } = await setUp();
    await writeFile(join(project, "tool.js"), "");
    expect(await needsTrust(given, placeOf(project))).toBe(expected);
    if (given.type !== "stdio") return;
    const named = {
      ...given,
      args: given.args?.map((word) => (word === "./tool.js" ? join(project, "tool.js") : word)),
    };
    expect(await needsTrust(named, placeOf(project))).toBe(expected);
  });

  it.each([
    ...[
      ["npx", "-c", "node $P/tool.js"],
      ["npx", "--call", "x"],
      ["npx", "--call=node $P/tool.js"],
      ["npx", "-yc", "x"],
    ],
    ...[
      ["npx", "-y", "file:$P/pk"],
      ["npx", "-y", "file://$P/pk"],
      ["npx", "-y", "pk@file:$P/pk"],
      ["npx", "-y", "u/r"],
    ],
    ...[
      ["npx", "-y", "git+file://$P"],
      ["npx", "-y", "--prefix", "$P", "x"],
      ["npx", "-y", "@x/s@file:$P/pk"],
    ],
    ...[
      ["npx", "-y", "x", "file:///$P/tool.js"],
      ["npx", "-y", "x", "--cfg:$P/tool.js"],
      ["npx", "-y", "x.tgz"],
    ],
    ...[
      ["npx", "-y", "x", '{"c":"$P/tool.js"}'],
      ["npx", "-y", "x", "-r$P/tool.js"],
      ["npx", "-y", "x", "-rtool.js"],
    ],
    ...[
      ["npx", "-y", "x", "$P/%74ool.js"],
      ["npx", "-y", "x", "file://localhost$P/tool.js"],
      ["npx", "--package=x", "y"],
    ],
    ...[
      ["npx", "-y", "x", "$%50"],
      ["npx", "-y", "x", "$P/../other/.//"],
      ["npx", "-y", "x", "--cfg:tool.js"],
    ],
    ...[
      ["uvx", "--from", "pk @ file://$P/pk", "b"],
      ["uvx", "--with-editable", "$P", "x"],
      ["uvx", "--python=./x", "y"],
    ],
    ...[["sh", "-c", "cd $P && npx x"], ["env", "FOO=1", "npx", "x"], ["node", "x"], ["python", "-c", "1"], ["npx"]],
    ...[
      ["sh", "-c", "npx -y x"],
      ["npm", "exec", "-c", "x"],
      ["pnpm", "dlx", "link:x"],
      ["npx", "-y", "x", "LINK/tool.js"],
    ],
    ...[
      ["npx", "-y", "x", "$P%2Ftool.js"],
      ["npx", "-y", "x", "%2525"],
      ["npx", "-y", "x", "a".repeat(5_000)],
    ],
  ])("needs trust if it could reach a file of the project: %s %s %s %s", async (command = "", ...args) => {
    const { project } = await setUp();
    await writeFile(join(project, "tool.js"), "");
    await writeFile(join(project, "%"), "");
    const link = join(await createFolder(), "link");
    await symlink(project, link);
    const encoded = [...project].map((char) => `%${char.charCodeAt(0).toString(16)}`).join("");
    const filled = args.map((word) =>
      word.replaceAll("$P", project).replaceAll("$%50", encoded).replaceAll("LINK", link),
    );
    expect(await needsTrust(server(command, filled), placeOf(project))).toBe(true);
  });

  it.each([
    ["npx", "-y", "@scope/some-server@1.2.3", "--port", "80", "https://example.com/a?b=c"],
    ["npx", "some-server@latest", "/usr/share"],
    ["uvx", "--from", "some-server==1.0", "tool", "--verbose"],
    ["uvx", "some-server[extra]@1.0"],
    ["pnpm", "dlx", "some-server"],
    ["/usr/bin/npx", "-y", "some-server"],
  ])("needs no trust for a package of a registry: %s %s %s", async (command = "", ...args) => {
    const { project } = await setUp();
    const env = { API_KEY: "a/b", LOG_LEVEL: "debug", RETRIES: "3" };
    expect(await needsTrust(server(command, args, env), placeOf(project))).toBe(false);
    expect(await needsTrust(server(command, args, { ...env, UNKNOWN: "x" }), placeOf(project))).toBe(true);
    expect(await needsTrust(server(command, [...args, `${project}-2`]), placeOf(project))).toBe(false);
  });

  it.each(["$P/tool.js", "--config=$P/tool.js", "tool.js"])(
    "defect S54: needs trust if it names a file of another root: %s",
    async (word) => {
      const { project } = await setUp();
      const other = await createFolder();
      await writeFile(join(other, "tool.js"), "");
      const named = server("npx", ["-y", "some-server", word.replace("$P", other)]);
      expect(await needsTrust(named, placeOf(project))).toBe(false);
      expect(await needsTrust(named, placeOf(project, other))).toBe(true);
    },
  );

  it("is compared with the project, without the case of letters on macOS and Windows", async () => {
    const { project } = await setUp();
    const upper = `x:${project.toUpperCase()}/a`;
    expect(await namesProject(upper, project, "darwin")).toBe(true);
    expect(await namesProject(upper.replaceAll("/", "\\"), project, "win32")).toBe(true);
    expect(await namesProject(upper, project, "linux")).toBe(false);
  });

  it("is asked about once by the whole agent, and never with --trust", async () => {
    const { project, state, received } = await setUp();
    const questions: string[] = [];
    const answers = {
      "session/request_permission": ({ toolCall }: Record<string, unknown>) => {
        questions.push((toolCall as { title: string }).title);
        return { outcome: { outcome: "selected", optionId: "allow_always" } };
      },
    };
    const visit = async (...args: string[]) => {
      const client = new StdioClient(answers, { args: ["--no-sessions", ...args], env: { XDG_STATE_HOME: state } });
      await client.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
      const mcpServers = [{ name: "bare", command: process.execPath, args: ["-e", script(received)], env: [] }];
      const { sessionId } = await client.request<{ sessionId: string }>("session/new", { cwd: project, mcpServers });
      await client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "/help" }] });
      await client.close();
    };
    await visit("--trust");
    expect(questions).toEqual([]);
    await visit();
    await visit();
    expect(questions).toEqual([expect.stringContaining(`Trust ${project}?`)]);
    expect(existsSync(received)).toBe(true);
  });
});

describe("defect S1: an MCP server that a package runner starts", () => {
  it.each([["npx"], ["uvx"], ["env"]])(
    "starts in a private empty folder, also behind another program: %s",
    async (name) => {
      const { project, bin, state, received, read } = await setUp();
      await program(bin, name, received);
      await writeFile(join(project, ".npmrc"), "registry=http://evil.example");
      vi.stubEnv("PATH", bin);
      const args = name === "env" ? ["npx", "-y", "a"] : ["-y", "a"];
      const { mcp } = await connect([server(name, args)], project, name === "env");
      await mcp.ready();
      const { cwd, files } = await read();
      expect([cwd.startsWith(join(state, "turnkit")), files]).toEqual([true, []]);
      await mcp.close();
      await vi.waitFor(async () => expect(await readdir(join(cwd, ".."))).toEqual([]));
    },
  );

  it.each(["", "bin", "node_modules/.bin"])("is not taken from the project: %j", async (inside) => {
    const { project, bin, received, read } = await setUp();
    await mkdir(join(project, ".git"));
    await mkdir(join(project, "sub"));
    const evil = join(await createFolder(), "evil.json");
    for (const name of ["npx", "rg", "tool"]) await program(join(project, inside), name, evil);
    for (const name of ["npx", "tool"]) await program(bin, name, received);
    const PATH = [join(project, inside), ".", "", inside, bin].join(delimiter);
    vi.stubEnv("PATH", PATH);
    for (const one of [server("npx", ["-y", "a"]), server("tool")]) {
      const { mcp } = await connect([one], join(project, "sub"), true);
      await mcp.ready();
      expect([existsSync(evil), (await read()).env.PATH]).toEqual([false, bin]);
      await mcp.close();
    }
    expect(await findRipgrep([join(project, "sub")])).toBeUndefined();
    expect(commandEnvironment({ PATH }, { distrusted: [join(project, "sub")] }).PATH).toBe(bin);
  });
});
