import { isTest, type SourceFile } from "../source.js";

const medianLines = 110;
const mostLines = 300;
/** Limit for `apps/e2e`, which has long lists of cases. */
const mostLinesOfCases = 400;
const vague = new Set(
  ["utils", "util", "helpers", "helper", "common", "shared", "misc", "types", "constants", "manager", "service"].concat(
    ["core", "base"],
  ),
);

/** Source files (not tests) that are too long, a median length that is too large, and file names that are not allowed. */
export function fileViolations(files: readonly SourceFile[]): readonly string[] {
  const sources = files.filter((file) => file.path.includes("/src/") && !isTest(file.path));
  const lines = sources.map(lineCount).sort((a, b) => a - b);
  const median = lines[Math.floor((lines.length - 1) / 2)] ?? 0;
  return [
    ...(median > medianLines ? [`the median source file has ${median} lines, more than ${medianLines}`] : []),
    ...sources
      .filter((file) => lineCount(file) > (file.path.startsWith("apps/e2e/") ? mostLinesOfCases : mostLines))
      .map((file) => `${file.path} has ${lineCount(file)} lines`),
    ...files.filter(isVague).map((file) => `${file.path} is not named after what it holds`),
    ...files.filter(isOddlyWritten).map((file) => `${file.path} is not in kebab-case`),
  ];
}

function lineCount(file: SourceFile): number {
  return file.text.trimEnd().split("\n").length;
}

function isVague({ path }: SourceFile): boolean {
  const parts = path.split("/").slice(2);
  return parts.some((part) => vague.has(part.replace(/(\.test)?\.tsx?$/, "")));
}

function isOddlyWritten({ path }: SourceFile): boolean {
  return !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*\.tsx?$/.test(path.slice(path.lastIndexOf("/") + 1));
}
