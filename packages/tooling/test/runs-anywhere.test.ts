import { expect, test } from "vitest";
import { runsAnywhereViolations } from "../src/rule/runs-anywhere.js";
import { readWorkspaces } from "../src/workspace.js";
import { fixture } from "./fixture.js";

test("root entries run anywhere", () => {
  expect(runsAnywhereViolations(readWorkspaces())).toEqual([]);
});

const reached = (text: string) =>
  runsAnywhereViolations([fixture("packages/agent", { "src/index.ts": `export * from "./a.js"`, "src/a.ts": text })]);

test.for([
  `import { readFile } from "node:fs/promises"`,
  `import "fs"`,
  `import type { Readable } from "node:stream"`,
  `import "@turnkit/transport/node"`,
  `export const now = () => process.uptime()`,
  `export const bytes: Buffer = make()`,
  `export type Timer = NodeJS.Timeout`,
])("a file behind the root entry must not say: %s", (text) => {
  expect(reached(text)).toEqual([expect.stringContaining("packages/agent/src/a.ts:1")]);
});

test("the way into a node folder is followed", () => {
  const files = { "src/index.ts": `export * from "./node/index.js"`, "src/node/index.ts": `import "node:fs"` };
  expect(runsAnywhereViolations([fixture("packages/agent", files)])).toHaveLength(1);
});

test("node folders, members and tests are free", () => {
  const files = { "src/index.ts": "", "src/node/index.ts": `import "node:fs"`, "src/a.test.ts": `import "node:fs"` };
  expect(runsAnywhereViolations([fixture("packages/agent", files)])).toEqual([]);
  expect(reached("export const a = { process: globalThis.process };")).toEqual([]);
});

test("a file with Node's modules belongs into a node folder, even if no root entry reaches it", () => {
  const files = { "src/index.ts": "", "src/remote/server.ts": `import { request } from "node:http"` };
  expect(runsAnywhereViolations([fixture("packages/agent", files)])).toEqual([
    "packages/agent/src/remote/server.ts:1 imports node:http, and is in no folder node/",
  ]);
});
