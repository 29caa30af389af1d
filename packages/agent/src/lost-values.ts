/** Maximum number of members of a value that are checked. */
const MAX_MEMBERS = 100;

/** Types of which JSON keeps nothing, or only a part. */
const LOST =
  /^(?:Error|Map|Set|WeakMap|WeakSet|Promise|RegExp|ArrayBuffer|Generator|AsyncGenerator|function|symbol|bigint)$/;

/**
 * Returns one sentence for a value, or a direct member of it, that JSON cannot contain. Deeper members are not checked, so the
 * cost does not depend on the size of the value.
 */
export function lostValue(name: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const found = [["", value], ...membersOf(value)].find(([, one]) => LOST.test(typeOf(one)));
  if (found === undefined) return [];
  const [member, lost] = found;
  const where = member === "" ? name : `member ${JSON.stringify(member)} in the ${name}`;
  const isError =
    lost instanceof Error ? "error.message" : lost instanceof Promise ? "the awaited value" : "a plain object";
  return [`The ${where} is of the type ${typeOf(lost)}, which JSON cannot contain. Pass ${isError}.`];
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== "object" || value === null || "toJSON" in value) return [];
  const members: [string, unknown][] = [];
  for (const name in value) {
    if (members.length === MAX_MEMBERS) break;
    members.push([name, (value as Readonly<Record<string, unknown>>)[name]]);
  }
  return members;
}

/** Returns the name of a type. A value with `toJSON` counts as an object, because it has its own form. */
function typeOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return typeof value;
  return typeof (value as { readonly toJSON?: unknown }).toJSON === "function"
    ? "object"
    : Object.prototype.toString.call(value).slice(8, -1);
}
