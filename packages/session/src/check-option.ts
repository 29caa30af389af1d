/**
 * Throws a `TypeError` for an option of another type. Only callers in JavaScript can pass one. The message contains the
 * function and the option, the value, and the correct form.
 */
export function checkOption(isSound: boolean, option: string, got: unknown, wanted: string): void {
  if (!isSound) throw new TypeError(`${option} got ${JSON.stringify(got) ?? typeof got}: pass ${wanted}.`);
}

/** @throws TypeError for a member that `call` does not read, such as a misspelled option */
export function checkNames(call: string, options: object, names: readonly string[]): void {
  for (const [name, got] of Object.entries(options)) {
    checkOption(got === undefined || names.includes(name), `${call} ${name}`, got, `an option: ${names.join(" or ")}`);
  }
}

/**
 * Checks bounds of a state.
 *
 * @throws TypeError for a bound that is not a number from 0, such as a number as text
 */
export function checkBounds(call: string, bounds: object): void {
  for (const [name, got] of Object.entries(bounds)) {
    checkOption(got === undefined || (typeof got === "number" && got >= 0), `${call} ${name}`, got, "a number from 0");
  }
}
