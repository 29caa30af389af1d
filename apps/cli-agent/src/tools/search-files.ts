import { join, relative } from "node:path";
import { setImmediate } from "node:timers/promises";
import { asSentence } from "@turnkit/transport";
import { messageOf, ToolError } from "../errors.js";
import type { Folder, Workspace } from "../workspace.js";
import { findFiles } from "./find-files.js";
import { TimeoutError, withinTime } from "./within-time.js";

export type TextQuery = {
  readonly folder: Folder;
  /** Returns `true` for a file to leave out. The path is absolute. */
  readonly isOmitted: (path: string) => boolean;
  /** Regular expression, or plain text if `literal` is `true`. */
  readonly pattern: string;
  /** Glob pattern of the files; default: all files. */
  readonly glob?: string;
  readonly caseSensitive: boolean;
  readonly literal: boolean;
};

/** Matching line of a file. `path` is absolute; the first line of a file has the number 1. */
export type FileMatch = { readonly path: string; readonly line: number; readonly text: string };

/** Matching lines. `cut` is `true` if there may be more. */
export type Matches = { readonly matches: readonly FileMatch[]; readonly cut: boolean };

/** Time limit of a search, in milliseconds. After it, the search returns the matches that were found. */
export const SEARCH_MS = 20_000;

const AT_ONCE = 16;

/** Time limit of one file, in milliseconds. Some regular expressions take practically forever. */
const FILE_MS = 500;

/**
 * Searches file by file, if ripgrep is not installed. Binary files and files larger than 1 MB are skipped.
 *
 * @throws ToolError `invalid_input` if the pattern is invalid or takes too long
 */
export async function searchFiles(
  workspace: Pick<Workspace, "readLocal">,
  query: TextQuery,
  { max, signal }: { readonly max: number; readonly signal: AbortSignal },
): Promise<Matches> {
  const { folder, glob = "**" } = query;
  // As in ripgrep, a pattern without a slash matches names at any depth.
  const found = await findFiles(folder, glob.includes("/") ? glob : `**/${glob}`, signal);
  const paths = found.paths.map((name) => join(folder.root, name));
  const expression = compile(query);
  const matches: FileMatch[] = [];
  const end = Date.now() + SEARCH_MS;
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    signal.throwIfAborted();
    if (matches.length > max || Date.now() > end) return { matches: matches.slice(0, max), cut: true };
    const read = async (path: string) => {
      const options = { real: join(folder.real, relative(folder.path, path)), signal };
      return { path, text: await workspace.readLocal(path, options).catch(noText) };
    };
    const wanted = paths.slice(at, at + AT_ONCE).filter((path) => !query.isOmitted(path));
    for (const { path, text } of await Promise.all(wanted.map(read))) {
      if (text === undefined) continue;
      // Each file may take its whole time, so a cancel has to arrive between two files.
      await setImmediate();
      signal.throwIfAborted();
      if (Date.now() > end) return { matches: matches.slice(0, max), cut: true };
      const lines = matchLines(expression, text, max + 1 - matches.length);
      matches.push(...lines.map((one) => ({ path, ...one })));
    }
  }
  return { matches: matches.slice(0, max), cut: found.cut || matches.length > max };
}

function compile({ pattern, literal, caseSensitive }: TextQuery): RegExp {
  const source = literal ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : pattern;
  const flags = caseSensitive ? "" : "i";
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // With the flag `u`, needless escapes such as `\-` are errors. Models often write them.
  }
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new ToolError("invalid_input", asSentence(messageOf(error)));
  }
}

function matchLines(expression: RegExp, text: string, max: number): readonly Omit<FileMatch, "path">[] {
  const lines = text.split(/\r?\n/);
  const match = () => {
    const found: Omit<FileMatch, "path">[] = [];
    for (let index = 0; index < lines.length && found.length < max; index += 1) {
      const line = lines[index] ?? "";
      if (expression.test(line)) found.push({ line: index + 1, text: line });
    }
    return found;
  };
  try {
    return withinTime(FILE_MS, match);
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    throw new ToolError("invalid_input", "The pattern takes too long; make it simpler.");
  }
}

/**
 * Returns `undefined` for a file that is not readable text, so the search skips the file.
 *
 * @throws every other error of a read
 */
function noText(error: unknown): undefined {
  if (!(error instanceof ToolError)) throw error;
}
