import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

/** Outcome of a run of tests. Each test is named as `packages/agent/test/cancel.test.ts: cancel ends a turn`. */
export type Outcome = {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Why tests could not run at all: a file that does not load, a run that does not end. */
  readonly fault?: string;
};

/** Tests by the files they are in, and the words that their names hold. */
export type Selection = { readonly files: readonly string[]; readonly words: readonly string[] };

type Report = {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
};

const unneeded = new Set([".git", ".turbo", ".pack", ".snippets", ".programs", "dist", "coverage"]);
const caches = new Set([".cache", ".vite", ".vite-temp"]);

/** Longest run of the tests of one mutation: a broken program may never end by itself. */
const PATIENCE_MS = 180_000;

const UNCLEAR = "vitest failed, and its report has no failed test";

/** A copy of the repository for code that is broken on purpose. What it installed is shared by links. */
export class Trial {
  readonly folder: string;

  constructor(root: string) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "turnkit-mutations-")));
    for (const name of readdirSync(root)) {
      if (name === "node_modules") continue;
      cpSync(join(root, name), join(this.folder, name), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => !unneeded.has(path.slice(path.lastIndexOf("/") + 1)),
      });
    }
    // A folder of its own, so that caches are not shared.
    mkdirSync(join(this.folder, "node_modules"));
    for (const name of readdirSync(join(root, "node_modules"))) {
      if (!caches.has(name)) symlinkSync(join(root, "node_modules", name), join(this.folder, "node_modules", name));
    }
  }

  path(file: string): string {
    return join(this.folder, file);
  }

  /** Runs tests, for `patienceMs` at most; those whose name holds none of the words are left out. */
  run(selection: Selection, patienceMs = PATIENCE_MS): Outcome {
    // One red test is enough. Where each broken test waits for its time limit, all together would take too long.
    const first = this.#runOnce(selection, patienceMs, ["--bail=1"]);
    // Under load, vitest may stop all workers before the red test is in the report.
    return first ?? this.#runOnce(selection, patienceMs, []) ?? { passed: [], failed: [], fault: UNCLEAR };
  }

  /** Returns `undefined` if vitest failed and reported no failure. */
  #runOnce({ files, words }: Selection, patienceMs: number, flags: readonly string[]): Outcome | undefined {
    const projects = [...new Set(files.map((file) => file.split("/")[1]))];
    const output = this.path(".mutation-report.json");
    rmSync(output, { force: true });
    const { error, status, stderr } = spawnSync(
      process.execPath,
      [
        this.path("node_modules/vitest/vitest.mjs"),
        "run",
        "--reporter=json",
        // Quicker, and enough: the run without a mutation shows that the tests do not disturb each other.
        "--pool=threads",
        "--no-isolate",
        ...flags,
        `--outputFile=${output}`,
        ...projects.map((name) => `--project=${name}`),
        `--testNamePattern=${words.map(escaped).join("|")}`,
        ...files.map((file) => this.path(file)),
      ],
      { cwd: this.folder, encoding: "utf8", timeout: patienceMs, killSignal: "SIGKILL" },
    );
    if (error !== undefined) return { passed: [], failed: [], fault: error.message };
    try {
      const outcome = this.#read(JSON.parse(readFileSync(output, "utf8")));
      const isUnclear = status !== 0 && outcome.failed.length === 0 && outcome.fault === undefined;
      return isUnclear ? undefined : outcome;
    } catch {
      return { passed: [], failed: [], fault: `vitest wrote no report: ${stderr.trim()}` };
    }
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #read({ testResults }: Report): Outcome {
    const named = (wanted: string): readonly string[] =>
      testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === wanted)
          .map(({ fullName }) => `${relative(this.folder, name)}: ${fullName}`),
      );
    const unread = testResults.find(({ status, assertionResults }) => status === "failed" && !assertionResults.length);
    const outcome = { passed: named("passed"), failed: named("failed") };
    return unread === undefined ? outcome : { ...outcome, fault: unread.message };
  }
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
