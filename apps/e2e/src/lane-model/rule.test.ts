import { describe, expect, test } from "vitest";
import { explore, exploreCalls, has, scripts, series } from "./explore.js";
import type { Frame } from "./rule.js";

const short = (frame: Frame): string => ("program" in frame ? `${frame.lane}: ${frame.program}` : frame.kind);

describe("the rule of lanes, explored in every order for three listeners in two sessions", () => {
  test("defect B3, defect B6: as it was, a question waits for ever, and reading stops for ever", () => {
    const found = { question: 0, across: 0 };
    for (const script of scripts(2, 3)) {
      const { what } = explore(script, "was");
      if (what === "nothing moves" && !has(script, "awaits")) found.question += 1;
      if (what === "reading has stopped" && !has(script, "asked here", "asked there", "chained")) found.across += 1;
    }
    expect(found.question).toBeGreaterThan(0);
    expect(found.across).toBeGreaterThan(0);
  });

  test("as it is, everything ends in every order, within the bounds", () => {
    let states = 0;
    const faults: unknown[] = [];
    for (const script of [...scripts(3, 1), ...scripts(2, 3)]) {
      const { states: count, what, steps } = explore(script, "is");
      states += count;
      if (what !== undefined) faults.push({ what, steps, script: script.map(short) });
    }
    expect(faults).toEqual([]);
    expect(states).toBeGreaterThan(50_000);
  }, 120_000);

  test("with room for one listener beside an earlier one, no more run so; what is passed no more may wait for ever", () => {
    const found = new Set<string | undefined>();
    for (const script of [...scripts(3, 0), ...scripts(2, 3)]) found.add(explore(script, "is", 1).what);
    // Nothing moves: a question waits behind a listener that started beside an earlier one.
    expect([...found].sort()).toEqual(["nothing moves", "reading has stopped", undefined]);
  }, 120_000);
});

describe("the rule of calls in order, explored in every order for three calls in two sessions", () => {
  test("defect B4, defect B5: as it was, a cancel is not read, and two calls of a session run at once", () => {
    const found = new Set([...series(3)].map((calls) => exploreCalls(calls, "was").what));
    expect(found).toContain("a cancel is not read");
    expect(found).toContain("two calls of a session run at once");
  });

  test("as it is, neither happens", () => {
    const faults = [...series(3)].filter((calls) => exploreCalls(calls, "is").what !== undefined);
    expect(faults).toEqual([]);
  });
});
