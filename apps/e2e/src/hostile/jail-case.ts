import { symlink, writeFile } from "node:fs/promises";
import type { HardLinks, Place } from "./jail.js";

/** Outcome of a case: the text that is read, a write that arrives, or one of three refusals. */
export type Outcome = { readonly text: string } | "written" | "outside" | "missing" | "unusable";

/** One path, what is made for it beforehand, and what comes of reading and of writing it. */
export type JailCase = {
  readonly name: string;
  readonly path: (place: Place) => string | Promise<string>;
  readonly read: Outcome;
  readonly write: Outcome;
  readonly range?: { readonly line?: number; readonly limit?: number };
  /** Unless given, the root of the place. */
  readonly roots?: (place: Place) => readonly string[];
  readonly hardLinks?: HardLinks;
};

export type Path = JailCase["path"];
type Row = readonly [name: string, path: Path];

/** Returns cases of paths that are neither read nor written, independent of the files there. */
export const refused = (rows: readonly Row[]): readonly JailCase[] =>
  rows.map(([name, path]) => ({ name, path, read: "outside", write: "outside" }));
export const unusable = (rows: readonly Row[]): readonly JailCase[] =>
  rows.map(([name, path]) => ({ name, path, read: "unusable", write: "unusable" }));
/** There, and readable. */
export const inside = (rows: readonly Row[]): readonly JailCase[] =>
  rows.map(([name, path]) => ({ name, path, read: { text: "inside" }, write: "written" }));
/** Not there; it may be made. */
export const fresh = (rows: readonly Row[]): readonly JailCase[] =>
  rows.map(([name, path]) => ({ name, path, read: "missing", write: "written" }));

/** A link inside the root, then the path that goes through it. */
export const linked =
  (from: string, to: (place: Place) => string, path = from): Path =>
  async (place) => {
    await symlink(to(place), place.in(from));
    return `${place.root}/${path}`;
  };

/** A row of links, each to the next, the last one to `end`. */
export const chained =
  (length: number, end: (place: Place) => string): Path =>
  async (place) => {
    for (let n = 1; n < length; n++) await symlink(`link-${n + 1}`, place.in(`link-${n}`));
    await symlink(end(place), place.in(`link-${length}`));
    return place.in("link-1");
  };

/** A file in the root. */
export const made =
  (name: string, content: string | Uint8Array): Path =>
  async (place) => {
    await writeFile(place.in(name), content);
    return place.in(name);
  };
