import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UsageError } from "../exit-code.js";
import { readMcpServers } from "./read-servers.js";

let folder = "";
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "turnkit-mcp-")));
  await mkdir(join(folder, "bin"));
  await mkdir(join(folder, "repo", "bin"), { recursive: true });
  for (const name of ["mcp-files", "run", "x", "npx"]) await writeFile(join(folder, "bin", name), "", { mode: 0o755 });
  await writeFile(join(folder, "repo", "bin", "inner"), "", { mode: 0o755 });
});
afterAll(() => rm(folder, { recursive: true }));

async function read(...documents: readonly unknown[]) {
  const files = documents.map((_, index) => join(folder, `${index}.json`));
  await Promise.all(files.map((file, index) => writeFile(file, JSON.stringify(documents[index]))));
  const PATH = [".", "", join(folder, "repo", "bin"), join(folder, "bin")].join(":");
  const env = { PATH, TOKEN: "t", EMPTY: "", XDG_CACHE_HOME: join(folder, "cache") };
  return readMcpServers(files, { env, directory: join(folder, "repo") });
}

/** `${NAME}`, as it stands in a file. */
const variable = (name: string) => ["$", `{${name}}`].join("");

const stdio = {
  type: "stdio",
  name: "files",
  command: expect.stringMatching(/^\/.*\/bin\/mcp-files$/),
  args: [],
  env: [],
};

it.each([
  ["a server as the protocol writes it", { name: "files", command: "mcp-files", args: [], env: [] }, [stdio]],
  ["a list of them", [{ name: "files", command: "mcp-files" }], [stdio]],
  ["the form of editors", { mcpServers: { files: { command: "mcp-files", disabled: false } } }, [stdio]],
  [
    "http by its url alone, headers as an object",
    { mcpServers: { web: { url: "https://a.example/mcp", headers: { A: "b" } } } },
    [{ type: "http", name: "web", url: "https://a.example/mcp", headers: [{ name: "A", value: "b" }] }],
  ],
  [
    "sse, headers as pairs",
    { name: "old", type: "sse", url: "https://a.example/sse", headers: [{ name: "A", value: "b" }] },
    [{ type: "sse", name: "old", url: "https://a.example/sse", headers: [{ name: "A", value: "b" }] }],
  ],
  [
    "variables, and what stands for those that are not set",
    {
      name: "v",
      command: variable("MISSING:-run"),
      args: [`--x=${variable("EMPTY")}`],
      env: { KEY: `a-${variable("TOKEN")}` },
    },
    [
      {
        type: "stdio",
        name: "v",
        command: expect.stringMatching(/\/bin\/run$/),
        args: ["--x="],
        env: [{ name: "KEY", value: "a-t" }],
      },
    ],
  ],
])("reads %s", async (_, document, servers) => {
  expect(await read(document)).toEqual(servers);
});

it.each([
  [{ command: "x" }, /0\.json must be an object with a "name"\.$/],
  [{ mcpServers: { a: {} } }, /0\.json: mcpServers\.a must be an object with a "command" or a "url"\.$/],
  [{ mcpServers: { a: { type: "smoke", command: "x" } } }, /mcpServers\.a\.type must be stdio, http or sse\.$/],
  [
    { mcpServers: { a: { type: "http", url: "nowhere" } } },
    /0\.json: a: nowhere must be a complete URL of http or https\.$/,
  ],
  [{ mcpServers: { a: { command: "x", args: [1] } } }, /mcpServers\.a\.args\.0 must be a text\.$/],
  [
    { name: "a", command: "x", env: { K: variable("NOPE") } },
    /0\.json: a: the environment variable NOPE is not set\.$/,
  ],
  [
    { name: "a", command: "x", env: { K: variable("toString") } },
    /0\.json: a: the environment variable toString is not set\.$/,
  ],
])("%j is refused", async (document, message) => {
  const refused = read(document);
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toBeInstanceOf(UsageError);
});

describe("defect P80: a member of a server", () => {
  const server = { command: "x" };

  it.each([{ disabled: true }, { enabled: false }])("that switches it off is followed: %j", async (member) => {
    const servers = await read({
      mcpServers: { off: { ...server, ...member, cwd: "/" }, on: { ...server, disabled: false } },
    });
    expect(servers.map(({ name }) => name)).toEqual(["on"]);
  });

  it.each([
    [{ ...server, disabled: "true" }, /0\.json: mcpServers\.a\.disabled must be true or false\.$/],
    [{ comand: "x" }, /0\.json: mcpServers\.a\.comand is unknown\. Write "command"\.$/],
    [{ ...server, arg: ["y"] }, /0\.json: mcpServers\.a\.arg is unknown\. Write "args"\.$/],
    [{ ...server, cwd: "/elsewhere" }, /0\.json: a: the member "cwd" is not supported\./],
    [{ ...server, envFile: ".env" }, /0\.json: a: the member "envFile" is not supported\./],
  ])("that has no effect is refused: %j", async (entry, message) => {
    await expect(read({ mcpServers: { a: entry } })).rejects.toThrow(message);
  });

  it("of another program is ignored", async () => {
    const more = {
      timeout: 5,
      alwaysAllow: ["a"],
      autoApprove: [],
      description: "d",
      gallery: true,
      tools: {},
      trust: true,
    };
    expect(await read({ mcpServers: { a: { ...server, ...more } } })).toHaveLength(1);
  });

  it.each([{ mcp_servers: {} }, {}, { servers: { a: server } }])(
    "defect P81: a file that holds no servers is refused: %j",
    async (file) => {
      await expect(read(file)).rejects.toThrow(
        /0\.json must be an object with "mcpServers", or one server with a "name"/,
      );
    },
  );
});

it("two servers of one name are refused: the agent could not tell them apart", async () => {
  const server = { name: "a", command: "x" };
  await expect(read(server, server)).rejects.toThrow(/1\.json: there is another MCP server with the name a\.$/);
});

describe("defect S1: an MCP server of a package runner", () => {
  it("starts in an empty folder of turnkit, where a repository has no say", async () => {
    await mkdir(join(folder, "cache", "turnkit", "runner"), { recursive: true });
    await writeFile(join(folder, "cache", "turnkit", "runner", ".npmrc"), "registry=http://evil.example");
    const [server] = await read({
      mcpServers: { files: { command: "npx", args: ["-y", "s@1", variable("workspaceFolder")] } },
    });
    const runner = join(folder, "cache", "turnkit", "runner");
    expect(server).toMatchObject({
      command: "/bin/sh",
      args: ["-c", 'cd "$0" && exec "$@"', runner, join(folder, "bin", "npx"), "-y", "s@1", join(folder, "repo")],
    });
    expect(await readdir(runner)).toEqual([]);
  });

  it("defect S12: is never a program of the project, nor one of the folder that the agent is in", async () => {
    await expect(read({ name: "a", command: "inner" })).rejects.toThrow(/no program inner outside of the project/);
    await expect(read({ name: "a", command: "./inner" })).rejects.toThrow(/no program \/.*\/inner/);
  });
});
