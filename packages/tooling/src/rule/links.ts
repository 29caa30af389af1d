import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { isPublishable, type Workspace } from "../workspace.js";

/** A Markdown page of the repository, its path from the root. */
export type Page = { readonly path: string; readonly text: string };

/** Targets of links: existing files and folders, and the page that stands for a path, if there is one. */
export type Places = {
  readonly exists: (path: string) => boolean;
  readonly pageAt: (path: string) => Page | undefined;
};

const unread = new Set(["node_modules", "dist", "CHANGELOG.md"]);

/** Reads every page of the repository, without those of dependencies and those that tools write. */
export function readPages(root: string, folder = ""): readonly Page[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name).replaceAll("\\", "/");
    if (unread.has(entry.name) || (entry.name.startsWith(".") && entry.name !== ".github")) return [];
    if (entry.isDirectory()) return readPages(root, path);
    return entry.name.endsWith(".md") ? [{ path, text: readFileSync(join(root, path), "utf8") }] : [];
  });
}

/** The places of the repository on the disk; the page of a folder is its README. */
export function placesIn(root: string): Places {
  return {
    exists: (path) => existsSync(join(root, path)),
    pageAt(path) {
      const file =
        existsSync(join(root, path)) && statSync(join(root, path)).isDirectory() ? `${path}/README.md` : path;
      if (!file.endsWith(".md") || !existsSync(join(root, file))) return undefined;
      return { path: file, text: readFileSync(join(root, file), "utf8") };
    },
  };
}

/** Links and pictures that lead to no file of the repository, and anchors that no heading has. */
export function linkViolations(pages: readonly Page[], { exists, pageAt }: Places): readonly string[] {
  return pages.flatMap((page) =>
    linksIn(page.text).flatMap(({ line, target }) => {
      const at = `${page.path}:${line}`;
      const [file = "", anchor] = target.split("#");
      const path = file === "" ? page.path : posix.join(posix.dirname(page.path), file).replace(/\/$/, "");
      if (path.startsWith("..")) return [`${at} leads out of the repository: ${target}`];
      if (!exists(path)) return [`${at} leads nowhere: ${target}`];
      if (anchor === undefined) return [];
      const there = file === "" ? page : pageAt(path);
      return there && anchorsIn(there.text).has(anchor) ? [] : [`${at} names no heading: ${target}`];
    }),
  );
}

const alwaysPacked = ["README.md", "package.json", "LICENSE"];

/**
 * Links of package READMEs to files that the package's tarball does not have. The registry shows a README without the
 * repository, so READMEs name other pages by their titles.
 */
export function packedLinkViolations(workspaces: readonly Workspace[]): readonly string[] {
  return workspaces.filter(isPublishable).flatMap(({ folder, manifest, readme }) => {
    const packed = [...alwaysPacked, ...(manifest.files as readonly string[])];
    return linksIn(readme).flatMap(({ line, target }) => {
      const path = posix.join(target.split("#")[0] ?? "");
      const isPacked = path === "." || packed.some((name) => path === name || path.startsWith(`${name}/`));
      return isPacked ? [] : [`${folder}/README.md:${line} leads out of the package: ${target}`];
    });
  });
}

/** The heading of a page, if it has one. */
export const titleOf = ({ text }: Page): string | undefined => /^# (.+)$/m.exec(text)?.[1];

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsIn(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const { content } of proseLines(text)) {
    const heading = /^#{1,6} +(.*?)(?: +#+)?$/.exec(content)?.[1];
    if (heading === undefined) continue;
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
    let name = anchor;
    for (let twin = 1; anchors.has(name); twin += 1) name = `${anchor}-${twin}`;
    anchors.add(name);
  }
  return anchors;
}

/** The links of a page that are not to another site, with the lines that have them. */
function linksIn(text: string): readonly { readonly line: number; readonly target: string }[] {
  return proseLines(text).flatMap(({ content, line }) => {
    const prose = content.replace(/`[^`]*`/g, "");
    const inline = [...prose.matchAll(/\]\(<?([^)\s>]+)[^)]*\)/g)];
    const named = [...prose.matchAll(/^\s*\[[^\]]+\]: +<?([^\s>]+)/g)];
    return [...inline, ...named]
      .map(([, target = ""]) => ({ line, target: decodeURI(target) }))
      .filter(({ target }) => !/^[a-z][a-z0-9+.-]*:/i.test(target));
  });
}

/** The lines of a page that are not in a fence. */
export function proseLines(text: string): readonly { readonly content: string; readonly line: number }[] {
  let fence: string | undefined;
  return text.split("\n").flatMap((content, index) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(content)?.[1];
    if (fence === undefined && mark !== undefined) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence)) fence = undefined;
    else if (fence === undefined) return [{ content, line: index + 1 }];
    return [];
  });
}
