import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changesetViolations } from "../src/rule/changesets.js";
import { isPublishable, readWorkspaces, root } from "../src/workspace.js";

test("every changeset names packages of the repository, and how each of them changes", () => {
  const folder = join(root, ".changeset");
  const pages = readdirSync(folder)
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => ({ path: `.changeset/${name}`, text: readFileSync(join(folder, name), "utf8") }));
  const packages = new Set(
    readWorkspaces()
      .filter(isPublishable)
      .map(({ manifest }) => manifest.name),
  );
  expect(packages).toContain("@turnkit/agent");
  expect(changesetViolations(pages, packages)).toEqual([]);
});

const found = (text: string) => changesetViolations([{ path: "a.md", text }], new Set(["@turnkit/agent"]));

test.for([
  ["front matter that became a heading", '---\n\n## "@turnkit/agent": patch\n\nText.\n', "does not begin"],
  ["an empty line in its front matter", '---\n\n"@turnkit/agent": patch\n---\n\nText.\n', "does not begin"],
  ["no front matter", "Text.\n", "does not begin"],
  ["a package that is not here", '---\n"@turnkit/other": patch\n---\n\nText.\n', "is no package"],
  ["another kind of release", '---\n"@turnkit/agent": small\n---\n\nText.\n', "is no package"],
  ["no text", '---\n"@turnkit/agent": patch\n---\n\n', "says nothing"],
] as const)("a changeset with %s is a violation", ([, text, violation]) => {
  expect(found(text)).toEqual([expect.stringContaining(violation)]);
});

test("a changeset as the tool writes it is none", () => {
  expect(found('---\n"@turnkit/agent": minor\n---\n\nText.\n')).toEqual([]);
});
