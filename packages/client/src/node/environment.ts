/** Environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Adds the entries of an agent to an environment. An entry replaces the variable of the same name. If several entries have
 * one name, the last entry is used.
 *
 * @param refused makes the error for an invalid entry; it does not get the entry's value, which may be a secret
 */
export function overlay(
  base: Environment,
  entries: readonly { readonly name: string; readonly value: string }[],
  refused: (name: string) => Error,
): Environment {
  const env: Record<string, string | undefined> = Object.assign(Object.create(null), base);
  for (const { name, value } of entries) {
    if (name === "" || /[=\0]/.test(name) || value.includes("\0")) throw refused(name);
    if (process.platform === "win32") {
      for (const key of Object.keys(env)) if (key.toLowerCase() === name.toLowerCase()) delete env[key];
    }
    env[name] = value;
  }
  return env;
}
