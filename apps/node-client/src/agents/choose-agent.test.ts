import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { knownAgents } from "@turnkit/client/agents";
import { findProgram, safeEnvironment } from "@turnkit/transport/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UsageError } from "../exit-code.js";
import { readAgentTable } from "./agent-table.js";
import { chooseAgent as choose } from "./choose-agent.js";
import { listAgents } from "./list-agents.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnkit-agents-"));
  await mkdir(join(folder, "bin"));
  await mkdir(join(folder, "bin", "goose")); // a folder is no program
  for (const name of ["opencode", "claude-agent-acp", "npx", "mine"]) await install(name, 0o755);
  await install("qwen", 0o644);
});
afterAll(() => rm(folder, { recursive: true }));

const bin = (name: string) => join(folder, "bin", name);
/** Chooses an agent for a session outside of the folder with the programs. */
const chooseAgent = (wish: Parameters<typeof choose>[0], env: NodeJS.ProcessEnv) =>
  choose(wish, env, join(folder, "elsewhere"));

const install = (name: string, mode: number) =>
  writeFile(join(folder, "bin", name), "").then(() => chmod(join(folder, "bin", name), mode));

/** An environment with these programs, and with this `agents.json`. */
async function environment(agents?: unknown): Promise<NodeJS.ProcessEnv> {
  const config = await mkdtemp(join(folder, "config-"));
  if (agents !== undefined) {
    await mkdir(join(config, "turnkit"));
    const text = typeof agents === "string" ? agents : JSON.stringify(agents);
    await writeFile(join(config, "turnkit", "agents.json"), text);
  }
  return { PATH: join(folder, "bin"), XDG_CONFIG_HOME: config, XDG_CACHE_HOME: join(config, "cache") };
}

describe("chooseAgent", () => {
  it("takes a command, whatever is in the table", async () => {
    expect(await chooseAgent({ command: ["mine", "b"] }, await environment())).toMatchObject({
      command: [bin("mine"), "b"],
    });
  });

  it("defect N98: takes turnkit-agent beside its own program, as after a local install", async () => {
    const local = await mkdtemp(join(folder, "local-"));
    for (const name of ["turnkit-agent", "qwen"]) await writeFile(join(local, name), "", { mode: 0o755 });
    const own = process.argv[1] as string;
    process.argv[1] = join(local, "turnkit");
    try {
      expect(await chooseAgent({}, await environment())).toMatchObject({ command: [join(local, "turnkit-agent")] });
      await expect(chooseAgent({ agent: "qwen" }, { ...(await environment()) })).rejects.toThrow("is not installed");
    } finally {
      process.argv[1] = own;
    }
  });

  it("knows launch commands by name, and prefers what is installed to what has to be fetched", async () => {
    const env = await environment();
    expect(await chooseAgent({ agent: "opencode" }, env)).toMatchObject({ command: [bin("opencode"), "acp"] });
    expect(await chooseAgent({ agent: "claude" }, env)).toMatchObject({ command: [bin("claude-agent-acp")] });
    const { command } = await chooseAgent({ agent: "codex" }, env);
    expect(command).toEqual([
      bin("npx"),
      "-y",
      expect.stringMatching(/^@agentclientprotocol\/codex-acp@\d+\.\d+\.\d+$/),
    ]);
  });

  it("takes agents of the user's own, with their environment, and the one that is usual", async () => {
    const env = await environment({
      default: "mine",
      agents: {
        mine: { command: "mine", args: ["--acp"], env: { MODEL: "small", KEY: "" } },
        opencode: { command: ["mine", "opencode"] },
        codex: null,
      },
    });
    expect(await chooseAgent({}, env)).toEqual({
      command: [bin("mine"), "--acp"],
      env: { ...env, MODEL: "small", KEY: "" },
    });
    expect(await chooseAgent({ agent: "opencode" }, env)).toMatchObject({ command: [bin("mine"), "opencode"] });
    await expect(chooseAgent({ agent: "codex" }, env)).rejects.toThrow('"codex" is not the name of a known agent');
  });

  it.each([
    [{ agent: "gemini" }, /^Gemini CLI is not installed: there is no gemini in PATH\. To install it: npm install/],
    [{ agent: "qwen" }, /no qwen in PATH/],
    [{ agent: "goose" }, /no goose in PATH/],
    [{ agent: "opncode" }, /known are turnkit, auggie, claude/],
    [{ agent: "kilo" }, /do you mean kilocode\?/],
    [{}, /^There is no agent to start: turnkit-agent is neither in PATH nor beside turnkit, and /],
  ])("%j is refused with advice", async (wish, message) => {
    const refused = chooseAgent(wish, await environment());
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(UsageError);
  });

  it.each([
    ["{", /agents\.json is not valid JSON/],
    [{ agent: {} }, /agents\.json: agent is unknown; known are default, agents\.$/],
    [{ agents: { x: {} } }, /agents\.json: agents\.x must be an object with a "command"\.$/],
    [{ agents: { x: { command: [] } } }, /agents\.json: agents\.x\.command must be a program with its arguments\.$/],
    [{ agents: { x: { command: "a", args: [1] } } }, /agents\.x\.args\.0 must be a text\.$/],
    [{ default: "nobody" }, /agents\.json: default must be one of turnkit, /],
  ])("an agents.json such as %j is refused", async (document, message) => {
    await expect(readAgentTable(await environment(document))).rejects.toThrow(message);
  });
});

