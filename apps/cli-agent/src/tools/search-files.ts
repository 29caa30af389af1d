import { join } from "node:path";
import type { Folder, Workspace } from "../workspace.js";
import { findFiles } from "./find-files.js";
import { createLineMatcher } from "./line-matches.js";
import { ToolError } from "./tool.js";

/** What to look for, and where. */
export type TextQuery = {
  readonly folder: Folder;
  /** A regular expression, or a text if `literal`. */
  readonly pattern: string;
  /** Which files; all unless said otherwise. */
  readonly glob?: string;
  readonly caseSensitive: boolean;
  readonly literal: boolean;
};

/** A line of a file; `path` is absolute, `line` 1-based. */
export type FileMatch = { readonly path: string; readonly line: number; readonly text: string };

/** What was found; `cut` says that there may be more. */
export type Matches = { readonly matches: readonly FileMatch[]; readonly cut: boolean };

/** How long a search may take, in milliseconds; what was found by then is the answer. */
export const SEARCH_MS = 20_000;

/** How many files are read at the same time. */
const AT_ONCE = 16;

/**
 * Searches file by file, for machines without ripgrep: what is no text or larger than 1 MB is passed over.
 *
 * @throws ToolError `invalid_input` for a pattern that is none, or that takes too long
 */
export async function searchFiles(
  workspace: Pick<Workspace, "readLocal">,
  query: TextQuery,
  { max, signal }: { readonly max: number; readonly signal: AbortSignal },
): Promise<Matches> {
  const { folder, glob = "**" } = query;
  // A pattern without a slash means names at any depth, as it does for ripgrep.
  const { paths, cut } = await findFiles(folder, glob.includes("/") ? glob : `**/${glob}`, signal);
  const pattern = query.literal ? query.pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : query.pattern;
  const match = createLineMatcher(pattern, query.caseSensitive ? "" : "i");
  const matches: FileMatch[] = [];
  const end = Date.now() + SEARCH_MS;
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    signal.throwIfAborted();
    if (matches.length > max || Date.now() > end) return { matches: matches.slice(0, max), cut: true };
    const batch = paths.slice(at, at + AT_ONCE).map((path) => join(folder.root, path));
    const texts = await Promise.all(batch.map((path) => readText(workspace, path)));
    for (const [index, text] of texts.entries()) {
      const path = batch[index];
      if (text === undefined || path === undefined) continue;
      const found = match(text, max + 1 - matches.length);
      matches.push(...found.map((one) => ({ path, ...one })));
    }
  }
  return { matches: matches.slice(0, max), cut: cut || matches.length > max };
}

/** What cannot be read as text is passed over, as every search does. */
async function readText(workspace: Pick<Workspace, "readLocal">, path: string): Promise<string | undefined> {
  return workspace.readLocal(path).catch((error: unknown) => {
    if (error instanceof ToolError) return undefined;
    throw error;
  });
}
