import { expect, test } from "vitest";
import { pinViolations } from "../src/rule/pins.js";
import { skinViolations } from "../src/rule/skin.js";
import { readWorkspaces, type Workspace } from "../src/workspace.js";
import { fixture, manifestOf } from "./fixture.js";

test("every package has the same skin", () => {
  expect(skinViolations(readWorkspaces())).toEqual([]);
});

test("every entry's export names are pinned", () => {
  expect(pinViolations(readWorkspaces())).toEqual([]);
});

const exports = manifestOf("agent").exports ?? {};
const published = Object.fromEntries(
  Object.entries(exports).map(([entry, target]) => {
    const { "@turnkit/source": _, ...conditions } = target as Record<string, string>;
    return [entry, conditions];
  }),
);

const manifest = {
  name: "@turnkit/agent",
  version: "0.1.0",
  description: "An agent",
  keywords: [],
  license: "Apache-2.0",
  type: "module",
  sideEffects: false,
  engines: { node: ">=20.19" },
  exports: { ...exports, "./package.json": "./package.json" },
  files: ["dist", "src", "!src/**/*.test.ts"],
  publishConfig: { access: "public", exports: { ...published, "./package.json": "./package.json" } },
  scripts: { build: "tsup" },
  devDependencies: {},
} as const;

const dressed: Partial<Workspace> = {
  manifest,
  topLevel: ["README.md", "package.json", "src", "test", "tsconfig.build.json", "tsconfig.json", "tsup.config.ts"],
  readme: "# agent\n\n```ts\nrun();\n```\n",
};

const skins = (change: Partial<Workspace>) => [
  ...skinViolations([
    fixture("packages/client", { "src/index.ts": "" }, dressed),
    fixture("packages/agent", { "src/index.ts": "" }, { ...dressed, ...change }),
  ]),
];

test("a package that looks like the others passes", () => {
  expect(skins({})).toEqual([]);
});

const turned = { types: "./dist/index.d.ts", "@turnkit/source": "./src/index.ts", default: "./dist/index.js" };
const { sideEffects: _, ...withoutSideEffects } = manifest;

test.for<[string, Partial<Workspace>, string]>([
  ["a file of its own", { topLevel: [...(dressed.topLevel ?? []), "jest.config.js"] }, "has jest.config.js"],
  ["a file too few", { topLevel: dressed.topLevel?.slice(1) }, "lacks README.md"],
  ["no example", { readme: "# agent" }, "no ```ts example"],
  ["own scripts", { manifest: { ...manifest, scripts: { build: "make" } } }, "own scripts"],
  ["a missing key", { manifest: withoutSideEffects }, "has the keys"],
  ["another licence", { manifest: { ...manifest, license: "MIT" } }, "license should be"],
  [
    "conditions in another order",
    { manifest: { ...manifest, exports: { ...manifest.exports, ".": turned } } },
    "exports should be",
  ],
  [
    "sources in the packed exports",
    { manifest: { ...manifest, publishConfig: { access: "public", exports } } },
    "publishConfig",
  ],
])("%s is found", ([, change, problem]) => {
  expect(skins(change).join("\n")).toContain(problem);
});

const pinned = `import * as entry from "../src/index.js"; expect(Object.keys(entry)).toMatchInlineSnapshot(\`["a"]\`)`;

test("an entry without a filled snapshot is found", () => {
  const withPin = (text: string) =>
    pinViolations([fixture("packages/agent", { "src/index.ts": "", "test/exports.test.ts": text })]);
  expect(withPin(pinned)).toEqual([]);
  expect(withPin(pinned.replace("../src/index.js", "@turnkit/agent"))).toEqual([]);
  expect(withPin(pinned.replace("../src/index.js", "../src/turn.js"))).toHaveLength(1);
  expect(withPin(pinned.replace('`["a"]`', ""))).toHaveLength(1);
});
