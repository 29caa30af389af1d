import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { foreignTexts } from "./foreign-text.js";
import { isLinear, measure } from "./linear-time.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const MiB = 1024 * 1024;

describe.each(foreignTexts)("$name ($file)", ({ file, run, hostile, length = MiB }) => {
  test("defect S7: it takes at most 200 ms for 1 MiB of any hostile text, and twice the time for twice the text", async () => {
    const module: unknown = await import(pathToFileURL(join(root, file)).href);
    const slow = hostile.flatMap((text) => {
      const times = measure((one) => run(module, one), text, length);
      return isLinear(times) ? [] : [{ ...text, times: times.map(Math.round) }];
    });
    expect(slow).toEqual([]);
  }, 300_000);
});
