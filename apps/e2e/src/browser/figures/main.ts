import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { launchChromium } from "../chromium.js";
import { LONGEST_FRAME, measureOpening, measureStream } from "./figures.js";

// Measures the page in Chromium: frames while 1 000 pieces of an answer arrive in a second, and the time until a session of
// 100 000 updates is on the screen. Ends with 1 if a bar is missed. npx -y pnpm@10 page-figures; needs an idle machine
const { values } = parseArgs({
  options: {
    pieces: { type: "string", default: "1000" },
    seconds: { type: "string", default: "10" },
    updates: { type: "string", default: "100000" },
    times: { type: "string", default: "5" },
  },
});

/** Longest time until a long session is on the screen, in ms. */
const LONGEST_OPENING = 300;

const browser = await launchChromium();
if (browser === undefined) throw new Error("Chromium is not installed. CHROME_PATH names one in another place.");
const [pieces, seconds, updates] = [Number(values.pieces), Number(values.seconds), Number(values.updates)];
const median = (all: readonly number[]) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] as number;
const list = (all: readonly number[]) => all.map((ms) => Math.round(ms)).join(", ");

const stream = await measureStream(browser, pieces, seconds);
console.log(
  `${pieces} pieces a second for ${stream.seconds.toFixed(1)} s: ${stream.frames} frames, longest ${stream.longestMs} ms, ` +
    `${stream.late} over ${LONGEST_FRAME} ms, ${stream.longTasks} long tasks, ${stream.workSeconds.toFixed(1)} s of work on the main thread`,
);
const opening = await measureOpening(browser, updates, Number(values.times));
console.log(`${updates} updates, opened with ${opening.entries} entries, of which ${opening.drawn} have elements:`);
console.log(
  `  from the click to the newest text: ${list(opening.clickMs)} ms, median ${Math.round(median(opening.clickMs))}`,
);
console.log(
  `  from the navigation: ${list(opening.navigationMs)} ms, median ${Math.round(median(opening.navigationMs))}`,
);
console.log(`  work of the main thread after the click: ${list(opening.workMs)} ms`);
console.log(`  the earlier entries, when a person scrolls up: ${Math.round(opening.earlierMs)} ms`);
console.log(`load ${loadavg()[0]?.toFixed(1)}`);
await browser.close();
const holds = stream.late === 0 && median(opening.clickMs) <= LONGEST_OPENING;
console.log(holds ? "all held" : "missed");
process.exit(holds ? 0 : 1);
