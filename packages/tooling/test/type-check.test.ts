import { expect, test } from "vitest";
import { checkSnippets, fileOf, namePages, snippetsIn } from "../src/snippets.js";
import { checkTypes, isOwnFailure } from "../src/type-check.js";
import { readWorkspaces } from "../src/workspace.js";

// One program for all: each package alone would check again what it imports.
const tree = checkTypes("packages/tooling/tsconfig.tree.json");

for (const { folder } of readWorkspaces().filter(({ files }) => files.length > 0)) {
  test.concurrent(`${folder} type-checks`, async () => {
    const { output } = await tree;
    expect(output.split("\n").filter((line) => line.startsWith(`${folder}/`))).toEqual([]);
  });
}

test("the whole tree type-checks", async () => {
  const { ok, output } = await tree;
  expect(ok, output).toBe(true);
});

test("snippets of pages and docstrings type-check", async () => {
  const { ok, output } = await checkSnippets();
  expect(ok, output).toBe(true);
});

test("snippets keep the page's line", () => {
  const page = "# Title\n\n```ts\nconst a = 1;\n```\n\n```sh\nls\n```\n";
  const [snippet] = snippetsIn("packages/agent/README.md", page);
  expect(snippetsIn("packages/agent/README.md", page)).toHaveLength(1);
  expect(snippet && fileOf(snippet)).toEqual({
    name: "packages__agent__README.md/line-4.ts",
    text: "\n\n\nconst a = 1;\nexport {};\n",
  });
  expect(namePages("apps/e2e/.snippets/7/packages__agent__README.md/line-4.ts(4,7): error TS1")).toBe(
    "packages/agent/README.md:4:7: error TS1",
  );
});

test("a fence may name its file", () => {
  const [snippet] = snippetsIn("README.md", "```ts\n// agent.ts\nexport default 1;\n```");
  expect(snippet && fileOf(snippet).name).toBe("README.md/agent.ts");
});

test("a fence with JSX gets a file for it", () => {
  const [snippet] = snippetsIn("README.md", "```tsx\nconst a = <p />;\n```");
  expect(snippet && fileOf(snippet).name).toBe("README.md/line-2.tsx");
});

test("docstrings lose their stars, code keeps its fences", () => {
  const source = "/**\n * Doc.\n * @example\n * ```ts\n * a();\n * ```\n */\nconst page = `\n```ts\nno\n```\n`;";
  expect(snippetsIn("packages/agent/src/a.ts", source)).toEqual([
    { path: "packages/agent/src/a.ts", line: 4, code: "a();" },
  ]);
});

test.each([
  [false, "node_modules/ai/dist/index.d.ts(1,2): error TS1: x\n  more about it\n"],
  [false, "../node_modules/.pnpm/ai@6/node_modules/ai/a.d.ts(1,2): error TS1: x"],
  [true, "node_modules/ai/dist/index.d.ts(1,2): error TS1: x\nevery-entry.ts(1,2): error TS1: x"],
  [true, "node_modules/@turnkit/react/dist/index.d.ts(1,2): error TS1: x"],
  [true, "error TS5023: unknown option"],
  [true, ""],
])("is an own failure: %s, %j", (expected, output) => expect(isOwnFailure(output)).toBe(expected));
