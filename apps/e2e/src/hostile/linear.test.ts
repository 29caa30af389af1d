import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { foreignTexts } from "./foreign-text.js";
import { isLinear, measure, slowestFirst } from "./linear-time.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const MiB = 1024 * 1024;

describe.each(foreignTexts)("$name ($file)", ({ file, run, hostile, length = MiB }) => {
  test("defect S7: it takes at most 200 ms for 1 MiB of any hostile text, and twice the time for twice the text", async () => {
    const module: unknown = await import(pathToFileURL(join(root, file)).href);
    const work = (one: string) => run(module, one);
    // A short text tells the slow pieces from the fast ones. The whole length would take minutes for all of them.
    const slow = slowestFirst(work, hostile, length / 16)
      .slice(0, 8)
      .flatMap((text) => {
        const times = measure(work, text, length);
        return isLinear(times) ? [] : [{ ...text, times: times.map(Math.round) }];
      });
    expect(slow).toEqual([]);
  }, 300_000);
});
