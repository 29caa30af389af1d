import { expect } from "vitest";
import { type Note, parse, type Schema } from "../src/index.js";

/** Outcome of reading a message: refused (with the places), or handed on, with corrections or as it came. */
export type Outcome =
  | { readonly refused: readonly string[] }
  | {
      /** Places that were corrected. */
      readonly salvaged?: readonly string[];
      /** Places with values that nobody here knows, handed on as they came. */
      readonly kept?: readonly string[];
      /** Value that is handed on instead of the message. */
      readonly as?: unknown;
    };

/** One value: what it is, the schema that reads it, itself, and what we do. */
export type Case = readonly [what: string, schema: Schema, value: unknown, outcome: Outcome];

/** Handed on as it came, without a remark. */
export const fine: Outcome = {};

/** Reads a value and holds what came of it against what should; what is not corrected must be the very object. */
export function expectOutcome(schema: Schema, value: unknown, outcome: Outcome): void {
  const read = parse(schema, value);
  if (read.issues) {
    expect({ refused: places(read.issues) }).toEqual(outcome);
    return;
  }
  expect(outcome).not.toHaveProperty("refused");
  const { salvaged = [], kept = [], as } = outcome as Exclude<Outcome, { refused: unknown }>;
  expect({ salvaged: places(read.salvaged), kept: places(read.unrecognized) }).toEqual({ salvaged, kept });
  if (as === undefined) expect(read.value).toBe(value);
  else expect(read.value).toEqual(as);
}

const places = (notes: readonly Note[] = []): string[] => notes.map(({ path }) => path.join("."));
