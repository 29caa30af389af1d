import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { promisify } from "node:util";
import { commandEnvironment } from "../tools/command-environment.js";
import { withoutDisabling } from "./disabling-comments.js";
import { type Finding, markFixable, parseFindings } from "./finding.js";
import { lintConfig } from "./lint-config.js";
import type { KnownRule, ProjectLint } from "./project-lint.js";

const MAX_OUTPUT = 16 * 1024 * 1024;
const MAX_STDERR = 2_000;
const TIMEOUT_MS = 30_000;

/**
 * Findings of oxlint, and the text after `oxlint --fix`. `fixed` equals the original text if no finding can be fixed.
 */
export type LintRun = { readonly findings: readonly Finding[]; readonly fixed: string };

export function knownRules(place: OxlintPlace): Promise<readonly KnownRule[]> {
  known ??= startOxlint(tmpdir(), ["--rules", "--format=json"], place)
    .then(({ stdout }) => JSON.parse(stdout) as readonly KnownRule[])
    .catch((error: unknown) => {
      known = undefined;
      throw error;
    });
  return known;
}

let known: Promise<readonly KnownRule[]> | undefined;

/**
 * Lints `text` as the content of the file `path`. The file itself is neither read nor written. Copies are linted in a
 * private folder, which is removed before the promise settles. An abort of the signal kills oxlint.
 *
 * @param options the rules of the project, if it is trusted. With `ignoresComments`, comments such as `eslint-disable`
 * hide no findings
 * @throws Error if oxlint cannot run, prints output that is not JSON, or takes longer than 30 s
 */
export async function lintText(path: string, original: string, options: LintOptions): Promise<LintRun> {
  const { roots, signal, project, ignoresComments = false } = options;
  const { text, restore } = ignoresComments ? withoutDisabling(original) : { text: original, restore: identity };
  signal.throwIfAborted();
  const folder = await mkdtemp(join(tmpdir(), "turnkit-lint-"));
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const stop = new AbortController();
  const runs: Promise<string>[] = [];
  try {
    await writeFile(join(folder, "oxlint.json"), JSON.stringify(lintConfig(path, project)));
    const [first, copy] = await Promise.all([
      copyOf(folder, "original", path, text),
      copyOf(folder, "fixed", path, text),
    ]);
    const place = { roots, signal: AbortSignal.any([signal, timeout, stop.signal]) };
    runs.push(runOxlint(folder, [first], place), runOxlint(folder, ["--fix", copy], place));
    const [found = "", remaining = ""] = await Promise.all(runs);
    const fixed = await readFile(copy, "utf8");
    const findings = markFixable(parseFindings(found, text), parseFindings(remaining, fixed));
    return { findings, fixed: restore(fixed) ?? original };
  } catch (error) {
    if (timeout.aborted && !signal.aborted) throw new Error(`oxlint took longer than ${TIMEOUT_MS / 1000} s.`);
    throw error;
  } finally {
    // If one run fails, the other run must end before the folder is removed.
    stop.abort();
    await Promise.allSettled(runs);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function copyOf(folder: string, name: string, path: string, text: string): Promise<string> {
  // The copy has a fixed name. The name of the user's file could begin with a dash, or have a special meaning for
  // oxlint.
  const file = join(folder, name, `file${extname(path).toLowerCase()}`);
  await mkdir(dirname(file));
  await writeFile(file, text);
  return file;
}

const identity = (text: string): string => text;

/** Signal that ends oxlint, and roots of the session. The `PATH` of oxlint contains no folder of their projects. */
export type OxlintPlace = { readonly signal: AbortSignal; readonly roots: readonly string[] };

export type LintOptions = OxlintPlace & {
  readonly project?: ProjectLint;
  readonly ignoresComments?: boolean;
};

/** Runs oxlint and returns its report. The exit code is ignored, because it is 1 if there are findings. */
async function runOxlint(folder: string, args: readonly string[], place: OxlintPlace): Promise<string> {
  const config = ["-c", join(folder, "oxlint.json"), "--disable-nested-config", "--no-ignore"];
  const options = [...config, "--format", "json", "--threads", "1"];
  const { code, stdout, stderr } = await startOxlint(folder, [...options, ...args], place);
  const json = stdout.indexOf("{");
  const said = stderr.trim() || stdout.trim();
  if (json < 0) throw new Error(`oxlint ended with ${code} and no report. ${said.slice(-MAX_STDERR)}`);
  return stdout.slice(json);
}

async function startOxlint(folder: string, args: readonly string[], place: OxlintPlace): Promise<Ended> {
  const run = promisify(execFile)(process.execPath, [launcher(), ...args], {
    cwd: folder,
    env: commandEnvironment(process.env, { distrusted: place.roots }),
    maxBuffer: MAX_OUTPUT,
    signal: place.signal,
    killSignal: "SIGKILL",
  });
  // A process that never started emits no `close`.
  const closed = run.child.pid !== undefined && new Promise((resolve) => run.child.once("close", resolve));
  try {
    return await run.then(
      (output) => ({ ...output, code: 0 }),
      (error: Ended) => {
        if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") throw new Error("oxlint reported more than 16 MB.");
        if (typeof error.code !== "number") throw error;
        return error;
      },
    );
  } finally {
    await closed;
  }
}

type Ended = { readonly code: unknown; readonly stdout: string; readonly stderr: string };

/**
 * Returns the path of the script that starts oxlint. The package does not export this script, so the path is built from
 * the folder of its `package.json`.
 */
function launcher(): string {
  const manifest = createRequire(import.meta.url).resolve("oxlint/package.json");
  return join(dirname(manifest), "bin", "oxlint");
}

export const LINTABLE = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"] as const;

export function isLintable(path: string): boolean {
  return (LINTABLE as readonly string[]).includes(extname(path).toLowerCase());
}
