import {
  $constructor,
  type $ZodErrorMap,
  type $ZodRawIssue,
  $ZodType,
  type $ZodTypeDef,
  type $ZodTypeInternals,
  config,
  type ParseContextInternal,
  type ParsePayload,
  standardProps,
} from "zod/v4/core";
import { INVALID, type Note, notesOfKind, type OpenNote, type Read, refused } from "./note.js";

/** Part of a JSON Schema. */
export type JsonSchema = { [keyword: string]: unknown };

/** Definition of a schema. */
export interface SchemaDef extends $ZodTypeDef {
  readonly type: "custom";
  /** Name of the function that made the schema. */
  readonly kind: string;
  /** Words after "expected" in messages. */
  readonly expected: string;
  readonly read: Read;
  /** Returns the JSON Schema for values that need no correction. */
  readonly json: () => JsonSchema;
  /** Result of `typeof` for which a value is valid without a call of `read`. */
  readonly quick?: "string" | "boolean" | undefined;
  /** Values that are valid without a call of `read`. */
  readonly known?: ReadonlySet<unknown> | undefined;
  /** `true` if the key may be missing. */
  readonly optional?: boolean | undefined;
  /** Returns the empty value, such as `[]`. If there is none, the function is absent or returns `undefined`. */
  readonly empty?: (() => unknown) | undefined;
  /** Returns the schemas that are parts of this schema. */
  readonly parts?: (() => Readonly<Record<string, Schema>>) | undefined;
  /** Member whose value selects the variant. Only unions of `variants` and `openVariants` have it. */
  readonly tag?: string | undefined;
}

/** Result of `~standard.validate`. It contains the value, or the issues if the value cannot be read. */
export type Validated<T> =
  | {
      /** The input itself, or a copy if a part was corrected. */
      readonly value: T;
      readonly issues?: undefined;
      /** Malformed parts. They count as absent or empty, or their malformed elements are dropped. At most 100. */
      readonly salvaged?: readonly Note[] | undefined;
      /** Unknown variants and enum values. They are not changed. At most 100. */
      readonly unrecognized?: readonly Note[] | undefined;
    }
  | { readonly issues: readonly Note[] };

/** Internals of a schema, as a type of zod. */
export interface SchemaInternals<out T> extends $ZodTypeInternals<T, T> {
  readonly def: SchemaDef;
}

/**
 * Validator of values of type `T`.
 * - It is a zod schema. It can be used in `z.object` and `z.array`, and `z.toJSONSchema` converts it.
 * - It is a Standard Schema. `validate` is synchronous, never throws, and never changes its input.
 */
export interface Schema<out T = unknown> {
  /** Definition of the schema, for the functions that make schemas. */
  readonly def: SchemaDef;
  readonly _zod: SchemaInternals<T>;
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validated<T>;
    readonly types?: { readonly input: T; readonly output: T } | undefined;
  };
}

/** Schema of a member that may be missing. */
export interface OptionalSchema<out T> extends Schema<T | undefined> {
  readonly _zod: SchemaInternals<T | undefined> & { readonly optin: "optional"; readonly optout: "optional" };
}

/** Type that a schema validates. */
export type Infer<S extends Schema> = S["_zod"]["output"];

/**
 * Type of a string that this version of the protocol does not define. Such a string can be received and read as a
 * `string`. It cannot be written, because no value has this type. One type therefore serves both directions. An ambient
 * enum is used, because a brand would break narrowing in a `switch`.
 */
export declare enum Unrecognized {
  value = "",
}

/** Instance of the custom schema type, as a type of zod. */
type ReadingType = $ZodType<unknown, unknown, SchemaInternals<unknown>>;

/**
 * Custom schema type, which zod's own constructor makes. Therefore zod's `instanceof`, combinators, JSON Schema
 * conversion and error maps accept it.
 */
const ReadingSchema: $constructor<ReadingType, SchemaDef> = /* @__PURE__ */ $constructor(
  "ReadingSchema",
  (inst, def) => {
    $ZodType.init(inst, def);
    const { _zod } = inst;
    _zod.toJSONSchema = def.json;
    _zod.parse = (payload, context) => readPayload(inst, payload, context);
    if (def.optional === true) {
      _zod.optin = "optional";
      _zod.optout = "optional";
    }
    // zod treats `values` as a complete list, so an open enum has no `values`.
    if (def.kind === "literal" || def.kind === "oneOf") _zod.values = def.known as ReadingType["_zod"]["values"];
  },
  {
    get def() {
      return this._zod.def;
    },
    get "~standard"() {
      return standardOf(this);
    },
  } as ThisType<ReadingType>,
);

/**
 * Schema that is constructed when zod first uses it. Most schemas are only parts of other schemas. The
 * construction of all schemas took a quarter of the import time of a client.
 */
class LateSchema {
  readonly def: SchemaDef;

  constructor(def: SchemaDef) {
    this.def = def;
  }

  get _zod(): ReadingType["_zod"] {
    const { _zod: value } = new ReadingSchema(this.def);
    Object.defineProperty(this, "_zod", { value });
    return value;
  }

  get "~standard"() {
    return standardOf(this as unknown as ReadingType);
  }
}

/**
 * Standard Schema interface of zod. Its `validate` also returns the notes `salvaged` and `unrecognized`. It is created
 * on first use.
 */
function standardOf(schema: ReadingType) {
  const { read } = schema._zod.def;
  const value = { ...standardProps(schema), validate: (found: unknown) => validate(read, found) };
  Object.defineProperty(schema, "~standard", { value });
  return value;
}

/**
 * Reads a value for zod. The result is corrected, without notes. Error maps of zod may change the text of an issue.
 */
function readPayload(inst: ReadingType, payload: ParsePayload, context: ParseContextInternal): ParsePayload {
  const { def } = inst._zod;
  const { value: input } = payload;
  const read = validate(def.read, input);
  if (read.issues === undefined) payload.value = read.value;
  for (const { path, message } of read.issues ?? []) {
    const issue: $ZodRawIssue = { code: "custom", path: [...path], input, inst };
    const maps = [def.error, context.error, config().customError] as ($ZodErrorMap | undefined)[];
    const answers = maps.some((map) => map?.(issue) != null);
    // zod asks its error maps only about issues without a text.
    payload.issues.push(answers ? issue : { ...issue, message });
  }
  return payload;
}

function validate(read: Read, value: unknown): Validated<unknown> {
  const notes: OpenNote[] = [];
  let out: unknown;
  try {
    out = read(value, notes);
  } catch {
    // Only a value that is not JSON can throw here, for example a value with a cycle or getters.
    notes.length = 0;
    out = refused(notes, "expected plain JSON of finite depth");
  }
  if (out === INVALID) return { issues: notesOfKind(notes, "issue") ?? [] };
  if (notes.length === 0) return { value: out };
  return { value: out, salvaged: notesOfKind(notes, "salvaged"), unrecognized: notesOfKind(notes, "unrecognized") };
}

/**
 * Makes a schema from its definition, for the functions that make schemas.
 *
 * @internal
 */
// @__NO_SIDE_EFFECTS__
export function createSchema<T>(def: Omit<SchemaDef, "type">): Schema<T> {
  const whole = def as { -readonly [K in keyof SchemaDef]: SchemaDef[K] };
  whole.type = "custom";
  return new LateSchema(whole) as unknown as Schema<T>;
}

/** Validates a value, as `schema["~standard"].validate(value)` does. */
export function parse<T>(schema: Schema<T>, value: unknown): Validated<T> {
  return schema["~standard"].validate(value);
}
