import { type ParseResult, parseSync } from "oxc-parser";

/** A TypeScript file: its path from the repository's root, and its text. */
export type SourceFile = { readonly path: string; readonly text: string };

const parsed = new WeakMap<SourceFile, ParseResult>();

/** Parses a file once, and throws on a syntax error, since no rule could be trusted after one. */
export function parseSource(file: SourceFile): ParseResult {
  const known = parsed.get(file);
  if (known) return known;
  const result = parseSync(file.path, file.text);
  if (result.errors[0]) throw new Error(`${file.path}: ${result.errors[0].message}`);
  parsed.set(file, result);
  return result;
}

/** Returns the file and line of an offset, written so that an editor can jump there. */
export function placeOf(file: SourceFile, offset: number): string {
  return `${file.path}:${file.text.slice(0, offset).split("\n").length}`;
}

/** Returns true if a file is a test, or only serves tests. */
export function isTest(path: string): boolean {
  return path.endsWith(".test.ts") || path.includes("/test/");
}
