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

/** Returns `true` for a state. The lists of a state that was only parsed from JSON are arrays, so it is refused. */
export const isState = (state: unknown): boolean =>
  typeof (state as { timeline?: { toArray?: unknown } } | undefined)?.timeline?.toArray === "function";

/** @throws TypeError for a store or another value in place of a state, because a store has no entries */
export function checkState(call: string, state: unknown): void {
  checkOption(isState(state), call, typeof state, "a state, such as store.getState()");
}
