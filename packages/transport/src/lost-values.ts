/** Maximum number of members of a value that are checked. */
const MAX_MEMBERS = 100;

/** Types of which JSON keeps nothing, or only a part. */
const LOST =
  /^(?:Error|Map|Set|WeakMap|WeakSet|Promise|RegExp|ArrayBuffer|Generator|AsyncGenerator|function|symbol|bigint|class .*)$/;

/** Numbers that JSON writes as `null`. */
const NO_NUMBER = /^(?:NaN|-?Infinity)$/;

/**
 * Returns one sentence for a value, or a direct member of it, that JSON cannot contain. Deeper members are not checked, so the
 * cost does not depend on the size of the value.
 */
export function lostValue(name: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const found = [["", value], ...membersOf(value)].find(([, one]) => isLost(typeOf(one)));
  if (found === undefined) return [];
  const [member, lost] = found;
  const where = member === "" ? name : `member ${JSON.stringify(member)} in the ${name}`;
  const type = typeOf(lost);
  if (NO_NUMBER.test(type)) return [`The ${where} is ${type}, which JSON writes as null. Pass a number or a text.`];
  const isError =
    lost instanceof Error ? "error.message" : lost instanceof Promise ? "the awaited value" : "a plain object";
  return [`The ${where} is of the type ${type}, which JSON cannot contain. Pass ${isError}.`];
}

/** Returns one sentence for a data URL in place of base64, which no reader of base64 can decode. */
export function dataUrl(name: string, value: unknown): readonly string[] {
  if (typeof value !== "string" || !value.startsWith("data:")) return [];
  return [`The data of ${name} is a data URL. Pass only the base64 text after the comma.`];
}

const isLost = (type: string): boolean => LOST.test(type) || NO_NUMBER.test(type);

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== "object" || value === null || "toJSON" in value) return [];
  const members: [string, unknown][] = [];
  for (const name in value) {
    if (members.length === MAX_MEMBERS) break;
    members.push([name, (value as Readonly<Record<string, unknown>>)[name]]);
  }
  return members;
}

/**
 * Returns the name of a type. A value with `toJSON` counts as an object, because it has its own form. A number without a
 * form in JSON is its own type.
 */
function typeOf(value: unknown): string {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "object" || value === null) return typeof value;
  if (typeof (value as { readonly toJSON?: unknown }).toJSON === "function") return "object";
  const type = Object.prototype.toString.call(value).slice(8, -1);
  return type === "Object" && isHidden(value) ? `class ${value.constructor?.name}` : type;
}

/** Returns `true` for an object of a class whose members are all private or getters, so that JSON has none of them. */
function isHidden(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype !== null && Object.getPrototypeOf(prototype) !== null && Object.keys(value).length === 0;
}
