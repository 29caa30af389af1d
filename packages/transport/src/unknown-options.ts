import { checkArgument } from "./check-argument.js";
import { reporter } from "./reporter.js";

/** Maximum number of unknown options that one object reports, and of characters of a name that is compared or shown. */
const MAX_REPORTED = 20;
const MAX_NAME = 60;

/**
 * Returns one sentence for each member of `options` that no function reads, with the nearest known name. Only a plain object
 * is checked, because an object of a class may have members of its own. Members with the value `undefined` are skipped.
 *
 * @param call name of the function that got the options
 * @param names options of that function, options of other functions by the name of the function, remedies for names that
 *   belong elsewhere, and the remedy for all other names
 */
export function unknownOptions(
  call: string,
  options: object,
  {
    known,
    others = {},
    remedies = {},
    otherwise = () => "Remove it.",
  }: {
    readonly known: readonly string[];
    readonly others?: Readonly<Record<string, readonly string[]>>;
    readonly remedies?: Readonly<Record<string, string>>;
    readonly otherwise?: (name: string) => string;
  },
): readonly string[] {
  if (typeof options !== "object" || options === null) return [];
  const prototype: unknown = Object.getPrototypeOf(options);
  if (prototype !== Object.prototype && prototype !== null) return [];
  const unknown = Object.keys(options).filter(
    (name) => (options as Readonly<Record<string, unknown>>)[name] !== undefined && !known.includes(name),
  );
  const all = [...known, ...Object.values(others).flat()];
  return unknown.slice(0, MAX_REPORTED).map((name) => {
    const owner = Object.keys(others).find((other) => others[other]?.includes(name));
    const near = nearest(name, all);
    const remedy = Object.hasOwn(remedies, name) ? remedies[name] : undefined;
    const hint = remedy ?? (near === undefined ? otherwise(name) : `Do you mean ${near}?`);
    const why =
      owner === undefined || remedy !== undefined ? `there is no such option. ${hint}` : `it is an option of ${owner}.`;
    return `The option ${name.slice(0, MAX_NAME)} of ${call} is not used: ${why}`;
  });
}

/**
 * Prints one sentence for each member of `options` that `call` does not read. For functions without `onDiagnostic`.
 *
 * @param table all names that `call` reads, with `true`, and names that belong elsewhere, each with its remedy
 * @throws TypeError for a value that is not an object with options, such as a text or a list
 */
export function printUnknownOptions(call: string, options: object, table: object): void {
  const rows = Object.entries(table) as readonly (readonly [string, true | string])[];
  const known = rows.filter(([, row]) => typeof row !== "string").map(([name]) => name);
  const remedies = Object.fromEntries(rows.filter((row): row is [string, string] => typeof row[1] === "string"));
  checkIsOptions(call, options, known);
  const report = reporter(undefined);
  for (const message of unknownOptions(call, options, { known, remedies })) report({ code: "unused_option", message });
}

/**
 * Refuses members of `options` that `call` does not read. For options that guard something: a misspelled one guards nothing.
 *
 * @param known all names that `call` reads
 * @param others options of other functions, by the name of the function
 * @throws TypeError for such a member, and for a value that is not an object with options
 */
export function refuseUnknownOptions(
  call: string,
  options: object,
  { known, others = {} }: { readonly known: object; readonly others?: Readonly<Record<string, object>> },
): void {
  const names = Object.keys(known);
  checkIsOptions(call, options, names);
  const ofOthers = Object.entries(others).map(([name, members]) => [name, Object.keys(members)] as const);
  const [message] = unknownOptions(call, options, { known: names, others: Object.fromEntries(ofOthers) });
  if (message !== undefined) throw new TypeError(message);
}

function checkIsOptions(call: string, options: unknown, [first, second]: readonly string[]): void {
  const isObject = typeof options === "object" && options !== null && !Array.isArray(options);
  const names = second === undefined ? first : `${first} or ${second}`;
  checkArgument(isObject, call, { got: options, remedy: `pass an object with options such as ${names}` });
}

/** Returns the known name with the fewest different letters. Returns `undefined` if more than a third differs. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const ranked = known
    .map((one) => ({ one, far: distance(name.toLowerCase(), one.toLowerCase()) }))
    .filter(({ one, far }) => far <= Math.max(one.length, name.length) / 3)
    .sort((left, right) => left.far - right.far);
  return ranked[0]?.one ?? known.find((one) => one.length > 2 && name.toLowerCase().includes(one.toLowerCase()));
}

/** Returns the number of letters to insert, remove or replace (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (to[at - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
