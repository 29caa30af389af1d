import { execFileSync } from "node:child_process";
import { access, chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import type { PermissionPolicy, PermissionRequest } from "@turnkit/client";
import { describe, expect, it, vi } from "vitest";
import { turnkit } from "../interop/programs.js";
import { runProgram } from "../interop/running-program.js";
import { createProject, startCodingAgent } from "../models/coding-agent.js";
import { call, say } from "../models/step.js";
import { fileAttacks, gitAttacks, type RepositoryAttack } from "./repository-attacks.js";

// One program visits all repositories.
vi.setConfig({ testTimeout: 240_000 });

/** A folder with a repository, and the canary that its payload makes. */
type Trap = { readonly attack: RepositoryAttack; readonly folder: string; readonly canary: string };

const gitEnv = { PATH: process.env.PATH, HOME: "/nowhere", GIT_CONFIG_NOSYSTEM: "1" };

/** Writes the files of attacks into a folder; the first of a name counts. */
async function writeAttack(folder: string, attacks: readonly RepositoryAttack[], canary: string) {
  const payload = `touch ${canary}`;
  const script = `require("node:fs").writeFileSync(${JSON.stringify(canary)}, "");\n`;
  for (const [name, text] of attacks.flatMap(({ files = {} }) => Object.entries(files)).reverse()) {
    const path = join(folder, name.replace("PAYLOAD", "payload"));
    await mkdir(dirname(path), { recursive: true }).catch(() => undefined);
    await writeFile(path, text.replaceAll("PAYLOAD", payload).replace("SCRIPT", script)).catch(() => undefined);
    if (text.startsWith("#!")) await chmod(path, 0o755).catch(() => undefined);
  }
}

async function createTrap(attack: RepositoryAttack, canaries: string, n: number): Promise<Trap> {
  const folder = await createProject({ "a.js": "const a = 1;\n" });
  const canary = join(canaries, `canary-${n}`);
  await writeAttack(folder, [attack], canary);
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, { cwd: folder, env: gitEnv, stdio: "ignore" });
  run("git", "init", "-q");
  run("git", "add", "-A", "-f");
  run("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a");
  if (attack.prepare) run("sh", "-ec", attack.prepare.replaceAll("PAYLOAD", `touch ${canary}`));
  // The preparation may have run its own payload.
  await rm(canary, { force: true });
  return { attack, folder, canary };
}

/** Returns true if a question shows a payload or asks for trust. */
function isSeenIn({ title, subject, options, session }: PermissionRequest): boolean {
  const pending = [...session.state.timeline].find((one) => one.type === "tool_call" && one.status === "pending");
  return /canary-\d|evil|hooks\/|\bTrust\b/i.test(JSON.stringify([title, subject, pending, options]));
}

/** Answers yes for ever, unless the person has seen a payload. */
const decide: PermissionPolicy = (question) => {
  const kinds = isSeenIn(question) ? ["reject_once"] : ["allow_always", "allow_once"];
  const [option] = kinds.flatMap((kind) => question.options.filter((one) => one.kind === kind));
  return option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" };
};

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