it("defect F12: without a file, the table is the list of the library", async () => {
  expect((await readAgentTable(await environment())).agents).toBe(knownAgents);
});

describe("findProgram", () => {
  it("looks into the absolute folders of PATH only, never into the current one", async () => {
    const env = { PATH: `:.:bin:${join(folder, "bin")}` };
    expect(await findProgram("mine", { env, distrusted: [] })).toBe(join(folder, "bin", "mine"));
    // On Windows any file would do, and this one lies in the current directory.
    expect(
      await findProgram("package.json", { env: { PATH: ":.:" }, platform: "win32", distrusted: [] }),
    ).toBeUndefined();
    expect(await findProgram(join(folder, "bin", "mine"), { env: {}, distrusted: [] })).toBe(
      join(folder, "bin", "mine"),
    );
  });

  it("knows the endings of Windows", async () => {
    await install("tool.CMD", 0o644);
    const env = { Path: join(folder, "bin"), PATHEXT: ".EXE;.CMD" };
    expect(await findProgram("tool", { env, platform: "win32", distrusted: [] })).toBe(join(folder, "bin", "tool.CMD"));
  });
});

describe("listAgents", () => {
  const printed = async (json: boolean, env: NodeJS.ProcessEnv) => {
    let text = "";
    const stdout = { write: (piece: string) => (text += piece) } as unknown as NodeJS.WriteStream;
    await listAgents(json, { env, stdout });
    return text;
  };

  it("tells what is installed, what a package runner fetches, and what is missing", async () => {
    const env = await environment({ agents: { own: { command: ["mine"] } } });
    const { agents } = JSON.parse(await printed(true, env)) as { agents: readonly { name: string; status: string }[] };
    const status = Object.fromEntries(agents.map((agent) => [agent.name, agent.status]));
    expect(status).toMatchObject({
      ...{ opencode: "installed", claude: "installed", own: "installed", codex: "fetched", gemini: "missing" },
      ...{ qwen: "missing", turnkit: "missing" },
    });
    const text = await printed(false, env);
    expect(text).toMatch(new RegExp(`✓ opencode +opencode acp  ${folder}`));
    expect(text).toMatch(/· gemini +gemini --acp {2}npm install -g @google\/gemini-cli/);
  });

  it("defect S12: a program of the project is missing, because it would not be started", async () => {
    const env = await environment({ agents: { own: { command: ["vitest"] } } });
    // The tests run inside a repository, in whose folder for programs vitest is installed.
    const inProject = fileURLToPath(new URL("../../../../node_modules/.bin", import.meta.url));
    expect(await findProgram("vitest", { env: { PATH: inProject }, distrusted: "nothing" })).toBeDefined();
    const { agents } = JSON.parse(await printed(true, { ...env, PATH: inProject }));
    expect(agents.find(({ name }: { name: string }) => name === "own")).toMatchObject({ status: "missing" });
  });
});

