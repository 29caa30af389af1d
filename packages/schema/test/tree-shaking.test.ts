import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as vocabulary from "../src/vocabulary.js";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

// Who imports one constant should get one constant. Bundlers drop the others only if nothing in them could have an effect.
describe("unused definitions can be dropped", () => {
  it("the build marks every word of the vocabulary as pure", () => {
    const config = read("tsup.config.ts");
    const pattern = new RegExp(/\/\(\?<!\[\.\\w\]\)\((.*)\)\\\(\/g/.exec(config)?.[1] ?? "");
    const words = pattern.source.split("|");
    expect(words.toSorted()).toEqual(Object.keys(vocabulary).toSorted());
  });

  const folders = ["both", "both/unstable", "v1", "v1/unstable", "v2", "v2/unstable"];
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(`../src/${folder}`, import.meta.url))
      .filter((name) => /(?<!\.test)\.ts$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  it.each(files)("%s: the build finds the definition of each second name that it drops", (name) => {
    const code = read(`src/${name}`);
    for (const [, definition] of code.matchAll(/^export const (\w+):[^=]*=\s+\1_;$/gm)) {
      expect(code).toMatch(new RegExp(`\\nconst ${definition}_\\b`));
    }
  });

  it.each(files)("%s spreads nothing and reads no member while it is loaded", (name) => {
    const code = read(`src/${name}`).replaceAll(/\/\*[\s\S]*?\*\//g, "");
    expect(code).not.toMatch(/\.\.\.|_\.\w/);
  });
});
