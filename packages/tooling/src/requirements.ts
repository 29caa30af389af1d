import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.js";

/** A row of the protocol's catalogues: `V1-RPC-01`, `MUST`. Rows of the Preview (`P-`) also name the side and the rule. */
export type Requirement = { readonly id: string; readonly level: string };

/** Every requirement of the catalogues. A `MUST NOT` counts as a `MUST`. */
export function readRequirements(): readonly Requirement[] {
  return readTable("requirements.tsv").map(([id = "", level = ""]) => ({ id, level: level.replace(/\*| NOT/, "") }));
}

/** Requirements of a group that tests need not cite yet, by group. A group that is not here is complete. */
export function readOpen(): ReadonlyMap<string, number> {
  return new Map(readTable("open-requirements.tsv").map(([group = "", count]) => [group, Number(count)]));
}

/** Ids of defects that were found and fixed; a test of the title `defect B1: …` guards each. */
export function readDefects(): readonly string[] {
  return readTable("defects.tsv").map(([id = ""]) => id);
}

/** The requirements that no test of this repository can show, with the reason of each. */
export function readExempt(): ReadonlyMap<string, string> {
  return new Map(readTable("not-testable.tsv").map(([id = "", reason = ""]) => [id, reason]));
}

/** Reads a table of `packages/tooling/spec`: its rows as cells. */
export function readTable(name: string): string[][] {
  const text = readFileSync(join(root, "packages/tooling/spec", name), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"));
}
