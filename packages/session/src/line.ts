import { packed, pieceAt, SLOTS, savedBy, type TextPage } from "./text-page.js";

/** Rules for the keys of a keyed list. */
export type Naming<T> = {
  /** Returns the key of an item, followed by a second key if the item has one. */
  names(item: T): readonly string[];
  /** Returns the size of an item in bytes, if it differs from the size of its members. */
  weigh?(item: T): number;
};

/** Number of bits of a position that select an item of a page. The other bits select the page. */
export const BITS = 6;

/** Page of up to 64 items. A full page that contains only text, in a list without keys, is stored as one text. */
type Page = unknown[] | TextPage;

/**
 * Pages of 64 items, with their keys. All lists that come from each other by appends share them. The longest list
 * writes after its end in place. Shorter lists do not read these items. An append to a shorter list creates new pages.
 */
export type Line<T> = {
  readonly pages: Page[];
  /**
   * Number of written items. The value -1 means that another line shares the last page, so nothing may be written in
   * place.
   */
  length: number;
  /** Number of bytes that items save since the last append, which completed a page of text. */
  saved: number;
  readonly naming: Naming<T> | undefined;
  /** Positions by key. Keys are only added, so some of them may not belong to an older list. */
  readonly positions: Map<string, number> | undefined;
};

/** Replaced item of a list, and other items that were replaced before it. */
export type Edit = {
  readonly position: number;
  readonly item: unknown;
  readonly before: Edit | undefined;
  readonly count: number;
};

/** Number of replaced items at which the pages that contain them are copied. */
export const EDITS = 8;

/** Returns an empty line. */
export function lineFor<T>(naming?: Naming<T>): Line<T> {
  return lineLike({ naming, positions: naming && new Map() }, [], 0);
}

/**
 * Creates a line. All lines are created here, so they have one shape in V8. With several shapes, V8 compiled the code
 * for appends five times.
 */
export function lineLike<T>(
  { naming, positions }: Pick<Line<T>, "naming" | "positions">,
  pages: Page[],
  length: number,
): Line<T> {
  return { pages, length, saved: 0, naming, positions };
}

/** Adds the keys of an item for its position. Returns `false` if another position has one of these keys. */
export function claim<T>({ naming, positions }: Line<T>, position: number, item: T): boolean {
  for (const name of naming?.names(item) ?? []) {
    const known = positions?.get(name);
    if (known === undefined) positions?.set(name, position);
    else if (known !== position) return false;
  }
  return true;
}

/**
 * Returns the line with one more item at `position`. At the end of the line, the item is added in place. Otherwise a
 * new line begins.
 */
export function extended<T>(line: Line<T>, position: number, item: unknown): Line<T> {
  const next = line.length === position ? line : forked(line, position);
  const at = position >> BITS;
  // This page is not full, so it is not stored as one text.
  const page = (next.pages[at] ?? []) as unknown[];
  page.push(item);
  const text = page.length > SLOTS && line.naming === undefined ? packed(page) : undefined;
  next.pages[at] = text ?? page;
  next.saved = text === undefined ? 0 : savedBy(text);
  next.length++;
  return next;
}

/** Returns the replaced items with one more. An item that is replaced again is not kept. */
export function withEdit(edits: Edit | undefined, position: number, item: unknown): Edit {
  const before = withoutEdit(edits, position);
  return { position, item, before, count: before === undefined ? 1 : before.count + 1 };
}

function withoutEdit(edits: Edit | undefined, position: number): Edit | undefined {
  let found = edits;
  while (found !== undefined && found.position !== position) found = found.before;
  if (found === undefined || edits === undefined) return edits;
  if (found === edits) return edits.before;
  return { ...edits, before: withoutEdit(edits.before, position), count: edits.count - 1 };
}

/**
 * Returns the line with other items at existing positions. Another line owns its last page, so the next append copies
 * this page.
 */
export function edited<T>(line: Line<T>, length: number, edits: Edit): Line<T> {
  const pages = line.pages.slice(0, (length >> BITS) + 1);
  for (let edit: Edit | undefined = edits; edit !== undefined; edit = edit.before) {
    const { position, item }: Edit = edit;
    const at = position >> BITS;
    const page = pages[at] as Page;
    const own = page === line.pages[at] ? itemsOf(page, SLOTS + 1) : (page as unknown[]);
    own[position & SLOTS] = item;
    pages[at] = own;
  }
  return lineLike(line, pages, -1);
}

/** Returns a separate line with the first `length` items of another line. */
export function forked<T>(line: Line<T>, length: number): Line<T> {
  const pages = line.pages.slice(0, length >> BITS);
  const rest = length & SLOTS;
  if (rest > 0) pages.push(itemsOf(line.pages[length >> BITS] as Page, rest));
  return lineLike(line, pages, length);
}

/** Returns the item at a slot of a page. */
export const itemOf = (page: Page | undefined, slot: number): unknown =>
  page === undefined || Array.isArray(page) ? page?.[slot] : pieceAt(page, slot);

/** Returns the first items of a page as a new array. */
const itemsOf = (page: Page, length: number): unknown[] =>
  Array.isArray(page) ? page.slice(0, length) : Array.from({ length }, (_, slot) => pieceAt(page, slot));
