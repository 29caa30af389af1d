import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.js";

/** A row of the protocol's catalogues: `V1-RPC-01`, `MUST`. */
export type Requirement = { readonly id: string; readonly level: string };

/** Every requirement of both catalogues. */
export function readRequirements(): readonly Requirement[] {
  return readTable("requirements.tsv").map(([id = "", level = ""]) => ({ id, level: level.replace("*", "") }));
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
