import { rmSync, symlinkSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HostSession } from "@turnkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClientHosts, createGuardedFiles, createGuardedTerminals, type HostLimits } from "./client-hosts.js";

let folder = "";
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "turnkit-hosts-")));
  await mkdir(join(folder, ".git", "hooks"), { recursive: true });
  await symlink(join(folder, ".git"), join(folder, "docs"));
  for (const name of ["objects", "refs", "hooks"])
    await mkdir(join(folder, "fixtures", "bare", name), { recursive: true });
  await writeFile(join(folder, "fixtures", "bare", "HEAD"), "");
  await writeFile(join(folder, ".env"), "KEY=1");
});
afterAll(() => rm(folder, { recursive: true }));

function hostsWith(limits: HostLimits) {
  const notes: string[] = [];
  const note = (text: string) => notes.push(text);
  const session = { sessionId: "s", cwd: folder, roots: [folder], signal: new AbortController().signal };
  return { files: createGuardedFiles(limits, { note }), hosts: createClientHosts(limits, { note }), notes, session };
}

it.each([{}, { readOnly: true }, { noTerminals: true }, { readOnly: true, noTerminals: true }] as const)(
  "defect S8: %j is what the agent is offered",
  (limits: HostLimits) => {
    const { files, terminals } = hostsWith(limits).hosts;
    expect([files?.readTextFile, files?.writeTextFile].map((one) => one !== undefined)).toEqual([
      true,
      limits.readOnly !== true,
    ]);
    expect(terminals === undefined).toBe(limits.noTerminals === true);
  },
);

it("defect S8: each write is shown", async () => {
  const { files, notes, session } = hostsWith({});
  await files.writeTextFile?.({ path: join(folder, "a.txt"), content: "text" }, session as HostSession);
  expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("text");
  expect(notes).toEqual([`The agent wrote ${join(folder, "a.txt")} (4 characters).`]);
});

describe("defect S24: the client's own files", () => {
  it.each([
    ".git/hooks/pre-commit",
    ".GIT/config",
    "docs/config",
    "sub/../.git/x",
    "AGENTS.md",
    ".npmrc",
    ".vscode/tasks.json",
    "fixtures/bare/config",
    "fixtures/bare/hooks/pre-push",
  ])("do not write %s", async (name) => {
    const { files, notes, session } = hostsWith({});
    const path = `${folder}/${name}`;
    await expect(files.writeTextFile?.({ path, content: "x" }, session as HostSession)).rejects.toThrow();
    expect(notes).toEqual([expect.stringContaining(`The agent was refused ${path}`)]);
  });

  it("do not read secrets", async () => {
    const { files, session } = hostsWith({});
    await expect(files.readTextFile?.({ path: join(folder, ".env") }, session as HostSession)).rejects.toThrow();
  });
});

describe("defect S100: a link that is exchanged while the client's own files are used", () => {
  /** Session whose roots exchange a link when they are read again, after the check. */
  const exchanging = (link: string, [from, to]: readonly [string, string]) => {
    const lead = (target: string) => {
      rmSync(join(folder, link), { force: true });
      symlinkSync(target, join(folder, link));
    };
    lead(from);
    let reads = 0;
    return {
      ...hostsWith({}).session,
      get roots() {
        reads += 1;
        if (reads === 2) lead(to);
        return [folder];
      },
    } as HostSession;
  };

  it("gives no secret", async () => {
    const { files } = hostsWith({});
    await writeFile(join(folder, "plain"), "plain");
    const session = exchanging("late", ["plain", ".env"]);
    await expect(files.readTextFile?.({ path: join(folder, "late") }, session)).rejects.toThrow("was replaced");
  });

  it("leads no write to a hook", async () => {
    const { files, notes } = hostsWith({});
    await mkdir(join(folder, "sources"));
    const session = exchanging("place", ["sources", ".git/hooks"]);
    const path = join(folder, "place", "post-merge");
    await expect(files.writeTextFile?.({ path, content: "evil" }, session)).rejects.toThrow("was replaced");
    expect([await readdir(join(folder, ".git/hooks")), notes]).toEqual([[], []]);
  });
});

