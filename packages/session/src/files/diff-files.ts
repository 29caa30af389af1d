import type { Diff, DiffChange } from "../tool-call.js";

/** File of a diff. */
export type DiffFile = {
  readonly change: DiffChange;
  /** Part of the patch for this file, starting at its `diff --git` line. `undefined` if the patch has no such part. */
  readonly patch: string | undefined;
};

/**
 * Returns the files of a diff, each with its part of the patch. A part belongs to the file with its path. If no part
 * has the path of a file, the file gets the remaining part at its position.
 */
// V2-DIFF-05
export function diffFiles({ changes, patch }: Diff): readonly DiffFile[] {
  const sections = patch?.format === "git_patch" ? sectionsOf(patch.text) : [];
  const left = new Set(sections);
  const named = sectionsByPath(sections);
  const matched = changes.map((change) => {
    const path = change.operation === "delete" ? (change.oldPath ?? change.path) : change.path;
    const own = nextLeft(named.get(path), left);
    if (own !== undefined) left.delete(own);
    return own;
  });
  const inOrder = left.size === matched.filter((own) => own === undefined).length ? left.values() : undefined;
  return changes.map((change, index) => ({ change, patch: (matched[index] ?? inOrder?.next().value)?.text }));
}

type Section = { readonly text: string; readonly paths: readonly string[] };

/** Returns the sections by path. The last section comes first, because sections are taken from the end. */
function sectionsByPath(sections: readonly Section[]): ReadonlyMap<string, Section[]> {
  const named = new Map<string, Section[]>();
  for (const section of [...sections].reverse()) {
    for (const path of new Set(section.paths)) {
      const others = named.get(path);
      if (others === undefined) named.set(path, [section]);
      else others.push(section);
    }
  }
  return named;
}

/** Removes sections that other paths have taken, and returns the next section. */
function nextLeft(sections: Section[] | undefined, left: ReadonlySet<Section>): Section | undefined {
  for (let next = sections?.pop(); next !== undefined; next = sections?.pop()) if (left.has(next)) return next;
  return undefined;
}

function sectionsOf(patch: string): Section[] {
  const texts = patch.split(/^(?=diff --git )/m).filter((text) => text.startsWith("diff --git "));
  return texts.map((text) => ({ text, paths: pathsOf(text) }));
}

const NAMED = /^(?:--- |\+\+\+ |(?:rename|copy) (?:from|to) )(?=.)/;

const LINE_END = /[\r\u2028\u2029]/;

/**
 * Returns the file names in the lines before the first hunk. If there are no such lines, the first line contains the
 * name twice.
 */
function pathsOf(section: string): readonly string[] {
  const paths: string[] = [];
  for (const line of section.split("\n")) {
    if (line.startsWith("@@")) break;
    const prefix = NAMED.exec(line)?.[0];
    // A repetition over a name of megabytes would exhaust the stack of the regular expression.
    const name = prefix === undefined || LINE_END.test(line) ? "/dev/null" : line.slice(prefix.length);
    if (name !== "/dev/null") paths.push(unquoted(name));
  }
  if (paths.length > 0) return paths;
  const twice = section.slice("diff --git ".length, section.indexOf("\n"));
  return [unquoted(twice.slice(0, (twice.length - 1) / 2))];
}

const encoder = /* @__PURE__ */ new TextEncoder();

const ESCAPES: { readonly [letter: string]: number } = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Returns a file name that Git has quoted, without its quotes. */
function unquoted(name: string): string {
  const bare = name.endsWith("\t") ? name.slice(0, -1) : name;
  if (!bare.startsWith('"') || !bare.endsWith('"')) return bare;
  const bytes: number[] = [];
  for (const [, octal, letter, plain] of bare.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]{1,4096})/gu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(escaped(letter));
    else for (const byte of encoder.encode(plain)) bytes.push(byte);
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const escaped = (letter: string): number => ESCAPES[letter] ?? letter.charCodeAt(0);
