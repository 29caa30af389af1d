import { checkArgument, checkFunction } from "./check-argument.js";
import { MAX_NAME, nearest } from "./near-names.js";
import { reporter } from "./reporter.js";

/** Maximum number of unknown options that are reported of one object. */
const MAX_REPORTED = 20;

/**
 * Returns one sentence for each member of `options` that `call` does not read. The sentence names the function that reads
 * it, or the nearest known name. Only plain objects are checked, because an object of a class may have members of its own.
 * Members with the value `undefined` are skipped. Of many such members, the first 20 are reported.
 *
 * @param call name of the function that got the options
 * @param names tables with the options of that function, and of other functions by their names. Remedies for names that
 *   belong elsewhere, and the remedy for all other names
 */
export function unknownOptions(
  call: string,
  options: object,
  {
    known,
    others = {},
    remedies = {},
    otherwise = () => `The options are ${Object.keys(known).join(", ")}.`,
  }: {
    readonly known: object;
    readonly others?: Readonly<Record<string, object>>;
    readonly remedies?: Readonly<Record<string, string>>;
    readonly otherwise?: (name: string) => string;
  },
): readonly string[] {
  if (typeof options !== "object" || options === null) return [];
  const prototype: unknown = Object.getPrototypeOf(options);
  if (prototype !== Object.prototype && prototype !== null) return [];
  // Only unknown members are read, because the read of a member may throw.
  const unknown = Object.keys(options).filter(
    (name) => !Object.hasOwn(known, name) && (options as Readonly<Record<string, unknown>>)[name] !== undefined,
  );
  if (unknown.length === 0) return [];
  const all = [known, ...Object.values(others)].flatMap(Object.keys);
  return unknown.slice(0, MAX_REPORTED).map((name) => {
    const owner = Object.keys(others).find((other) => Object.hasOwn(others[other] ?? {}, name));
    const near = nearest(name, all);
    const remedy = Object.hasOwn(remedies, name) ? remedies[name] : undefined;
    const hint = remedy ?? (near === undefined ? otherwise(name) : `Do you mean ${near}?`);
    const why =
      owner === undefined || remedy !== undefined ? `there is no such option. ${hint}` : `it is an option of ${owner}.`;
    return `The option ${name.slice(0, MAX_NAME)} of ${call} is not used: ${why}`;
  });
}

/** Values to pass for an option, by its type. */
const WANTED = {
  ...{ number: "a number", count: "a number", boolean: "true or false", string: "a text", function: "a function" },
  ...{ object: "an object", list: "a list" },
};

/**
 * Type of an option: the type of its value, or the allowed texts. A `count` is a number above 0, for options with which
 * nothing would ever happen at 0. A function checks an option of the type `any` itself.
 */
export type OptionType = keyof typeof WANTED | "any" | readonly string[];

type TypeOf<V> = [V] extends [never]
  ? "any"
  : [V] extends [number]
    ? "number" | "count"
    : [V] extends [boolean]
      ? "boolean"
      : [V] extends [(...given: never[]) => unknown]
        ? "function"
        : [V] extends [string]
          ? string extends V
            ? "string"
            : readonly V[]
          : V extends readonly unknown[]
            ? "list" | "any"
            : "object" | "any";

/** Table with the type of each member of `T`. A member without its type does not compile. */
export type OptionTypes<T> = { readonly [name in keyof T]-?: TypeOf<NonNullable<T[name]>> };

type Types = Readonly<Record<string, OptionType>>;

/**
 * Checks the members of `options`: their types, and that `call` reads each of them.
 *
 * @param types table of all members that `call` reads
 * @param unknown gets one sentence for each other member. By default, it is printed. Pass {@link refuseOption} for options that
 *   guard something, because a misspelled one guards nothing
 * @param names options of other functions, and remedies for names that belong elsewhere
 * @throws TypeError for a member of another type, for a number below 0 or `NaN`, and for options that are not an object
 */
export function checkOptions(
  call: string,
  options: object,
  types: Types,
  {
    unknown = print,
    ...names
  }: {
    readonly unknown?: (message: string) => void;
    readonly others?: Readonly<Record<string, object>>;
    readonly remedies?: Readonly<Record<string, string>>;
  } = {},
): void {
  checkIsOptions(call, options, Object.keys(types));
  checkTypes(call, options, types);
  for (const message of unknownOptions(call, options, { known: types, ...names })) unknown(message);
}

function print(message: string): void {
  reporter(undefined)({ code: "unused_option", message });
}

/** Refuses an option that does not exist. Pass it to {@link checkOptions}. */
export function refuseOption(message: string): never {
  throw new TypeError(message);
}

/**
 * Checks the types of members. Members that are `undefined`, and members without a row, are skipped.
 *
 * @throws TypeError for a member of another type, such as a time as text, for a number below 0 or `NaN`, and for a
 *   generator function
 */
export function checkTypes(call: string, members: object, types: Types): void {
  for (const [name, type] of Object.entries(types)) {
    const got = (members as Readonly<Record<string, unknown>>)[name];
    if (got === undefined || type === "any") continue;
    if (type === "function") {
      checkFunction(`${call} ${name}`, got);
      continue;
    }
    const isSound = typeof type === "string" ? isOfType(got, type) : type.includes(got as string);
    const bounds: Readonly<Record<string, string>> = { number: " from 0", count: " above 0" };
    const bound = typeof got === "number" && typeof type === "string" ? (bounds[type] ?? "") : "";
    checkArgument(isSound, `${call} ${name}`, { got, remedy: `pass ${wanted(name, type)}${bound}` });
  }
}

/** Checks that all members have one type. */
export function checkMembers(call: string, members: object, type: OptionType): void {
  checkTypes(call, members, Object.fromEntries(Object.keys(members).map((name) => [name, type])));
}

function isOfType(got: unknown, type: string): boolean {
  if (type === "count") return typeof got === "number" && got > 0;
  return typeOf(got) === type && (type !== "number" || (got as number) >= 0);
}

/** Returns the type of a value as in {@link OptionType}. No option has the type of `null`. */
function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
}

function wanted(name: string, type: Exclude<OptionType, "any">): string {
  if (typeof type !== "string") return `${type.slice(0, -1).join(", ")} or ${type.at(-1)}`;
  return WANTED[type] + (name.endsWith("Ms") ? " of milliseconds" : name.endsWith("Bytes") ? " of bytes" : "");
}

function checkIsOptions(call: string, options: unknown, [first, second]: readonly string[]): void {
  const names = second === undefined ? first : `${first} or ${second}`;
  checkArgument(typeOf(options) === "object", call, {
    got: options,
    remedy: `pass an object with options such as ${names}`,
  });
}
