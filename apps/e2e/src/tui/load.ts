import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runSource } from "../process/source.js";
import { piecesOfARound } from "./chatty-text.js";
import { keys, PseudoTerminal } from "./pseudo-terminal.js";

// Measures the interactive client, as it is built: from its start to its first frame, and while an answer of 10 000 pieces
// streams in over ten seconds.
const [chunks = 10_000, overMs = 10_000] = process.argv.slice(2).map(Number);
const limits = { firstFrame: 250, core: 25, megabytes: 130 };
/** Number of starts that are measured. */
const STARTS = 9;

const program = fileURLToPath(new URL("../../../node-client/dist/main.js", import.meta.url));
const agent = runSource(new URL("./chatty-agent-main.ts", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "turnkit-load-"));
const report = join(folder, "usage.json");
/** Runs in the client: what it took, by its own account, when it ends. */
const probe = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from "node:fs";
  process.on("exit", () => writeFileSync(${JSON.stringify(report)}, JSON.stringify(process.resourceUsage())));
`)}`;

const firstFrame = await timeOfFirstFrame();
const terminal = await PseudoTerminal.open({
  command: [process.execPath, "--import", probe, program, "--", ...agent, String(chunks), String(overMs)],
  cwd: folder,
});
await terminal.until(/❯/);
const before = terminal.written;
terminal.type(`Go${keys.enter}`);
await terminal.until(/Working/);
const start = performance.now();
await terminal.until((screen) => !screen.includes("Working"), 10 * overMs);
const shown = terminal.transcript();
if (!shown.includes(`Part ${Math.floor((chunks - 1) / piecesOfARound)}`))
  throw new Error(`The answer is not whole:\n${shown.slice(-2000)}`);
const seconds = (performance.now() - start) / 1000;
const written = terminal.written - before;
terminal.type(keys.ctrlC);
terminal.type(keys.ctrlC);
await terminal.exited;
const usage = JSON.parse(await readFile(report, "utf8")) as NodeJS.ResourceUsage;
await terminal[Symbol.asyncDispose]();
await rm(folder, { recursive: true, force: true, maxRetries: 10 });

const cpuSeconds = (usage.userCPUTime + usage.systemCPUTime) / 1e6;
const core = (cpuSeconds / seconds) * 100;
const megabytes = usage.maxRSS / 1024;
console.log(`${firstFrame.toFixed(0)} ms to the first frame (limit ${limits.firstFrame} ms)`);
console.log(`${chunks} pieces in ${seconds.toFixed(1)} s`);
console.log(
  `${cpuSeconds.toFixed(2)} s of CPU, its start included: ${core.toFixed(0)} % of one core (limit ${limits.core} %)`,
);
console.log(`${megabytes.toFixed(0)} MB at most (limit ${limits.megabytes} MB)`);
console.log(`${Math.round(written / 1024)} KiB written to the terminal`);
process.exit(firstFrame < limits.firstFrame && core < limits.core && megabytes < limits.megabytes ? 0 : 1);

/** Returns the median time of several starts, in milliseconds. The agent says nothing, so that it takes no time. */
async function timeOfFirstFrame(): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const began = performance.now();
    await using silent = await PseudoTerminal.open({
      command: [process.execPath, program, "--", "sleep", "60"],
      cwd: folder,
    });
    await silent.until(/❯/);
    times.push(performance.now() - began);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(STARTS / 2)] ?? Number.NaN;
}
