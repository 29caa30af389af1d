import { expect, test } from "vitest";
import { linkViolations, readPages } from "../src/rule/links.js";
import { packedPages } from "../src/rule/packed-pages.js";
import { isPublishable, readWorkspaces, root } from "../src/workspace.js";

const pages = [
  {
    path: "docs/order.md",
    text: "# Order\n\nSee [turns](turns.md#a-prompt), [restore](restore.md) and [this](#order).\n",
  },
  {
    path: "docs/turns.md",
    text: "# Turns and cancellation\n\n![A turn](images/turn.png), [the README](../README.md)\n",
  },
  { path: "docs/restore.md", text: "# Restore\n" },
  { path: "README.md", text: "# Recipes\n" },
];

test("a package holds the pages of docs that its README names, and no link to others", () => {
  expect(
    packedPages("_Recipe_\n## Contents\nOther pages: _Order_, _Turns and\ncancellation_, _Recipes_, _no page_.", pages),
  ).toEqual([
    { path: "docs/order.md", text: "# Order\n\nSee [turns](turns.md#a-prompt), restore and [this](#order).\n" },
    { path: "docs/turns.md", text: "# Turns and cancellation\n\nA turn, the README\n" },
  ]);
});

const libraries = readWorkspaces().filter((one) => isPublishable(one) && one.folder.startsWith("packages/"));

test.for(libraries.map(({ folder, readme }) => [folder, readme] as const))(
  "%s holds its reference, and no link of its pages is dead",
  ([folder, readme]) => {
    const packed = packedPages(readme, readPages(root, "docs"));
    expect(packed.map(({ path }) => path)).toContain(folder.replace("packages", "docs/reference").concat(".md"));
    const pageAt = (path: string) => packed.find((page) => page.path === path);
    expect(linkViolations(packed, { exists: (path) => pageAt(path) !== undefined, pageAt })).toEqual([]);
  },
);
