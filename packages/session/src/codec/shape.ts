import type { SessionEvent } from "../event.js";
import type { Wire } from "./read.js";

/** Reads one member of a JSON object; `undefined` if it does not read. */
export type Reader = (value: unknown, wire: Wire) => unknown;

/** How members read, by their name. */
export type Fields = { readonly [member: string]: Reader };

/** How an update or a part of one reads, under the names that its event has. */
export type Shape = {
  /** Without one of these there is no event. */
  readonly needs: Fields;
  /** What may be left out, but not be malformed. */
  readonly sound?: Fields;
  /** What does not read among these is as good as left out. */
  readonly may?: Fields;
};

/** How a kind of update reads. */
export type Variant = Shape & {
  readonly type: SessionEvent["type"];
  /** For what a table cannot say. */
  readonly finish?: (event: SessionEvent, update: Wire) => SessionEvent;
};

/** Fills in the members of a shape that read; text says why it could not be done. */
export function readShape<T extends object>({ needs, sound, may }: Shape, wire: Wire, into: object): T | string {
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

/** Whether every one of some members reads. */
export function reads(wire: Wire, fields: Fields): boolean {
  for (const member in fields) if (fields[member]?.(wire[member], wire) === undefined) return false;
  return true;
}

/** The object with (L) members as they read, and without those that do not; the same object if they all stay. */
export function lenient(wire: Wire, fields: Fields): Wire {
  let read: { [member: string]: unknown } | undefined;
  for (const member in fields) {
    const value = wire[member];
    const sound = value == null ? value : fields[member]?.(value, wire);
    if (sound === value) continue;
    read ??= { ...wire };
    if (sound === undefined) delete read[member];
    else read[member] = sound;
  }
  return read ?? wire;
}

/** For a member that is known and says nothing to the event. */
export const passedOver: Reader = () => undefined;
/** For a member of any type. */
export const asItIs: Reader = (value) => value;
