import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { converse, type Findings, groupsMs } from "./conversation.js";
import { planConversation } from "./plan.js";
import { startedWith, whenGone } from "./process-groups.js";

/** Amount of chaos. */
export type ChaosOptions = {
  readonly conversations: number;
  readonly seed: number;
  /** The number of the first conversation; to play one again that went wrong. */
  readonly from?: number;
  readonly atOnce?: number;
  readonly onProgress?: (done: number) => void;
};

/** Findings of a run. */
export type ChaosReport = {
  readonly findings: readonly Findings[];
  /** Memory of this process after each conversation, in bytes. */
  readonly rss: readonly number[];
  /** Processes that lived at the end, in any group: agents and their children, clients, watchdogs. */
  readonly strays: readonly number[];
};

/** Runs conversations, several at once, each with its own folder and processes. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { conversations, seed, from = 0, atOnce = 8, onProgress = () => {} } = options;
  const root = await mkdtemp(join(tmpdir(), "turnkit-chaos-"));
  const findings: Findings[] = [];
  const rss: number[] = [];
  const { PATH } = process.env;
  try {
    const programs = await buildPrograms(root);
    // A mark by which all that is started from here on is known; the one variable that watchdogs inherit.
    process.env.PATH = `${PATH}:${root}`;
    let next = from;
    const worker = async (): Promise<void> => {
      while (next < from + conversations) {
        findings.push(await converse(planConversation(seed, next++), programs, root));
        rss.push(process.memoryUsage().rss);
        onProgress(findings.length);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return { findings, rss, strays: await whenGone(() => startedWith(root), groupsMs) };
  } finally {
    process.env.PATH = PATH;
    await rm(root, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Built, as users run them: a loader of TypeScript sources would take most of the time. */
async function buildPrograms(root: string): Promise<{ agent: string; client: string }> {
  await build({
    entryPoints: ["agent-main.ts", "client-main.ts"].map((name) => fileURLToPath(new URL(name, import.meta.url))),
    outdir: root,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    conditions: ["@turnkit/source"],
  });
  return { agent: join(root, "agent-main.mjs"), client: join(root, "client-main.mjs") };
}
