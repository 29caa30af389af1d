import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder, scriptedAgent, turnkit } from "./turnkit.js";

/** `${NAME}`, as it stands in a file. */
const variable = (name: string) => ["$", `{${name}}`].join("");

const files = { command: "/bin/sh", args: ["--root", "/work"], env: { KEY: variable("MCP_KEY") } };
const web = { type: "http", url: "https://example.org/mcp", headers: { "X-Key": "k" } };

/** A machine with settings of its own, and a project. */
function setUp() {
  const [config, state, cwd] = [createFolder(), createFolder(), createFolder()];
  const env = { XDG_CONFIG_HOME: config, XDG_STATE_HOME: state, MCP_KEY: "from-env" };
  const mcp = (...args: string[]) => turnkit(["mcp", ...args], { cwd, env });
  const ask = (scene: string) =>
    turnkit(["Go", "--output", "quiet", "--", ...scriptedAgent(scene)], { cwd, env, stdin: "" });
  const project = (servers: object) =>
    writeFileSync(join(cwd, ".mcp.json"), typeof servers === "string" ? servers : JSON.stringify(servers));
  return { file: join(config, "turnkit", "mcp.json"), cwd, env, mcp, ask, project };
}

describe("MCP servers of the user", () => {
  it("are added once, reach every session, are listed without secrets, and are removed", async () => {
    const { file, mcp, ask } = setUp();
    const added = await mcp("add", "files", "--env", `KEY=${variable("MCP_KEY")}`, "--", "/bin/sh", "--root", "/work");
    expect(added).toMatchObject({ code: 0, stderr: "" });
    await mcp("add", "web", "--url", "https://example.org/mcp", "--header", "X-Key=k");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ mcpServers: { files, web } });
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await ask("servers")).toMatchObject({ code: 0, stdout: "Got them.\n", stderr: "" });
    const { stdout } = await mcp("list");
    expect(stdout).toContain(`files: $ KEY=${variable("MCP_KEY")} /bin/sh --root /work`);
    expect(stdout).toContain("web: http https://example.org/mcp with X-Key=•••");
    expect(await mcp("add", "web", "--url", "https://x.example")).toMatchObject({ code: 2 });
    expect(await mcp("remove", "web", "files")).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ mcpServers: {} });
    expect(await mcp("remove", "web")).toMatchObject({ code: 2, stderr: expect.stringContaining("no MCP server web") });
  });

  it("defect P80: that a file switches off are listed as such, and need no trust of the project", async () => {
    const { mcp, ask, project } = setUp();
    project({ mcpServers: { off: { command: "x", disabled: true } } });
    expect((await mcp("list")).stdout).toContain("off: $ x (disabled)");
    expect(await ask("talk")).toMatchObject({ code: 0, stderr: "" });
  });

  it("defect P54: with a wrong URL are refused, and one that cannot start now is noted", async () => {
    const { file, mcp } = setUp();
    for (const url of ["notaurl", "example.org/mcp", "ftp://example.org", "http://"]) {
      const { code, stderr } = await mcp("add", "x", "--url", url);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `turnkit: mcp add: ${url} is not a complete URL of http or https.\n`,
      });
    }
    expect(await mcp("add", "later", "--url", `https://${variable("NOT_SET")}/mcp`)).toMatchObject({
      code: 0,
      stderr: `turnkit: It cannot start now. ${file}: later: the environment variable NOT_SET is not set.\n`,
    });
    const absent = await mcp("add", "none", "--", "/no/such-program");
    expect(absent).toMatchObject({ code: 0, stderr: expect.stringContaining("there is no program /no/such-program") });
  });

  it("that the agent or this machine cannot use are left out, each with a line that says why", async () => {
    const { file, ask } = setUp();
    const absent = { command: "/bin/sh", env: { A: variable("NOT_SET") } };
    const servers = { web, old: { ...web, type: "sse" }, none: { command: "/no/such-program" }, absent };
    mkdirSync(join(file, ".."));
    writeFileSync(file, JSON.stringify({ mcpServers: servers }));
    const { code, stdout, stderr } = await ask("talk");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Hello.\n\nDone.\n" });
    expect(stderr.trimEnd().split("\n")).toEqual([
      `turnkit: ${file}: none: there is no program /no/such-program outside of the project. This MCP server is left out.`,
      `turnkit: ${file}: absent: the environment variable NOT_SET is not set. This MCP server is left out.`,
      "turnkit: The MCP server web is left out: scripted supports no MCP servers over http.",
      "turnkit: The MCP server old is left out: scripted supports no MCP servers over sse.",
    ]);
  });

  it("in a broken file end the run before the agent starts", async () => {
    const { file, ask } = setUp();
    mkdirSync(join(file, ".."));
    writeFileSync(file, "{");
    expect(await ask("talk")).toMatchObject({ code: 2, stderr: expect.stringContaining("is not valid JSON") });
  });
});

