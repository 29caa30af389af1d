import { isObject, list, meta, type Wire } from "./read.js";

/** Reader of one member of an object, or of one item of a list. Returns `undefined` for a malformed value. */
export type Reader<T = unknown> = (value: unknown, wire?: Wire) => T | undefined;

/** Readers by the name of the member that they read. */
export type Readers = { readonly [member: string]: Reader };

/** Members of a JSON object, by the handling of absent, `null` and malformed values. Each object may have metadata. */
export type Members = {
  /** Members without which the object does not read. */
  readonly required?: Readers;
  /** Members that are left out where they are `null` or malformed. */
  readonly optional?: Readers;
  /** Members that are left out where they are malformed. `null` stays: it clears in a patch. */
  readonly nullable?: Readers;
  /** Members that may be absent or `null`, but not malformed. */
  readonly strict?: Readers;
  /** Older names by member. A value under an older name is read under the newer one. */
  readonly older?: { readonly [member: string]: string };
};

/** One member of an object. */
type Member = {
  readonly name: string;
  readonly older: string | undefined;
  readonly rule: "required" | "optional" | "nullable" | "strict";
  readonly read: Reader;
};

/** Members of an object in a list, which is made at its first use. */
export type Shape = () => readonly Member[];

/** Returns the shape of an object with these members and metadata. */
/* @__NO_SIDE_EFFECTS__ */
export function shape(members: Members): Shape {
  let listed: readonly Member[] | undefined;
  // Created at the first use: all of them together took 0.3 ms of the import.
  return () => (listed ??= listMembers(members));
}

const RULES = ["required", "nullable", "strict", "optional"] as const;

function listMembers({ older = {}, ...members }: Members): readonly Member[] {
  const { nullable, optional } = members;
  const all = { ...members, optional: nullable?._meta ? optional : { ...optional, _meta: meta } };
  return RULES.flatMap((rule) =>
    Object.entries(all[rule] ?? {}).map(([name, read]) => ({ name, older: older[name], rule, read })),
  );
}

/**
 * Reads the members of a shape into `into`. Returns the reason if the object does not read. Where `into` is the object
 * itself, `null` and unknown members stay, and the object is copied only for a change.
 */
export function readShape<T extends object>(members: Shape, wire: Wire, into: object): T | string {
  let read = into as { [member: string]: unknown };
  for (const { name, older, rule, read: reader } of members()) {
    const isOld = older !== undefined && older in wire && !(name in wire);
    const given = wire[isOld ? older : name];
    // A required member may be made of other members.
    if (rule !== "required" && (given === undefined || (given === null && rule === "optional"))) continue;
    const value = given === null && rule !== "required" ? null : reader(given, wire);
    if (value === undefined && (rule === "required" || rule === "strict")) return `${name} does not read`;
    if (value === read[name]) continue;
    if (read === wire) read = { ...wire };
    if (isOld) delete read[older];
    if (value === undefined) delete read[name];
    else read[name] = value;
  }
  return read as T;
}

/** Returns the reader of an object with these members and metadata. Unknown members are kept. */
/* @__NO_SIDE_EFFECTS__ */
export function record<T = Wire>(members: Members): Reader<T> {
  const known = shape(members);
  return (wire) => {
    const read = isObject(wire) ? readShape(known, wire, wire) : "";
    return typeof read === "string" ? undefined : (read as T);
  };
}

/** Returns the reader of an object of one kind of update. Unknown members are left out. */
/* @__NO_SIDE_EFFECTS__ */
export function knownMembers<T extends object>([members]: readonly [Shape, object?]): Reader<T> {
  return (wire) => {
    const read = isObject(wire) ? readShape<T>(members, wire, {}) : "";
    return typeof read === "string" ? undefined : read;
  };
}

/** Returns the own member of a table, or `undefined`. */
export const own = <T>(table: { readonly [name: string]: T }, name: unknown): T | undefined =>
  typeof name === "string" && Object.hasOwn(table, name) ? table[name] : undefined;

/** Returns the reader of an object of one of several kinds. An object of an unknown kind is kept unchanged. */
/* @__NO_SIDE_EFFECTS__ */
export function tagged<T>(kinds: Readers, tag = "type"): Reader<T> {
  return (wire) => {
    if (!isObject(wire) || typeof wire[tag] !== "string") return undefined;
    const read = own(kinds, wire[tag]);
    return (read === undefined ? wire : read(wire)) as T | undefined;
  };
}

/** Returns the reader of a list. Malformed items are left out; any other value does not read. */
/* @__NO_SIDE_EFFECTS__ */
export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) => (Array.isArray(value) ? list(value, read) : undefined);
}

/** Returns the reader of a list that does not read with one malformed item. */
/* @__NO_SIDE_EFFECTS__ */
export function wholeListOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) => (Array.isArray(value) && value.every((item) => read(item) !== undefined) ? value : undefined);
}

/** Returns the reader of an integer within bounds. An integer that lost its last digits reads too. */
// V2-ENV-15
/* @__NO_SIDE_EFFECTS__ */
export function integer(least?: number, most?: number): Reader<number> {
  return (value) => {
    const read = value as number;
    return Number.isInteger(read) && read >= (least ?? read) && read <= (most ?? read) ? read : undefined;
  };
}

/** Reads any value as it is. */
export const asItIs: Reader = (value) => value;

/** Reads nothing, for a member that another reader uses. */
export const passedOver: Reader = () => undefined;
