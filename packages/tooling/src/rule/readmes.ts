import { isPublishable, type Workspace } from "../workspace.js";
import { type Page, proseLines, titleOf } from "./links.js";

const mostWords = 300;
const wanted = ["Quick start", "Contents"];

/**
 * Returns the package READMEs that have other chapters than a short quick start and contents. Contents must fit the
 * reference page of their package, and name only pages that exist.
 */
export function readmeViolations(workspaces: readonly Workspace[], pages: readonly Page[]): readonly string[] {
  const titles = new Set(pages.flatMap((page) => titleOf(page) ?? []));
  return workspaces.filter(isPublishable).flatMap(({ folder, readme, reference }) => {
    const chapters = chaptersOf(readme);
    const named = [...chapters.keys()];
    if (named.join() !== wanted.join()) return [`${folder}/README.md has the chapters ${named}; wanted: ${wanted}`];
    const words = chapters.get("Quick start")?.split(/\s+/).filter(Boolean).length ?? 0;
    const contents = chapters.get("Contents") ?? "";
    const listed = [...contents.matchAll(/^\| (.+?) +\|/gm)].map(([, cell]) => cell).slice(2);
    const there = [...chaptersOf(reference).keys()];
    const missing = [...contents.matchAll(/\b_([^_]+)_/g)].filter(([, title = ""]) => !titles.has(spaced(title)));
    return [
      ...(words > mostWords ? [`${folder}/README.md: its quick start has ${words} words; at most: ${mostWords}`] : []),
      ...(listed.join() === there.join()
        ? []
        : [`${folder}/README.md lists the chapters ${listed}; its reference page has: ${there}`]),
      ...missing.map(([, title = ""]) => `${folder}/README.md names the page ${spaced(title)}, which does not exist`),
    ];
  });
}

const spaced = (title: string): string => title.replace(/\s+/g, " ");

/** Returns the texts under the headings of the second level, by heading. */
function chaptersOf(page: string): ReadonlyMap<string, string> {
  const headings = proseLines(page).filter(({ content }) => content.startsWith("## "));
  const lines = page.split("\n");
  return new Map(
    headings.map(({ content, line }, index) => [
      content.slice(3),
      lines.slice(line, (headings[index + 1]?.line ?? lines.length + 1) - 1).join("\n"),
    ]),
  );
}
