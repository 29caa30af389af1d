import { append, differingPositions, emptySequence, replaceAt, type Sequence } from "./sequence.js";

/**
 * A {@link Sequence} whose members are also found by a key, in constant time. Positions stay as long as nothing is
 * removed (a state removes only what it trims, and a prompt that it moves to where the agent placed it).
 */
export interface Keyed<T> extends Sequence<T> {
  get(key: string): T | undefined;
  has(key: string): boolean;
  /** -1 if there is none. */
  indexOf(key: string): number;
}

/** How the members of a {@link Keyed} are called: each has a key, and some have a second one. */
export type Naming<T> = { key(item: T): string; alias?(item: T): string | undefined };

/**
 * Shared by all states of one straight line, and only ever added to. It may therefore know names that an older state
 * must not see, so every lookup checks the item that it found.
 */
type Index = { readonly positions: Map<string, number>; length: number };

class KeyedVector<T> implements Keyed<T> {
  readonly #naming: Naming<T>;
  readonly #items: Sequence<T>;
  readonly #index: Index;

  constructor(naming: Naming<T>, items: Sequence<T>, index: Index) {
    this.#naming = naming;
    this.#items = items;
    this.#index = index;
  }

  get length(): number {
    return this.#items.length;
  }

  get items(): Sequence<T> {
    return this.#items;
  }

  get naming(): Naming<T> {
    return this.#naming;
  }

  at(index: number): T | undefined {
    return this.#items.at(index);
  }

  indexOf(key: string): number {
    const position = this.#index.positions.get(key);
    if (position === undefined) return -1;
    const item = this.#items.at(position);
    if (item === undefined) return -1;
    return this.#naming.key(item) === key || this.#naming.alias?.(item) === key ? position : -1;
  }

  get(key: string): T | undefined {
    const position = this.indexOf(key);
    return position < 0 ? undefined : this.#items.at(position);
  }

  has(key: string): boolean {
    return this.indexOf(key) >= 0;
  }

  push(item: T): KeyedVector<T> {
    const key = this.#naming.key(item);
    const alias = this.#naming.alias?.(item);
    const position = this.#items.length;
    const items = append(this.#items, item);
    const index = this.#index;
    const free = !index.positions.has(key) && (alias === undefined || !index.positions.has(alias));
    if (index.length !== position || !free) return new KeyedVector(this.#naming, items, indexOf(this.#naming, items));
    index.positions.set(key, position);
    if (alias !== undefined) index.positions.set(alias, position);
    index.length = position + 1;
    return new KeyedVector(this.#naming, items, index);
  }

  set(position: number, item: T): KeyedVector<T> {
    const items = replaceAt(this.#items, position, item);
    const alias = this.#naming.alias?.(item);
    if (alias !== undefined) {
      const known = this.#index.positions.get(alias);
      if (known === undefined) this.#index.positions.set(alias, position);
      else if (known !== position) return new KeyedVector(this.#naming, items, indexOf(this.#naming, items));
    }
    return new KeyedVector(this.#naming, items, this.#index);
  }

  toArray(): readonly T[] {
    return this.#items.toArray();
  }

  toJSON(): readonly T[] {
    return this.#items.toArray();
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#items[Symbol.iterator]();
  }
}

function indexOf<T>(naming: Naming<T>, items: Iterable<T>): Index {
  const positions = new Map<string, number>();
  let length = 0;
  for (const item of items) {
    const alias = naming.alias?.(item);
    positions.set(naming.key(item), length);
    if (alias !== undefined && !positions.has(alias)) positions.set(alias, length);
    length++;
  }
  return { positions, length };
}

/** A keyed sequence of the given items, whose keys have to differ. */
export function keyedOf<T>(naming: Naming<T>, items: Sequence<T> = emptySequence<T>()): Keyed<T> {
  return new KeyedVector(naming, items, indexOf(naming, items));
}

/** The keyed sequence with one more item at its end, whose key has to be new; constant time. */
export function addTo<T>(keyed: Keyed<T>, item: T): Keyed<T> {
  return (keyed as KeyedVector<T>).push(item);
}

/** The keyed sequence with the item at an existing position replaced by one of the same key; constant time. */
export function replaceIn<T>(keyed: Keyed<T>, position: number, item: T): Keyed<T> {
  return (keyed as KeyedVector<T>).set(position, item);
}

/** The keyed sequence of those items that `keep` wants; costs as much as the whole. */
export function filtered<T>(keyed: Keyed<T>, keep: (item: T, position: number) => boolean): Keyed<T> {
  let items = emptySequence<T>();
  let position = 0;
  for (const item of keyed) if (keep(item, position++)) items = append(items, item);
  return keyedOf((keyed as KeyedVector<T>).naming, items);
}

/** What differs between two keyed sequences. */
export type KeyedChanges<T> = {
  /** Items of the later one that the earlier one did not have, or not like this, in their order. */
  readonly changed: readonly {
    readonly position: number;
    readonly item: T;
    /** `undefined`: the item is new. */
    readonly before: T | undefined;
  }[];
  /** Keys that the later one does not have any more. */
  readonly removed: readonly string[];
  /** Whether items that both have stand at other positions now: then every position counts as asked for again. */
  readonly moved: boolean;
};

/** Compares two keyed sequences of one naming; costs as much as there is between them (all, where something was removed). */
export function keyedChanges<T>(before: Keyed<T>, after: Keyed<T>): KeyedChanges<T> {
  const [older, newer] = [before as KeyedVector<T>, after as KeyedVector<T>];
  const { naming } = newer;
  const changed: { position: number; item: T; before: T | undefined }[] = [];
  const removed: string[] = [];
  let moved = false;
  const look = (position: number): void => {
    const item = newer.at(position);
    if (item !== undefined) {
      const key = naming.key(item);
      const known = older.indexOf(key);
      const was = known < 0 ? undefined : older.at(known);
      if (known >= 0 && known !== position) moved = true;
      if (was !== item) changed.push({ position, item, before: was });
    }
    const gone = older.at(position);
    if (gone !== undefined && !newer.has(naming.key(gone))) removed.push(naming.key(gone));
  };
  if (older === newer) return { changed, removed, moved };
  for (const position of differingPositions(older.items, newer.items)) look(position);
  const longer = Math.max(older.length, newer.length);
  for (let position = Math.min(older.length, newer.length); position < longer; position++) look(position);
  return { changed, removed, moved };
}
