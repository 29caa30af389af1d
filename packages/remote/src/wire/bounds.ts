import { checkArgument, checkTypes, refuseOption, unknownOptions } from "@turnkit/transport";

/**
 * Returns bounds with their defaults. A bound that is `undefined` also gets its default.
 *
 * @throws TypeError for a value that is not an object, and for a bound that is not a number
 */
export function withDefaults<T extends object>(call: string, given: Partial<T>, defaults: T): T {
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  checkArgument(isObject, call, { got: given, remedy: "pass an object of numbers" });
  checkTypes(call, given, Object.fromEntries(Object.keys(defaults).map((name) => [name, "number"])));
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...(Object.fromEntries(set) as Partial<T>) };
}

/**
 * Returns bounds of a server with their defaults.
 *
 * @throws as {@link withDefaults} does, and TypeError for an unknown bound
 */
export function serverBounds<T extends object>(call: string, given: Partial<T>, defaults: T): T {
  const bounds = withDefaults(call, given, defaults);
  unknownOptions(call, given, { known: defaults }).forEach(refuseOption);
  return bounds;
}
