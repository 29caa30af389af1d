import { describe, expect, it, vi } from "vitest";
import { openInteractive } from "./interactive.js";
import { marked } from "./scripts.js";

// Each starts two programs from their sources.
vi.setConfig({ testTimeout: 120_000 });

/** Sizes of a terminal, one for each moment of the answer. */
const sizes: Readonly<Record<string, readonly (readonly [columns: number, rows: number])[]>> = {
  "80 × 24": [
    [60, 24],
    [100, 30],
    [40, 20],
    [80, 24],
    [50, 15],
    [120, 40],
    [79, 24],
    [41, 20],
    [200, 60],
    [80, 24],
  ],
  "40 × 20": [
    [80, 24],
    [40, 20],
    [39, 20],
    [30, 12],
    [60, 20],
    [41, 20],
    [100, 20],
    [50, 40],
    [40, 20],
    [45, 18],
  ],
  "200 × 60": [
    [100, 30],
    [200, 60],
    [80, 24],
    [120, 50],
    [60, 24],
    [199, 60],
    [90, 20],
    [40, 20],
    [100, 60],
    [80, 24],
  ],
  "200 × 50": [
    [30, 12],
    [200, 60],
    [30, 12],
    [120, 40],
    [30, 10],
    [200, 60],
    [40, 12],
    [100, 30],
    [30, 12],
    [200, 60],
  ],
};

describe("defect P11: a terminal that changes its size at ten moments of an answer", () => {
  it.each(Object.entries(sizes))(
    "from %s has each sentence once, and no old line of the panel",
    async (start, moments) => {
      const [columns = 80, rows = 24] = start.split(" × ").map(Number);
      await using client = await openInteractive({ script: "marked blocks", columns, rows });
      const { terminal, gates } = client;
      await client.ask("Go");
      for (const [block, [width, height]] of moments.entries()) {
        const last = marked.end(block, marked.sentences - 3);
        await terminal.until((screen) => screen.replace(/\s/g, "").includes(last));
        terminal.resize(width, height);
        await terminal.until((screen) => screen.split("\n").includes("─".repeat(width)));
        gates.open(`block ${block}`);
      }
      await terminal.until((screen) => !screen.includes("Working") && /^❯$/m.test(screen));
      const shown = terminal.transcript();
      const text = shown.replace(/\s/g, "");
      const count = (mark: string) => text.split(mark).length - 1;
      const counts = Array.from({ length: marked.blocks }, (_, block) =>
        Array.from({ length: marked.sentences }, (_, n) => [count(marked.mark(block, n)), count(marked.end(block, n))]),
      );
      expect(counts).toEqual(counts.map((sentences) => sentences.map(() => [1, 1])));
      expect(shown).not.toMatch(/Working|lines above/);
      expect(shown.match(/─+/g)).toEqual(["─".repeat(moments.at(-1)?.[0] ?? 0)]);
      expect(shown.match(/scripted-agent/g)).toHaveLength(1);
    },
  );
});

describe("a question that waits while the terminal jumps to another size", () => {
  it.each([
    ["permission", "? Permission: Edit price.ts", "1) Write it", "Then not."],
    ["long command", "? Permission: Run the tests", "1) Run it", "Ran."],
  ])("stays on the screen with its answers, and one key answers it: %s", async (script, title, answer, said) => {
    await using client = await openInteractive({ script, columns: 200, rows: 60 });
    const { terminal } = client;
    const dense = (text: string) => text.replace(/\s/g, "");
    await client.ask("Go");
    await terminal.until((screen) => screen.includes(title) && screen.includes(answer));
    for (const [columns, rows] of [
      [30, 12],
      [200, 60],
      [24, 10],
      [80, 24],
      [30, 12],
    ] as const) {
      terminal.resize(columns, rows);
      await terminal.until((screen) => {
        const isDrawn = screen.split("\n").includes("─".repeat(columns));
        return isDrawn && dense(screen).includes(dense(title)) && dense(screen).includes(dense(answer));
      });
    }
    terminal.type(script === "permission" ? "n" : "y");
    await terminal.until((screen) => dense(screen).includes(dense(said)) && !screen.includes("Permission"));
  });
});
