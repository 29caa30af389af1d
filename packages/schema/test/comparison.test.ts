import { describe, expect, it } from "vitest";
import { object } from "../src/index.js";
import { compare } from "./comparison.js";
import { targets } from "./targets.js";

// The same documents on every run; `pnpm --filter @turnkit/schema parity --documents 1000000` looks at more.
const seed = 20261121;
const documents = 6000;

describe.each(targets)("$name and its official schema", (target) => {
  it("say the same of every document, apart from what is meant to differ", () => {
    const figures = compare(target, documents, seed);
    expect(figures.examples).toEqual([]);
    expect(figures).toMatchObject({ documents, unexplained: 0 });
    expect(Math.min(figures.accepted, figures.rejected)).toBeGreaterThan(documents / 6);
    expect(figures.rules.size).toBeGreaterThan(5);
  }, 60_000);
});

describe("the comparison", () => {
  it("notices a schema that takes too much, and one that takes too little", () => {
    const [target] = targets;
    if (target === undefined) throw new Error("There is a target.");
    const own = new Map(target.own);
    own.set("promptResponse", object({}));
    own.set("promptRequest", target.own.get("initializeRequest") ?? object({}));
    const { unexplained, examples } = compare({ ...target, own }, 2000, seed);
    expect(unexplained).toBeGreaterThan(10);
    expect(examples.every((example) => /^Prompt(Request|Response): we /.test(example))).toBe(true);
  }, 60_000);
});
