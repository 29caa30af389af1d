import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** Exit code and output of a program. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Environment of a run, always without a terminal. */
export type Surroundings = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Called with the output so far. */
  readonly onOutput?: (printed: string, kill: (signal: NodeJS.Signals) => void) => void;
};

/** Built programs by the paths of their sources, from the runner of the tests. */
const built: Readonly<Record<string, string>> = JSON.parse(process.env.TURNKIT_TEST_PROGRAMS ?? "{}");

const program = (path: string): readonly string[] => [
  process.execPath,
  built[fileURLToPath(new URL(path, import.meta.url))] ?? "",
];

/** The command of a scripted agent. */
export const scriptedAgent = (scene: string): readonly string[] => [...program("./scripted-agent.ts"), scene];

/** The command of `turnkit`. */
export const turnkitCommand: readonly string[] = program("../src/main.ts");

/** Creates a folder that is removed after the test. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "turnkit-client-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** Runs `turnkit` as a process. */
export async function turnkit(args: readonly string[], options: Surroundings = {}): Promise<Ended> {
  const [program = "", ...words] = [...turnkitCommand, ...args];
  const { NO_COLOR: _no, FORCE_COLOR: _force, XDG_CONFIG_HOME: _folder, ...env } = process.env;
  const child = spawn(program, words, { cwd: options.cwd ?? createFolder(), env: { ...env, ...options.env } });
  child.stdin.end(options.stdin ?? "");
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
      options.onOutput?.(printed.stdout, (signal) => child.kill(signal));
    });
  }
  onTestFinished(() => void child.kill("SIGKILL"));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...printed };
}
