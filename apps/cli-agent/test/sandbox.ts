import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSandbox, type SandboxOptions } from "../src/sandbox/open-sandbox.js";
import { createSandboxChoice } from "../src/sandbox/sandbox-choice.js";
import { createFolder } from "./tool-context.js";

export const sandboxOptions = (roots: readonly string[], more: Partial<SandboxOptions> = {}): SandboxOptions => ({
  roots,
  env: process.env,
  paths: {},
  ...more,
});

/** Returns the choice of the program, with the sandbox of this machine. */
export const realSandbox = (roots: readonly string[]) =>
  createSandboxChoice({
    mode: "auto",
    network: false,
    open: () => openSandbox(sandboxOptions(roots)),
    onMissing: () => undefined,
  });

const found = await openSandbox(sandboxOptions([tmpdir()]));

/** Reason why tests of the sandbox cannot run here. */
export const missing = found.sandbox === undefined ? found.reason : undefined;

/** Returns the title of a test, with the reason if it cannot run. */
export const titled = (title: string): string => (missing === undefined ? title : `${title} (skipped: ${missing})`);

type Result = { readonly code: number | string; readonly out: string; readonly err: string };

/** Runs a command line of the sandbox. */
export function start(argv: readonly string[]): Promise<Result> {
  const [program = "", ...args] = argv;
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 20_000 }, (error, out, err) => resolve({ code: error?.code ?? 0, out, err }));
  });
}

/** Opens a project with a sandbox around it, for one test. */
export async function openProject(
  more: Partial<SandboxOptions> = {},
  { inner = "", root: given }: { readonly inner?: string; readonly root?: string } = {},
) {
  const root = given ?? (await createFolder());
  const cwd = join(root, inner);
  await mkdir(cwd, { recursive: true });
  const { sandbox } = await openSandbox(sandboxOptions([cwd], more));
  if (sandbox === undefined) throw new Error("There is no sandbox.");
  const write = async (name: string, text = "old") => {
    await mkdir(join(root, name, ".."), { recursive: true });
    await writeFile(join(root, name), text);
  };
  /** Runs a line of the shell in the sandbox, as `run_command` does. */
  const run = async (line: string, network = false): Promise<Result & { readonly notes: readonly string[] }> => {
    const { argv, finish } = await sandbox.wrap({ argv: ["/bin/sh", "-c", line], cwd, network });
    const result = await start(argv);
    return { ...result, notes: await finish() };
  };
  return { root, sandbox, run, write, read: (name: string) => readFile(join(root, name), "utf8") };
}
