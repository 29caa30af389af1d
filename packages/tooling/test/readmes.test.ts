import { expect, test } from "vitest";
import { readPages } from "../src/rule/links.js";
import { readmeViolations } from "../src/rule/readmes.js";
import { readWorkspaces, root, type Workspace } from "../src/workspace.js";
import { fixture } from "./fixture.js";

test("every package README has a quick start and the contents of its reference page", () => {
  expect(readmeViolations(readWorkspaces(), readPages(root))).toEqual([]);
});

const pages = [
  { path: "docs/order.md", text: "# Order\n" },
  { path: "docs/reference/agent.md", text: "# Reference of @turnkit/agent\n" },
];
const start = "# @turnkit/agent\n\nText.\n\n## Quick start\n\n```sh\n# install\n## Errors\n```\n";
const contents = "\n## Contents\n\nThe page _Reference of\n@turnkit/agent_:\n\n| chapter | holds |\n| --- | --- |\n";
const rows = "| Errors | codes |\n| Bounds | limits |\n\nOther pages: _Order_.\n";
const sound = {
  readme: start + contents + rows,
  reference: "# Reference of @turnkit/agent\n\n## Errors\n\n## Bounds\n",
};
const found = (change: Partial<Workspace>) =>
  readmeViolations([fixture("packages/agent", {}, { ...sound, ...change })], pages);

test("a README with both chapters passes", () => {
  expect(found({})).toEqual([]);
});

test.for<[string, Partial<Workspace>, string]>([
  [
    "a chapter more",
    { readme: `${sound.readme}\n## Errors\n` },
    "has the chapters Quick start,Contents,Errors; wanted",
  ],
  ["no contents", { readme: start }, "has the chapters Quick start; wanted"],
  ["a long quick start", { readme: start + "word ".repeat(300) + contents + rows }, "its quick start has 306 words"],
  ["a chapter that is not listed", { reference: `${sound.reference}\n## Turns\n` }, "has: Errors,Bounds,Turns"],
  ["a chapter that is not there", { reference: "## Errors\n" }, "lists the chapters Errors,Bounds; its reference"],
  [
    "a page that is not there",
    { readme: `${sound.readme}\n_Orders_\n` },
    "names the page Orders, which does not exist",
  ],
])("%s is a violation", ([, change, text]) => {
  expect(found(change)).toEqual([expect.stringContaining(text)]);
});
