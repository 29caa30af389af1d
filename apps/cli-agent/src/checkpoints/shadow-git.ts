import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram, safeEnvironment } from "@turnkit/transport/node";

/** Limits of one call of Git: its time in milliseconds, and the size of its output in bytes. */
const LIMITS = { timeout: 30_000, maxBuffer: 64 * 1024 * 1024 };

/** Attributes of all files. A project's `.gitattributes` cannot change the content of a stored file, or start a program. */
const ATTRIBUTES = "* -text !eol -ident -filter !working-tree-encoding -diff -merge\n";

/** Paths that are never stored, in addition to those that a `.gitignore` of the project ignores. */
const EXCLUDED = "node_modules/\n.venv/\nvenv/\n__pycache__/\n.hg/\n.svn/\n.DS_Store\n";

/** Settings of each call. They switch off hooks and other programs, and the slow writes for power failures. */
const SETTINGS: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.fsync=none",
  "core.looseCompression=1",
  "core.autocrlf=false",
  "gc.autoDetach=false",
  "gc.pruneExpire=1.hour.ago",
].flatMap((setting) => ["-c", setting]);

/** Git commands for one folder. Their store is outside of the folder. */
export type ShadowGit = {
  readonly store: string;
  /** Folder whose files are stored, without links. */
  readonly root: string;
  /**
   * Runs Git and returns its output. Input and output have one character per byte, because paths may not be UTF-8.
   *
   * @param options the text for stdin, and the index (default: the index of the store)
   * @throws Error with the message of Git
   */
  run(args: readonly string[], options?: { readonly input?: string; readonly index?: string }): Promise<string>;
};

type StoreOptions = {
  readonly signal: AbortSignal;
  /** All roots of the session. A program `git` inside their projects is never started. */
  readonly roots: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
};

/** Reason why there is no store, as a part of a sentence. */
export class NoStoreError extends Error {}

/**
 * Opens the store of a folder, and creates it if it is missing. Only the user may read it. Git uses neither the
 * repository of the project nor settings of the user or the system.
 *
 * @param stores folder of all stores
 * @throws NoStoreError if Git is not installed outside of the roots
 */
export async function openShadowGit(
  stores: string,
  folder: string,
  { signal, roots, env = process.env }: StoreOptions,
): Promise<ShadowGit> {
  const root = await realpath(folder);
  const safe = safeEnvironment(env, roots);
  const program = await findProgram("git", { env, distrusted: [root, ...roots] });
  if (program === undefined) throw new NoStoreError("git is not installed");
  const store = join(stores, createHash("sha256").update(root).digest("hex").slice(0, 24));
  await mkdir(join(store, "info"), { recursive: true, mode: 0o700 });
  const kept = Object.entries(safe).filter(([name]) => /^(?:PATH|SYSTEMROOT|TEMP|TMP|TMPDIR)$/i.test(name));
  const base = {
    ...Object.fromEntries(kept),
    // Git before 2.32 does not read GIT_CONFIG_GLOBAL. With the store as its home folder, it finds no settings of the
    // user.
    HOME: store,
    XDG_CONFIG_HOME: store,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: join(store, "no-config"),
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_DIR: store,
  };
  const call = (args: readonly string[], extra: Record<string, string>, input = "") =>
    new Promise<string>((resolve, reject) => {
      const options = { ...LIMITS, cwd: store, env: { ...base, ...extra } as NodeJS.ProcessEnv, signal };
      const child = execFile(program, args, { ...options, encoding: "latin1" }, (error, stdout, stderr) => {
        if (error) reject(new Error(signal.aborted ? "it was cancelled" : reasonOf(error, stderr)));
        else resolve(stdout);
      });
      // A Git that fails immediately does not read its input.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input, "latin1");
    });
  await call(["init", "--quiet", "--bare", "--template=", store], {});
  await writeFile(join(store, "info", "attributes"), ATTRIBUTES);
  await writeFile(join(store, "info", "exclude"), EXCLUDED);
  return {
    store,
    root,
    run: (args, { input, index } = {}) =>
      call(
        ["-C", root, ...SETTINGS, ...args],
        { GIT_WORK_TREE: root, ...(index !== undefined && { GIT_INDEX_FILE: index }) },
        input,
      ),
  };
}

function reasonOf(error: Error & { killed?: boolean }, stderr: string): string {
  if (error.killed) return `git did not end within ${LIMITS.timeout / 1000} s`;
  return stderr.trim().split("\n").at(-1)?.slice(0, 300) || error.message;
}
