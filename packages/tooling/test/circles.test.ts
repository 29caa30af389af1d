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

test("the list of what is left allows what it names, and shrinks only", () => {
  expect(circleViolations([circle], { "packages/agent": 2 })).toEqual([]);
  expect(circleViolations([circle], { "packages/agent": 1 })[0]).toContain(
    "has 2 files in circles of imports, allowed: 1",
  );
  expect(circleViolations([circle], { "packages/agent": 3 })[0]).toContain("shrinks only: write 2 in its row");
  expect(circleViolations([], { "packages/agent": 2 })[0]).toContain("shrinks only: delete its row");
  expect(circleViolations([], { "packages/agent": 0 })[0]).toContain("shrinks only: delete its row");
});
