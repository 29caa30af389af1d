import { expect, test } from "vitest";
import { docstringViolations } from "../src/rule/docstrings.js";
import { readWorkspaces } from "../src/workspace.js";
import { fixture } from "./fixture.js";

test("every export of every entry has a docstring", () => {
  expect(docstringViolations(readWorkspaces())).toEqual([]);
});

const found = (files: Record<string, string>) => docstringViolations([fixture("packages/agent", files)]);

test.for([
  "export const a = 1;",
  "// only a comment\nexport function a() {}",
  "/* one star */\nexport class a {}",
  "/** */\nexport type a = 1;",
  "/** Of another statement. */\nimport './b.js';\nexport interface a {}",
  "const a = 1;\nexport { a };",
  "/** The schema. */\nexport const a = 1;\nexport type a = typeof a;",
])("is missing: %s", (text) => {
  const through = { "src/index.ts": `export { a as b } from "./a.js";`, "src/a.ts": text };
  expect(found(through)).toEqual([expect.stringMatching(/packages\/agent\/src\/a\.ts:\d exports a without/)]);
});

test("lists, stars and imports are followed", () => {
  const bare = "export const a = 1;";
  expect(found({ "src/node/index.ts": `export * from "../a.js"`, "src/a.ts": bare })).toHaveLength(1);
  expect(found({ "src/index.ts": `export * as all from "./a.js"`, "src/a.ts": bare })).toHaveLength(1);
  expect(found({ "src/index.ts": `import { a } from "./a.js"; export { a };`, "src/a.ts": bare })).toHaveLength(1);
});

test("documented and inner names pass", () => {
  const text = [
    "/** What it is. */",
    "// biome-ignore lint: because",
    "export function a(x: 1): 1;",
    "export function a(x: number) { return x; }",
    "export const inner = 1;",
  ].join("\n");
  const index = `export { a } from "./a.js"; export type { Other } from "@turnkit/session";`;
  expect(found({ "src/index.ts": index, "src/a.ts": text })).toEqual([]);
});
