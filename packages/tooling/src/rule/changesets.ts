import type { Page } from "./links.js";

const RELEASES = new Set(["patch", "minor", "major"]);

/** Violations of the form of changesets: front matter with package names and kinds of release, then a text. */
export function changesetViolations(pages: readonly Page[], packages: ReadonlySet<string>): readonly string[] {
  return pages.flatMap(({ path, text }) => {
    const [, head, body = ""] = /^---\n(\S[\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
    if (head === undefined) return [`${path} does not begin with front matter`];
    const wrong = head.split("\n").flatMap((line) => {
      const [, name = "", release = ""] = /^"([^"]+)": (\w+)$/.exec(line) ?? [];
      if (packages.has(name) && RELEASES.has(release)) return [];
      return [`${path}: ${JSON.stringify(line)} is no package with patch, minor or major`];
    });
    return body.trim() === "" ? [...wrong, `${path} says nothing`] : wrong;
  });
}
