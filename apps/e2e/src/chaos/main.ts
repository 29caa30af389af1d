import { parseArgs } from "node:util";
import { type ChaosReport, runChaos } from "./chaos.js";

// Conversations with faults and deaths; ends with 1 if one left an orphan, a hang or a lost turn, or if memory grew.
// npx -y pnpm@10 chaos --conversations 1000 --seed 7; one again: --from 123 --conversations 1
const { values } = parseArgs({
  options: {
    conversations: { type: "string", default: "1000" },
    seed: { type: "string", default: "20261121" },
    from: { type: "string", default: "0" },
    "at-once": { type: "string", default: "8" },
  },
});
const [conversations, seed, from, atOnce] = [
  Number(values.conversations),
  Number(values.seed),
  Number(values.from),
  Number(values["at-once"]),
];
if (!(conversations > 0) || !(atOnce > 0) || !Number.isInteger(seed) || !Number.isInteger(from)) {
  throw new TypeError("--conversations, --seed, --from and --at-once are whole numbers.");
}

const mebibytes = (bytes: number): number => Math.round(bytes / 1024 ** 2);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
/** Fewer than these are the warming up of the process. */
const enoughForMemory = 200;

const rejections: unknown[] = [];
process.on("unhandledRejection", (reason) => rejections.push(reason));

const started = performance.now();
const onProgress = (done: number) => {
  if (done % 100 === 0) console.log(`${done} in ${Math.round((performance.now() - started) / 1000)} s`);
};
process.exitCode = tell(await runChaos({ conversations, seed, from, atOnce, onProgress })) ? 0 : 1;

function tell({ findings, rss, strays }: ChaosReport): boolean {
  const sum = (of: (finding: (typeof findings)[number]) => number) =>
    findings.reduce((total, finding) => total + of(finding), 0);
  const bad = ["orphans", "hangs", "lost", "failures"] as const;
  for (const { index, ...finding } of findings) {
    for (const kind of bad) for (const what of finding[kind]) console.log(`conversation ${index}, ${kind}: ${what}`);
  }
  for (const pid of strays) console.log(`process ${pid} was left`);
  for (const reason of rejections) console.log("unhandled rejection:", reason);
  const quarter = Math.ceil(rss.length / 4);
  const [first, last] = [mean(rss.slice(0, quarter)), mean(rss.slice(-quarter))];
  const isFlat = rss.length < enoughForMemory || last <= first * 1.1 + 8 * 1024 ** 2;
  console.table({
    seed,
    conversations: findings.length,
    seconds: Math.round((performance.now() - started) / 1000),
    "agent processes": sum(({ groups }) => groups),
    "prompts sent": sum(({ sent }) => sent),
    "turns acknowledged": sum(({ acknowledged }) => acknowledged),
    "sessions restored": sum(({ restored }) => Number(restored)),
    ...Object.fromEntries(bad.map((kind) => [kind, sum((finding) => finding[kind].length)])),
    "stray processes": strays.length,
    "unhandled rejections": rejections.length,
    "RSS of the first quarter, MiB": mebibytes(first),
    "RSS of the last quarter, MiB": mebibytes(last),
  });
  const isClean = bad.every((kind) => findings.every((finding) => finding[kind].length === 0));
  const isGood = isClean && isFlat && strays.length === 0 && rejections.length === 0;
  console.log(isGood ? "all held" : "broken");
  return isGood;
}
