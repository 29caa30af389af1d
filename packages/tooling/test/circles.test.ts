import { expect, test } from "vitest";
import { circlesIn, circleViolations } from "../src/rule/circles.js";
import { readWorkspaces } from "../src/workspace.js";
import { fixture } from "./fixture.js";

test("no circle of files, type imports included, in any package or app", () => {
  expect(circleViolations(readWorkspaces())).toEqual([]);
});

const found = (texts: Record<string, string>) => circlesIn(fixture("packages/agent", texts));

test.for([
  ["two files", { "src/a.ts": `import "./b.js"`, "src/b.ts": `import "./a.js"` }],
  ["types", { "src/a.ts": `import type { B } from "./b.js"`, "src/b.ts": `import type { A } from "./a.js"` }],
  ["a re-export", { "src/a.ts": `export { b } from "./b.js"`, "src/b.ts": `import { a } from "./a.js"` }],
  ["an import type", { "src/a.ts": `type B = import("./b.js").B`, "src/b.ts": `import "./a.js"` }],
  ["a dynamic import", { "src/a.ts": `await import("./b.js")`, "src/b.ts": `import "./a.js"` }],
  ["a file of JSX", { "src/a.ts": `import "./b.js"`, "src/b.tsx": `import "./a.js"` }],
  ["itself", { "src/a.ts": `import "./a.js"` }],
  ["folders", { "src/a.ts": `import "./b/c.js"`, "src/b/c.ts": `import "../d.js"`, "src/d.ts": `import "./a.js"` }],
] as const)("a circle through %s is found", ([, texts]) => {
  const all = Object.keys(texts).map((path) => `packages/agent/${path}`);
  expect(found(texts)).toEqual([all]);
});

test("circles apart are told apart", () => {
  const pair = (a: string, b: string) => ({
    [`src/${a}.ts`]: `import "./${b}.js"`,
    [`src/${b}.ts`]: `import "./${a}.js"`,
  });
  expect(found({ ...pair("a", "b"), ...pair("c", "d"), "src/e.ts": `import "./a.js"; import "./c.js"` })).toEqual([
    ["packages/agent/src/a.ts", "packages/agent/src/b.ts"],
    ["packages/agent/src/c.ts", "packages/agent/src/d.ts"],
  ]);
});

test("a tree, a diamond and packages are no circle", () => {
  const diamond = {
    "src/a.ts": `import "./b.js"; import "./c.js"; import "@turnkit/agent"`,
    "src/b.ts": `import "./d.js"`,
    "src/c.ts": `import "./d.js"; import "./b.js"`,
    "src/d.ts": "",
  };
  expect(found(diamond)).toEqual([]);
});

const circle = fixture("packages/agent", { "src/a.ts": `import "./b.js"`, "src/b.ts": `import "./a.js"` });

test("a circle is a violation that names its files", () => {
  expect(circleViolations([circle])).toEqual(["a circle of files: packages/agent/src/a.ts, packages/agent/src/b.ts"]);
});
