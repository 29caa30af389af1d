import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UsageError } from "../exit-code.js";
import { chooseAgent, findProgram } from "./choose-agent.js";
import { readAgentTable } from "./known-agents.js";
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
  return { PATH: join(folder, "bin"), XDG_CONFIG_HOME: config };
}

describe("chooseAgent", () => {
  it("takes a command as it is, whatever is installed", async () => {
    expect(await chooseAgent({ command: ["a", "b"] }, {})).toEqual({ command: ["a", "b"] });
  });

  it("knows launch commands by name, and prefers what is installed to what has to be fetched", async () => {
    const env = await environment();
    expect(await chooseAgent({ agent: "opencode" }, env)).toEqual({ command: ["opencode", "acp"] });
    expect(await chooseAgent({ agent: "claude" }, env)).toEqual({ command: ["claude-agent-acp"] });
    const { command } = await chooseAgent({ agent: "codex" }, env);
    expect(command).toEqual(["npx", "-y", "@agentclientprotocol/codex-acp"]);
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
      command: ["mine", "--acp"],
      env: { ...env, MODEL: "small", KEY: "" },
    });
    expect(await chooseAgent({ agent: "opencode" }, env)).toEqual({ command: ["mine", "opencode"] });
    await expect(chooseAgent({ agent: "codex" }, env)).rejects.toThrow('"codex" is no agent that is known here');
  });

  it.each([
    [{ agent: "gemini" }, /^Gemini CLI is not installed: there is no gemini in PATH\. To install it: npm install/],
    [{ agent: "qwen" }, /no qwen in PATH/],
    [{ agent: "goose" }, /no goose in PATH/],
    [{ agent: "opncode" }, /known are turnkit, auggie, claude/],
    [{ agent: "kilo" }, /do you mean kilocode\?/],
    [{}, /^There is no agent to start: turnkit-agent is not in PATH\./],
  ])("%j is refused with advice", async (wish, message) => {
    const refused = chooseAgent(wish, await environment());
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(UsageError);
  });

  it.each([
    ["{", /agents\.json is no JSON/],
    [{ agent: {} }, /agents\.json: agent is unknown; known are default, agents\.$/],
    [{ agents: { x: {} } }, /agents\.json: agents\.x must be an object with a "command"\.$/],
    [{ agents: { x: { command: [] } } }, /agents\.json: agents\.x\.command must be a program with its arguments\.$/],
    [{ agents: { x: { command: "a", args: [1] } } }, /agents\.x\.args\.0 must be a text\.$/],
    [{ default: "nobody" }, /agents\.json: default must be one of turnkit, /],
  ])("an agents.json such as %j is refused", async (document, message) => {
    await expect(readAgentTable(await environment(document))).rejects.toThrow(message);
  });
});

describe("findProgram", () => {
  it("looks into the absolute folders of PATH only, never into the current one", async () => {
    const env = { PATH: `:.:bin:${join(folder, "bin")}` };
    expect(await findProgram("mine", { env })).toBe(join(folder, "bin", "mine"));
    // On Windows any file would do, and this one lies in the current directory.
    expect(await findProgram("package.json", { env: { PATH: ":.:" }, platform: "win32" })).toBeUndefined();
    expect(await findProgram(join(folder, "bin", "mine"), { env: {} })).toBe(join(folder, "bin", "mine"));
  });

  it("knows the endings of Windows", async () => {
    await install("tool.CMD", 0o644);
    const env = { Path: join(folder, "bin"), PATHEXT: ".EXE;.CMD" };
    expect(await findProgram("tool", { env, platform: "win32" })).toBe(join(folder, "bin", "tool.CMD"));
  });
});

describe("listAgents", () => {
  const printed = async (json: boolean, env: NodeJS.ProcessEnv) => {
    let text = "";
    const stdout = { write: (piece: string) => (text += piece) } as unknown as NodeJS.WriteStream;
    await listAgents(json, env, stdout);
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
});
