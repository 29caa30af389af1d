import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { foreignParsers } from "./foreign-parsers.js";
import { isLinear, measure, slowestFirst } from "./linear-time.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const MiB = 1024 * 1024;

const same = (text: string): unknown => text;

/** Number of texts of a parser that are measured at length. `LINEAR_SHOW=1` prints their times. */
const MEASURED = process.env.LINEAR_SLACK === undefined ? 2 : 4;

describe.each(foreignParsers)("$name ($file)", ({ name, file, input = same, run, hostile, length = MiB }) => {
  test("defect S7: it takes at most 200 ms for 1 MiB of any hostile text, and twice the time for twice the text", async () => {
    const module: unknown = await import(pathToFileURL(join(root, file)).href);
    const work = { input, run: (one: unknown) => run(module, one) };
    const slow: object[] = [];
    // A short text tells the slow pieces from the fast ones. The whole length would take minutes for all of them.
    const texts = await slowestFirst(work, hostile, Math.min(length, MiB / 64));
    for (const text of texts.slice(0, MEASURED)) {
      const times = await measure(work, text, length);
      const shown = { ...text, times: times.map(Math.round) };
      if (process.env.LINEAR_SHOW) console.info(JSON.stringify({ name, ...shown }));
      if (!isLinear(times, length)) slow.push(shown);
    }
    expect(slow).toEqual([]);
  }, 300_000);
});

test("the measure tells a cost that grows by the square from one that grows in proportion", async () => {
  const length = 4_000;
  // A character takes the same time in both. The first reads as many for each character as there are before it.
  const read = (count: number) => {
    let sum = 0;
    for (let at = 0; at < count; at++) sum = (sum + Math.sqrt(at)) % 7;
    return sum;
  };
  const timesOf = (reads: (text: string) => number, rounds?: number) =>
    measure(
      { input: same, run: (text) => read(reads(text as string)), ...(rounds && { rounds }) },
      { piece: "a" },
      length,
    );
  // The square is too slow in every round, so it needs only few.
  const square = await timesOf((text) => (text.length * text.length) / 2, 3);
  const straight = await timesOf((text) => text.length * (length / 2));
  expect([isLinear(square, length), isLinear(straight, length)]).toEqual([false, true]);
}, 300_000);
