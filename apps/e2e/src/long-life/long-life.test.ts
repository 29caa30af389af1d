import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cell, cells, nameOf } from "./cell.js";
import { type Measuring, prepareMeasuring } from "./measure.js";

// The short version of `npx -y pnpm@10 long-life`: fewer prompts, and a bound for each of them.
const [early, late] = [1_500, 3_500];

/** Bytes that a prompt may leave behind. Optimised code and caches take up to about 250 of these few prompts. */
const mostPerPrompt = 450;

let measuring: Measuring;

beforeAll(async () => {
  measuring = await prepareMeasuring();
});

afterAll(() => measuring.remove());

const short = cells.filter(
  ({ side, dialect, manner }) =>
    (side === "agent" && (manner === "unruly" || dialect === "v1")) || (side === "client" && dialect === "v2"),
);

test.each(short.map((cell): [string, Cell] => [nameOf(cell), cell]))(
  "defect B9: prompts leave nothing behind on their session: %s",
  async (_, cell) => {
    const [one, two] = await measuring.measure(cell, [early, late]);
    expect(((two?.heap ?? 0) - (one?.heap ?? 0)) / (late - early)).toBeLessThan(mostPerPrompt);
  },
  60_000,
);
