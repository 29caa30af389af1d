import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** A longer file is no list of what to ignore. */
const MAX_BYTES = 256 * 1024;

/** What is left out wherever it is found. */
const ALWAYS = ["**/.git", "**/.git/**", "**/.hg/**", "**/.svn/**", "**/node_modules/**"];

/**
 * Glob patterns of what is left out when a folder is searched: version control, dependencies, and what the `.gitignore`
 * of the root says. Those of inner folders are not read, and one that takes something back (`!`) is left alone as a whole:
 * showing too much is better than hiding what is there.
 */
export async function ignoredPatterns(root: string): Promise<readonly string[]> {
  const path = join(root, ".gitignore");
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > MAX_BYTES) return ALWAYS;
  return [...ALWAYS, ...gitignorePatterns(await readFile(path, "utf8").catch(() => ""))];
}

/** The lines of a `.gitignore` as glob patterns, relative to its folder. */
function gitignorePatterns(text: string): readonly string[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.some((line) => line.startsWith("!"))) return [];
  return lines.flatMap((line) => {
    const bare = line.replace(/\/$/, "");
    // A slash in front or inside anchors a pattern to the folder of the file.
    const anchored = bare.includes("/") ? bare.replace(/^\//, "") : `**/${bare}`;
    const pattern = anchored.replace(/[(){}!+@]/g, "\\$&");
    return line.endsWith("/") ? [`${pattern}/**`] : [pattern, `${pattern}/**`];
  });
}