describe("defect S1: a package runner", () => {
  it.each([
    ["env", "npx", "-y", "a"],
    ["sh", "-c", "npx -y a"],
    ["corepack", "npx", "a"],
    ["bunx", "a"],
  ] as const)("behind another program is one too: %s %s", async (...command) => {
    const env = await environment();
    const [name] = command;
    await install(name, 0o755);
    const chosen = await chooseAgent({ command }, env);
    expect(chosen.command).toEqual([bin(name), ...command.slice(1)]);
    expect(chosen.runnerFolder).toBe(join(env.XDG_CACHE_HOME ?? "", "turnkit", "runner"));
  });

  it("is not npm with a script of the project", async () => {
    await install("npm", 0o755);
    expect(await chooseAgent({ command: ["npm", "run", "x"] }, await environment())).not.toHaveProperty("runnerFolder");
  });

  it("starts in a folder of turnkit, without the settings of an npm that started turnkit", async () => {
    const env: NodeJS.ProcessEnv = {
      ...(await environment()),
      npm_config_registry: "http://evil.example",
      INIT_CWD: folder,
    };
    const chosen = await chooseAgent({ command: ["npx", "-y", "a"] }, env);
    expect(chosen.runnerFolder).toBe(join(env.XDG_CACHE_HOME ?? "", "turnkit", "runner"));
    expect(Object.keys(chosen.env ?? {})).toEqual(["PATH", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"]);
  });

  it("does not start in a folder that is a link", async () => {
    const env = await environment();
    await mkdir(join(env.XDG_CACHE_HOME ?? "", "turnkit"), { recursive: true });
    await symlink(folder, join(env.XDG_CACHE_HOME ?? "", "turnkit", "runner"));
    await expect(chooseAgent({ agent: "codex" }, env)).rejects.toThrow(/must belong to you alone/);
  });
});

describe("defect S28: the environment of what is started", () => {
  it("defect S12: has no program of the project, of the current folder, or behind a link into the project", async () => {
    const project = await mkdtemp(join(folder, "project-"));
    await mkdir(join(project, ".git"));
    await mkdir(join(project, "sub"));
    await mkdir(join(project, "bin"));
    await symlink(project, `${project}-link`);
    const current = ["", ".", "./bin", "/proc/self/cwd", "/usr/../proc/self/cwd", "/./dev/fd/3"];
    const PATH = [...current, project, `${project}-link/bin`, join(folder, "bin")].join(":");
    const env = safeEnvironment({ PATH, LD_LIBRARY_PATH: "/opt/lib:", PYTHONPATH: "", A: "." }, [join(project, "sub")]);
    expect(env).toEqual({ PATH: join(folder, "bin"), LD_LIBRARY_PATH: "/opt/lib", A: "." });
    expect(safeEnvironment({ PATH: ":." }, "nothing").PATH).toBe("/usr/bin:/bin");
  });

  it("is that of an agent that is named after --, and a program of the project needs its path", async () => {
    const project = await mkdtemp(join(folder, "project-"));
    await writeFile(join(project, "evil"), "", { mode: 0o755 });
    const env = { PATH: `${project}:${join(folder, "bin")}` };
    await expect(choose({ command: ["evil"] }, env, project)).rejects.toThrow(
      /outside of the project\. To start .*evil/,
    );
    const chosen = await choose({ command: [join(project, "evil")] }, env, project);
    expect([chosen.command?.[0], chosen.env?.PATH]).toEqual([join(project, "evil"), join(folder, "bin")]);
  });
});
