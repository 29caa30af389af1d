import { posix } from "node:path";
import { type Page, titleOf } from "./links.js";

/**
 * Returns the pages whose titles are in the contents of a package README, as the package's tarball holds them: with their paths,
 * and with links to one another. A link to anything else is only its text, and a picture its description.
 */
export function packedPages(readme: string, pages: readonly Page[]): readonly Page[] {
  const contents = readme.slice(readme.indexOf("\n## Contents\n"));
  const named = new Set([...contents.matchAll(/\b_([^_]+)_/g)].map(([, title = ""]) => title.replace(/\s+/g, " ")));
  const packed = pages.filter((page) => page.path.startsWith("docs/") && named.has(titleOf(page) ?? ""));
  const paths = new Set(packed.map(({ path }) => path));
  return packed.map(({ path, text }) => ({
    path,
    text: text.replace(/!?\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)[^)]*\)/g, (link, words: string, target: string) => {
      if (/^(?:#|[a-z][a-z0-9+.-]*:)/i.test(target)) return link;
      const leadsTo = posix.join(posix.dirname(path), target.split("#")[0] ?? "");
      return paths.has(leadsTo) ? link : words;
    }),
  }));
}