describe("the .mcp.json of a project", () => {
  it("is used after trust, and again only after trust when it has changed", async () => {
    const { mcp, ask, project } = setUp();
    project({ mcpServers: { files, web } });
    const asked = await ask("talk");
    expect(asked.stderr).toMatch(/\.mcp\.json is not trusted, so its 2 MCP servers are left out\. To decide: .* trust/);
    const { stdout } = await mcp("trust", "--yes");
    // All that would run or be sent, as the file has it.
    expect(stdout).toContain(`files: $ KEY=${variable("MCP_KEY")} /bin/sh --root /work`);
    expect(stdout).toContain("web: http https://example.org/mcp with X-Key=k");
    expect(await ask("servers")).toMatchObject({ code: 0, stdout: "Got them.\n", stderr: "" });
    project({ mcpServers: { files: { ...files, args: ["-c", "evil"] } } });
    expect((await ask("talk")).stderr).toMatch(/is not trusted.* The file has changed since you decided\./);
    await mcp("distrust");
    expect(await ask("talk")).toMatchObject({ code: 0, stderr: "" });
  });

  it("cannot look like other lines of the question", async () => {
    const { mcp, project } = setUp();
    project({ mcpServers: { a: { command: "/bin/sh", args: ["x\n    b: $ /bin/true", "\u001b[2K"] } } });
    expect((await mcp("trust", "--yes")).stdout).toContain('a: $ /bin/sh "x\\n    b: $ /bin/true" "\\u001b[2K"\n');
  });

  it.each([
    ["{", /is not valid JSON/],
    [JSON.stringify({ mcpServers: { a: { command: "x".repeat(30_000) } } }), /is larger than 20000 bytes/],
    [JSON.stringify(Array.from({ length: 51 }, (_, n) => ({ name: `${n}`, command: "x" }))), /at most 50 MCP servers/],
    [{ mcpServers: { a: 1 } }, /mcpServers\.a must be an object/],
  ])("that is broken is left out with a reason: %#", async (servers, reason) => {
    const { ask, project } = setUp();
    project(servers as object);
    const { code, stderr } = await ask("talk");
    expect(code).toBe(0);
    expect(stderr).toMatch(reason);
    expect(stderr).toMatch(/Its MCP servers are left out\.\n$/);
  });

  it("that is a link is left out", async () => {
    const { cwd, ask } = setUp();
    symlinkSync("/dev/zero", join(cwd, ".mcp.json"));
    expect((await ask("talk")).stderr).toMatch(/\.mcp\.json is a link.*left out/);
  });

  it("has no say about a name that the user has", async () => {
    const { mcp, ask, project } = setUp();
    await mcp("add", "files", "--env", `KEY=${variable("MCP_KEY")}`, "--", "/bin/sh", "--root", "/work");
    project({ mcpServers: { files: { command: "/bin/sh", args: ["other"] }, web } });
    await mcp("trust", "--yes");
    expect(await ask("servers")).toMatchObject({ code: 0, stdout: "Got them.\n" });
  });
});
