/** Maximum length of a value in a message, in characters. */
const MAX_SHOWN = 60;

/**
 * Throws a `TypeError` for an argument of a wrong type. Only callers without types can pass such a value. The message
 * contains the failure, its object, and the correct argument.
 *
 * @param call name of the function, followed by a space and the name of the argument
 * @param remedy end of the sentence, which begins with the failure
 */
export function checkArgument(
  isSound: boolean,
  call: string,
  { got, remedy }: { readonly got: unknown; readonly remedy: string },
): void {
  if (!isSound) throw new TypeError(`${call} got ${shown(got)}: ${remedy}.`);
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, MAX_SHOWN));
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object of another form" : String(value);
}