describe("defect S29: the variables of a command that an agent runs through the client", () => {
  const run = async (
    env: Readonly<Record<string, string>>,
    { answer, limits = {} }: { answer?: () => number | undefined; limits?: HostLimits } = {},
  ) => {
    const notes: string[] = [];
    const note = (text: string) => notes.push(text);
    const session = { ...hostsWith({}).session };
    const list = Object.entries(env).map(([name, value]) => ({ name, value }));
    const request = { command: process.execPath, args: ["-e", ""], env: list };
    const ask = async (title: string) => {
      note(`? ${title}`);
      return answer?.();
    };
    const choose = answer && ask;
    const terminals = createGuardedTerminals({ note, ran: note, ...(choose && { choose }) }, limits);
    const create = async () => terminals.create(request, session as HostSession);
    const created = await create().catch((error: Error) => error);
    if (!(created instanceof Error)) await created.release();
    return { isRefused: created instanceof Error, notes };
  };

  it.each([
    ...["PATH", "Path", "NODE_OPTIONS", "NODE_PATH", "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "PYTHONPATH"],
    ...[
      "PYTHONSTARTUP",
      "GIT_SSH_COMMAND",
      "GIT_EXTERNAL_DIFF",
      "GIT_CONFIG_COUNT",
      "GIT_DIR",
      "BASH_ENV",
      "ENV",
      "IFS",
    ],
    ...[
      "PROMPT_COMMAND",
      "RUBYOPT",
      "PERL5OPT",
      "PERL5LIB",
      "JAVA_TOOL_OPTIONS",
      "_JAVA_OPTIONS",
      "npm_config_node_options",
    ],
    ...[
      "npm_config_script_shell",
      "RIPGREP_CONFIG_PATH",
      "GIT_PAGER",
      "PAGER",
      "EDITOR",
      "LESSOPEN",
      "HOME",
      "ZDOTDIR",
    ],
    ...["HTTPS_PROXY", "NODE_EXTRA_CA_CERTS", "RUSTC_WRAPPER", "CARGO_HOME", "GOFLAGS", "CLASSPATH", "DOCKER_HOST"],
    ...["MAKEFILES", "CC", "CXX", "NVM_DIR", "KUBE_EDITOR", "SUDO_ASKPASS", "RSYNC_RSH", "VIMINIT", "GTK_MODULES"],
    ...["QT_PLUGIN_PATH", "ERL_LIBS", "CLOUDSDK_PYTHON", "PSModulePath", "GUILE_LOAD_PATH", "CMAKE_TOOLCHAIN_FILE"],
    ...["ANTHROPIC_BASE_URL", "FCEDIT", "MPLCONFIGDIR", "HELM_PLUGINS", "ANSIBLE_LIBRARY"],
  ])("are refused if they can start other programs: %s", async (name) => {
    const { isRefused, notes } = await run({ A: "1", [name]: "./x" });
    expect([isRefused, notes]).toEqual([true, [expect.stringContaining(`it sets ${name},`)]]);
  });

  it.each(["CI", "API_KEY", "DB_PASSWORD", "LC_ALL", "DEBUG", "MODEL"])("may have names of data: %s", async (name) =>
    expect((await run({ [name]: "x" })).isRefused).toBe(false),
  );

  it.each(["DATABASE_URL", "DB_PROFILE", "HOST", "MY_FLAG", "RBENV_VERSION", "PSQLRC", "VAULT_ADDR", "CHROME_BIN"])(
    "are a question if their effect is unknown, and refused without a person: %s",
    async (name) => {
      const env = { [name]: "./x y" };
      const asked = `? The agent wants to run ${name}="./x y" ${process.execPath} -e "" in ${folder}. It sets ${name}, which could start other programs.`;
      const refused = expect.stringMatching(`refused ${name}=.*nobody allowed that`);
      expect(await run(env)).toEqual({ isRefused: true, notes: [refused] });
      expect(await run(env, { answer: () => 1 })).toEqual({ isRefused: true, notes: [asked, refused] });
      expect(await run(env, { answer: () => undefined })).toEqual({ isRefused: true, notes: [asked, refused] });
      const ran = expect.stringContaining("The agent runs");
      expect(await run(env, { answer: () => 0 })).toEqual({ isRefused: false, notes: [asked, ran] });
      expect(await run(env, { limits: { anyVariables: true } })).toEqual({ isRefused: false, notes: [ran] });
    },
  );

  it("are shown with the command, without values of secrets", async () => {
    const { isRefused, notes } = await run({ CI: "1", PAGER: "cat", GIT_EDITOR: "true", DB_PASS: "hunter2" });
    expect(isRefused).toBe(false);
    expect(notes).toEqual([
      `The agent runs CI=1 PAGER=cat GIT_EDITOR=true DB_PASS=[hidden] ${process.execPath} -e "" in ${folder}`,
    ]);
  });

  it.each(["GOOGLE_APPLICATION_CREDENTIALS", "FOO_AUTH", "COOKIE"])(
    "defect S90: are shown with their values in the question, and without those of secrets in the log: %s",
    async (name) => {
      const { notes } = await run({ [name]: "./evil.json" }, { answer: () => 0 });
      expect(notes).toEqual([
        expect.stringContaining(`wants to run ${name}=./evil.json ${process.execPath}`),
        expect.stringContaining(`The agent runs ${name}=[hidden] ${process.execPath}`),
      ]);
    },
  );
});
