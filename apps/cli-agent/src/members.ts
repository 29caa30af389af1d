/** Returns the members of an object. A value of every other type has none. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Returns the items of an array. A value of every other type has none. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
