import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { anchorsIn, linkViolations, type Page, packedLinkViolations, placesIn, readPages } from "../src/rule/links.js";
import { readWorkspaces, root } from "../src/workspace.js";
import { fixture, manifestOf } from "./fixture.js";

test("defect F16: every link of every page of the repository leads somewhere", () => {
  const pages = readPages(root);
  expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(["README.md", "docs/order.md"]));
  expect(linkViolations(pages, placesIn(root))).toEqual([]);
});

test("defect F16: no link of a package README is dead in the package's tarball", () => {
  expect(packedLinkViolations(readWorkspaces())).toEqual([]);
});

test("defect F16: each of the three examples has a test that runs it", () => {
  for (const name of ["jailed-client", "model-agent", "web-page"]) {
    expect(readdirSync(join(root, "examples", name))).toContain(`${name}.test.ts`);
  }
});

test("defect F11: no page answers a permission question by the position of an option", () => {
  const choosing = /options\s*(?:\?\.)?\[\s*0\s*\]|options\.at\(0\)|\{\s*options\s*:\s*\[/;
  const found = readPages(root).filter(({ text }) => choosing.test(text.replace(/options: \[\s*\{/g, "")));
  expect(found.map(({ path }) => path)).toEqual([]);
  const client = readPages(root).find(({ path }) => path === "README.md")?.text ?? "";
  expect(client).toMatch(/permissions: allowOnce/);
});

const packed = (readme: string, isPrivate = false) => {
  const manifest = manifestOf("agent", { files: ["dist", "src"], private: isPrivate });
  return packedLinkViolations([fixture("packages/agent", {}, { manifest, readme })]);
};

test.for(["../../docs/order.md", "../client", "test/fixture.ts", "sources/a.ts"])(
  "a README may not lead to %s",
  (target) => {
    expect(packed(`# A\n[x](${target})`)).toEqual([`packages/agent/README.md:2 leads out of the package: ${target}`]);
  },
);

test.for(["#a", "src/index.ts", "./LICENSE", "https://example.com/y"])("a README may lead to %s", (target) => {
  expect(packed(`# A\n[x](${target})`)).toEqual([]);
});

test("a README that nobody packs may lead anywhere", () => {
  expect(packed("[x](../../docs/order.md)", true)).toEqual([]);
});

const others: readonly Page[] = [
  { path: "docs/order.md", text: "# Order\n\n## The end is last\n" },
  { path: "packages/agent/README.md", text: "# @turnkit/agent\n\n## Turns\n" },
];
const files = ["docs/a.md", "docs/images/one.svg", "packages/agent", ...others.map(({ path }) => path)];
const found = (text: string) =>
  linkViolations([{ path: "docs/a.md", text }], {
    exists: (path) => files.includes(path),
    pageAt: (path) => others.find((page) => page.path === path || page.path === `${path}/README.md`),
  });

test.for([
  ["a page that is not there", "[x](orders.md)", "docs/a.md:1 leads nowhere: orders.md"],
  ["a picture that is not there", "\n![x](images/two.svg)", "docs/a.md:2 leads nowhere: images/two.svg"],
  ["a heading that is not there", "[x](order.md#the-end)", "docs/a.md:1 names no heading: order.md#the-end"],
  ["a heading of its own that is not there", "# A\n[x](#b)", "docs/a.md:2 names no heading: #b"],
  ["a heading in a fence", "```sh\n# b\n```\n[x](#b)", "docs/a.md:4 names no heading: #b"],
  ["a heading of what is no page", "[x](images/one.svg#a)", "docs/a.md:1 names no heading: images/one.svg#a"],
  ["what is above the repository", "[x](../../a.md)", "docs/a.md:1 leads out of the repository: ../../a.md"],
  ["a link by name", "[x][y]\n\n[y]: orders.md", "docs/a.md:3 leads nowhere: orders.md"],
] as const)("a link to %s is a violation", ([, text, violation]) => {
  expect(found(text)).toEqual([violation]);
});

test.for([
  "[x](order.md)",
  "[x](order.md#the-end-is-last)",
  "[x](../packages/agent#turns)",
  "![x](images/one.svg)",
  "# Mine\n[x](#mine)",
  "[x](https://example.com/y#z)",
  "`[x](orders.md)`",
  "```md\n[x](orders.md)\n```",
])("%s is none", (text) => {
  expect(found(text)).toEqual([]);
});

test("anchors are written as GitHub writes them", () => {
  const text = "# What the project says: AGENTS.md\n## `turn.say`, and so on\n## Twice\n## Twice\n## See [a](b.md)\n";
  expect([...anchorsIn(text)]).toEqual([
    "what-the-project-says-agentsmd",
    "turnsay-and-so-on",
    "twice",
    "twice-1",
    "see-a",
  ]);
});
