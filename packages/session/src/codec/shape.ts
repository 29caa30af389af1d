import { isObject, list, type Wire } from "./read.js";

/** Reads one member of a JSON object; `undefined` if it does not read. */
export type Reader<T = unknown> = (value: unknown, wire?: Wire) => T | undefined;

/** How members read, by their name. */
export type Fields = { readonly [member: string]: Reader };

/** What a table has of its own under a name. */
export const own = <T>(table: { readonly [name: string]: T }, name: unknown): T | undefined =>
  typeof name === "string" && Object.hasOwn(table, name) ? table[name] : undefined;

/** `null` stays, which clears in a patch; otherwise as `read` says. */
/* @__NO_SIDE_EFFECTS__ */
export function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value, wire) => (value === null ? null : read(value, wire));
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
export function integer(least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): Reader<number> {
  return (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most ? value : undefined;
}

/**
 * An object that has what it needs. Of what it may have, (L) members that do not read go, and `null` stays. It is copied
 * only where something has to change.
 */
/* @__NO_SIDE_EFFECTS__ */
export function record<T = Wire>(needs: Fields, may: Fields = {}): Reader<T> {
  return (wire) => {
    if (!isObject(wire)) return undefined;
    let read = wire as { [member: string]: unknown };
    for (const fields of [needs, may]) {
      for (const member in fields) {
        const value = wire[member];
        if (fields === may && value == null) continue;
        const sound = fields[member]?.(value, wire);
        if (sound === value && value !== undefined) continue;
        if (fields === needs && sound === undefined) return undefined;
        if (read === wire) read = { ...wire };
        if (sound === undefined) delete read[member];
        else read[member] = sound;
      }
    }
    return read as T;
  };
}

/** An object of one of several kinds, by the name of its kind; of another kind it stays as it came. */
/* @__NO_SIDE_EFFECTS__ */
export function tagged<T>(tag: string, kinds: { readonly [name: string]: Reader }): Reader<T> {
  return (wire) => {
    if (!isObject(wire) || typeof wire[tag] !== "string") return undefined;
    const read = own(kinds, wire[tag]);
    return (read === undefined ? wire : read(wire)) as T | undefined;
  };
}

/**
 * How an update or a part of one reads, under the names that its event has: what it needs, what is as good as left out
 * if it does not read, and what may be left out but not be malformed.
 */
export type Shape = readonly [needs: Fields, may?: Fields, sound?: Fields];

/** Fills in the members of a shape that read; text says why it could not be done. */
export function readShape<T extends object>(
  { 0: needs, 1: may, 2: sound }: Shape,
  wire: Wire,
  into: object,
): T | string {
  const read = into as { [member: string]: unknown };
  for (const fields of [needs, sound, may]) {
    for (const member in fields) {
      const given = wire[member];
      // What is needed may be made of other members.
      if (given === undefined && fields !== needs) continue;
      const value = fields[member]?.(given, wire);
      if (value !== undefined) read[member] = value;
      else if (fields !== may) return `${member} does not read`;
    }
  }
  return into as T;
}

/** For a member that is known and says nothing to the event. */
export const passedOver: Reader = () => undefined;
/** For a member of any type. */
export const asItIs: Reader = (value) => value;