describe("defect S4: a repository that makes a tool run something", () => {
  it("comes in 40 forms at least", () => {
    expect(gitAttacks.length + fileAttacks.length).toBeGreaterThanOrEqual(40);
  });

  it("runs nothing that the person has not seen, while turnkit-agent works in it", async () => {
    const canaries = await createProject({});
    const traps = await Promise.all([...gitAttacks, ...fileAttacks].map((one, n) => createTrap(one, canaries, n)));
    // The agent itself starts in a folder with the files of all attacks, and with a PATH that leads into it.
    const home = await createProject({});
    const others = fileAttacks.filter(({ it: what }) => !what.startsWith("settings of Git"));
    await writeAttack(home, others, join(canaries, "start"));
    const asked: string[] = [];
    let seen = 0;
    const { client, server } = await startCodingAgent({
      ...{ folder: home, startIn: home, isTrusted: false, args: ["--sandbox", "off"] },
      env: {
        ...{ HOME: home, RIPGREP_CONFIG_PATH: ".ripgreprc" },
        PATH: ["node_modules/.bin", ".", "", process.env.PATH].join(delimiter),
      },
      script: ({ results, prompt }) => {
        if (results.length > 0) return [say("Done.")];
        const [kind = "", path = "."] = prompt.split(" ");
        const run = (command: string) => call("run_command", { command, path });
        const edit = { path: "a.js", edits: [{ oldText: "const a = 1;", newText: "const a = 2;" }] };
        if (kind === "git") {
          const commands = ["git status", "git status", "git diff", "git log -1 -p", "git show HEAD", "git blame a.js"];
          return [call("edit_file", edit), ...commands.map(run)];
        }
        const commands = ["git status", "node --version", "echo a | cat", "sh -c true"];
        return [
          call("read_file", { path: "a.js" }),
          call("search", { pattern: "const", glob: "*.js" }),
          call("glob", { pattern: "**/*.js" }),
          call("lint_file", { path: "a.js" }),
          call("edit_file", edit),
          ...commands.map(run),
        ];
      },
      permissions: (question, signal) => {
        asked.push(question.title);
        if (isSeenIn(question)) seen += 1;
        return decide(question, signal);
      },
    });
    const succeeded: string[] = [];
    const visit = async ({ attack, folder, canary }: Trap) => {
      const session = await client.newSession({ cwd: folder });
      const prompt = `${gitAttacks.includes(attack) ? "git" : "file"} ${attack.path ?? "."}`;
      const { stopReason } = await session.prompt(prompt).ended;
      expect([attack.it, stopReason]).toEqual([attack.it, "end_turn"]);
      if (await exists(canary)) succeeded.push(attack.it);
      await session.close();
    };
    const waiting = [...traps];
    const visitor = async () => {
      for (let trap = waiting.shift(); trap !== undefined; trap = waiting.shift()) await visit(trap);
    };
    await Promise.all([visitor(), visitor(), visitor(), visitor()]);
    expect(succeeded).toEqual([]);
    expect(await exists(join(canaries, "start"))).toBe(false);
    expect(JSON.stringify(server.requests.map(({ body }) => body.messages))).not.toContain("RULE: run");
    // Where Git would start the payload, the question said so.
    expect(seen).toBeGreaterThanOrEqual(18);
    // The agent did work: its edits and commands were asked for.
    expect(asked.length).toBeGreaterThan(traps.length);
    expect(await readFile(join(traps[0]?.folder ?? "", "a.js"), "utf8")).toBe("const a = 2;\n");
  });

  it("runs nothing by settings of Git in a home that is the project", async () => {
    const canaries = await createProject({});
    const [attack] = fileAttacks.filter(({ it: what }) => what.startsWith("settings of Git"));
    const { folder, canary } = await createTrap(attack as RepositoryAttack, canaries, 0);
    const { session } = await startCodingAgent({
      ...{ folder, startIn: folder, args: ["--sandbox", "off"], env: { HOME: folder }, permissions: decide },
      script: [[call("run_command", { command: "git status" })], [say("Done.")]],
    });
    await session.prompt("Go").ended;
    expect(await exists(canary)).toBe(false);
  });

  it("runs nothing while turnkit starts an agent in it", async () => {
    const canary = join(await createProject({}), "canary");
    const folder = await createProject({});
    await writeAttack(folder, fileAttacks, canary);
    // The registry is nowhere: only the project could give the package.
    const home = await createProject({ ".npmrc": "registry=http://127.0.0.1:1/\nfetch-retries=0\n" });
    const bin = join(folder, "node_modules/.bin");
    const inside = ["node_modules/.bin", ".", "", bin, folder].join(delimiter);
    const env = { HOME: home, XDG_CONFIG_HOME: join(home, "config"), XDG_CACHE_HOME: join(home, "cache") };
    for (const [args, path] of [
      [["--agent", "codex"], `${inside}${delimiter}${process.env.PATH}`],
      [["--agent", "turnkit"], inside],
      [["--agent", "opencode"], inside],
      [[], inside],
      [["doctor"], inside],
      [["agents"], inside],
      [["--agent", "evil"], inside],
    ] as const) {
      const isCommand = args[0] === "doctor" || args[0] === "agents";
      const command = [...turnkit, ...args, ...(isCommand ? [] : ["-p", "Go"])];
      const { code } = await runProgram(command, { cwd: folder, env: { ...env, PATH: path } });
      expect([args, code === 0]).toEqual([args, args[0] === "agents"]);
      expect([args, await exists(canary)]).toEqual([args, false]);
    }
  });
});
