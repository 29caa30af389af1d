import { isObject, list, meta, text, type Wire } from "./read.js";

/** Reads one member of a JSON object, or an item of a list; `undefined` if it does not read. */
export type Reader<T = unknown> = (value: unknown, wire?: Wire) => T | undefined;

/** How members read that are no text. */
export type Readers = { readonly [member: string]: Reader };

/** What a member does that is not there, is `null`, or does not read. */
type Mark = "" | "?" | "~" | "!";

/** One member of an object. */
type Member = {
  readonly name: string;
  /** What older drafts call it; what comes under that name goes on under the newer one. */
  readonly older: string | undefined;
  readonly mark: Mark;
  readonly read: Reader;
};

/** The members of an object that somebody here knows. */
export type Shape = () => readonly Member[];

/**
 * Members from words, one for each: `name` is needed; `name?` is left out where it does not read or is `null`; `name~` is
 * too, but `null` stays, which clears in a patch; `name!` may be left out but not be malformed. `name/older` may come
 * under an older name. Members are `otherwise` (texts) unless `readers` says how they read; `_meta` is metadata everywhere.
 */
/* @__NO_SIDE_EFFECTS__ */
export function shape(words: string, readers: Readers = {}, otherwise: Reader = text): Shape {
  let members: readonly Member[] | undefined;
  // Read when it is needed first: to read all of them at once was 0.3 ms of an import.
  return () =>
    (members ??= words.split(" ").map((word) => {
      const [, name = "", older, mark = ""] = /^(\w+)\/?(\w+)?(\W?)$/.exec(word) ?? [];
      return { name, older, mark: mark as Mark, read: readers[name] ?? (name === "_meta" ? meta : otherwise) };
    }));
}

/**
 * Fills in the members of a shape that read; text says why it could not be done. Where `into` is the object itself, the
 * result keeps what nobody here knows, and `null`; it is copied only if something has to change.
 */
export function readShape<T extends object>(members: Shape, wire: Wire, into: object): T | string {
  let read = into as { [member: string]: unknown };
  for (const { name, older, mark, read: reader } of members()) {
    const isOld = older !== undefined && older in wire && !(name in wire);
    const given = wire[isOld ? older : name];
    // What is needed may be made of other members.
    if (mark !== "" && (given === undefined || (given === null && mark === "?"))) continue;
    const value = given === null && mark !== "" ? null : reader(given, wire);
    if (value === undefined && (mark === "" || mark === "!")) return `${name} does not read`;
    if (value === read[name]) continue;
    if (read === wire) read = { ...wire };
    if (isOld) delete read[older];
    if (value === undefined) delete read[name];
    else read[name] = value;
  }
  return read as T;
}

/**
 * An object that has what it needs, and may have metadata. What else it has stays, but for (L) members of its shape that
 * do not read.
 */
/* @__NO_SIDE_EFFECTS__ */
export function record<T = Wire>(words: string, readers?: Readers, otherwise?: Reader): Reader<T> {
  const members = shape(`${words} _meta?`, readers, otherwise);
  return (wire) => {
    const read = isObject(wire) ? readShape(members, wire, wire) : "";
    return typeof read === "string" ? undefined : (read as T);
  };
}

/** What a table has of its own under a name. */
export const own = <T>(table: { readonly [name: string]: T }, name: unknown): T | undefined =>
  typeof name === "string" && Object.hasOwn(table, name) ? table[name] : undefined;

/** An object of one of several kinds, by the name of its kind; of another kind it stays as it came. */
/* @__NO_SIDE_EFFECTS__ */
export function tagged<T>(kinds: Readers, tag = "type"): Reader<T> {
  return (wire) => {
    if (!isObject(wire) || typeof wire[tag] !== "string") return undefined;
    const read = own(kinds, wire[tag]);
    return (read === undefined ? wire : read(wire)) as T | undefined;
  };
}

/** An (LS) list: items that do not read are left out. What is no list does not read. */
/* @__NO_SIDE_EFFECTS__ */
export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) => (Array.isArray(value) ? list(value, read) : undefined);
}

/** A list of which one item that does not read makes all of it unreadable. */
/* @__NO_SIDE_EFFECTS__ */
export function wholeListOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) => (Array.isArray(value) && value.every((item) => read(item) !== undefined) ? value : undefined);
}

/** An integer within bounds, also one that lost its last digits (V2-ENV-15). */
/* @__NO_SIDE_EFFECTS__ */
export function integer(least?: number, most?: number): Reader<number> {
  return (value) => {
    const read = value as number;
    return Number.isInteger(read) && read >= (least ?? read) && read <= (most ?? read) ? read : undefined;
  };
}

/** For a member of any type. */
export const asItIs: Reader = (value) => value;

/** For a member that is known and says nothing by itself. */
export const passedOver: Reader = () => undefined;
