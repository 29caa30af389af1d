import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { findProgram, startProcess } from "@turnkit/transport/node";
import { ToolError } from "../errors.js";
import { commandEnvironment } from "./command-environment.js";
import { type FileMatch, type Matches, SEARCH_MS, type TextQuery } from "./search-files.js";

/** Largest part of ripgrep's stderr that is stored, in characters. */
const MAX_COMPLAINT = 1000;

/** Limits of a search: the number of matches, the signal, and the time in milliseconds (20 s by default). */
export type SearchBounds = { readonly max: number; readonly signal: AbortSignal; readonly limitMs?: number };

type Options = SearchBounds & {
  /** All roots of the session. */
  readonly roots: readonly string[];
  /** Reads the beginning of a file. Returns `undefined` if a link has replaced the file, or a folder above it. */
  readonly read: (path: string) => Promise<Buffer | undefined>;
};

/**
 * Returns the path of ripgrep, if it is installed outside of the projects. A project could put its own program into a
 * folder of `PATH`.
 *
 * @param roots all roots of the session
 */
export function findRipgrep(
  roots: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  return findProgram("rg", { env, distrusted: roots });
}

/**
 * Searches with ripgrep, which applies every `.gitignore`. Ripgrep does not read the user's configuration and follows no
 * links. The search stops at enough matches, at the time limit, or when the signal aborts.
 *
 * Ripgrep opens the files by their names, so another process can replace a file with a link in time. Therefore, a match
 * counts only if `read` returns the same line.
 *
 * @throws ToolError `invalid_input` with ripgrep's message about the pattern
 */
export async function searchWithRipgrep(
  program: string,
  query: TextQuery,
  { roots, read, max, signal, limitMs = SEARCH_MS }: Options,
): Promise<Matches> {
  const deadline = AbortSignal.timeout(limitMs);
  const group = await startProcess([program, ...argumentsFor(query)], {
    cwd: query.folder.root,
    env: commandEnvironment(process.env, { distrusted: roots }),
    stdin: false,
  });
  const stop = () => void group.terminate(200);
  const over = AbortSignal.any([signal, deadline]);
  if (over.aborted) stop();
  over.addEventListener("abort", stop, { once: true });
  const { stdout, stderr } = group.child;
  let complaint = "";
  (stderr as Readable).setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(0, MAX_COMPLAINT);
  });
  const matches: FileMatch[] = [];
  try {
    for await (const line of createInterface({ input: stdout as Readable, crlfDelay: Number.POSITIVE_INFINITY })) {
      const match = readMatch(line);
      if (match && !query.isOmitted(match.path)) matches.push(match);
      if (matches.length > max) break;
    }
  } finally {
    over.removeEventListener("abort", stop);
    stop();
  }
  signal.throwIfAborted();
  const { exitCode } = await group.exited;
  if (matches.length === 0 && exitCode === 2) throw new ToolError("invalid_input", `ripgrep: ${complaint.trim()}`);
  const matching = await confirmed(matches.slice(0, max), read);
  signal.throwIfAborted();
  return { matches: matching, cut: matches.length > max || deadline.aborted };
}

/** Returns the matches whose lines are in the files that `read` returns. Only one file is in memory at a time. */
async function confirmed(matches: readonly FileMatch[], read: Options["read"]): Promise<readonly FileMatch[]> {
  const found = new Set<FileMatch>();
  for (const path of new Set(matches.map((match) => match.path))) {
    const bytes = await read(path);
    if (bytes === undefined) continue;
    const ofFile = matches.filter((match) => match.path === path);
    const lines = linesAt(textOf(bytes), new Set(ofFile.map(({ line }) => line)));
    for (const match of ofFile) if (isSameLine(match.text, lines.get(match.line))) found.add(match);
  }
  return matches.filter((match) => found.has(match));
}

/** Returns the lines with these numbers. A list of all lines of a large file takes much memory. */
function linesAt(text: string, numbers: ReadonlySet<number>): ReadonlyMap<number, string> {
  const lines = new Map<number, string>();
  for (let number = 1, start = 0; start < text.length && lines.size < numbers.size; number += 1) {
    const next = text.indexOf("\n", start);
    const end = next === -1 ? text.length : next;
    if (numbers.has(number)) lines.set(number, text.slice(start, end));
    start = end + 1;
  }
  return lines;
}

/** Returns the text of a file in the encodings that ripgrep recognises. */
function textOf(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString("latin1");
  const encoding = { "\xff\xfe": "utf-16le", "\xfe\xff": "utf-16be" }[mark] ?? "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/** Compares a match, whose line end was removed, with a line of a file. Either may have a byte order mark. */
function isSameLine(match: string, line: string | undefined): boolean {
  const [text, whole] = [match, line].map((one) => one?.replace(/^\ufeff/, ""));
  return whole !== undefined && (whole === text || whole === `${text}\r`);
}

function argumentsFor({ folder, pattern, glob, caseSensitive, literal }: TextQuery): readonly string[] {
  return [
    ...["--no-config", "--json", "--sort", "path", "--hidden", "--no-require-git", "--max-filesize", "1M"],
    ...["--glob", "!.git", "--glob", "!node_modules"],
    ...(glob === undefined ? [] : ["--glob", glob]),
    ...(caseSensitive ? ["--case-sensitive"] : ["--ignore-case"]),
    ...(literal ? ["--fixed-strings"] : []),
    ...["--regexp", pattern, "--", folder.path],
  ];
}

/**
 * Parses one record of the output of `--json`. Returns `undefined` for records that are not matches and for file names
 * that are not UTF-8.
 */
function readMatch(record: string): FileMatch | undefined {
  if (!record.startsWith('{"type":"match"')) return undefined;
  const { data } = JSON.parse(record) as { data?: Record<string, { text?: string }> };
  if (data === undefined) return undefined;
  const path = data.path?.text;
  const text = data.lines?.text;
  const line = data.line_number as unknown;
  if (path === undefined || text === undefined || typeof line !== "number") return undefined;
  return { path, line, text: text.replace(/\r?\n$/, "") };
}
