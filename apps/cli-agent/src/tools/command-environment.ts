import { delimiter, isAbsolute } from "node:path";
import { redactSecrets } from "@turnkit/transport/trace";

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of further keys, such as `LOCAL_KEY`. */
const KEY_NAME = /(?:^|_)KEYS?$/i;

/**
 * Returns an environment without secrets, recognised by name or form. Keys of models belong to the agent, and not to a
 * model's commands. Relative folders of `PATH` are dropped: a project could bring programs of its own.
 *
 * @param secrets names of further variables that hold secrets
 */
export function commandEnvironment(env: Environment, secrets: readonly string[] = []): Environment {
  const safe = redactSecrets(env) as Environment;
  const kept = ([name, value]: [string, string | undefined]) =>
    safe[name] === value && !KEY_NAME.test(name) && !secrets.includes(name);
  const path = ([name, value]: [string, string | undefined]) =>
    [name, /^path$/i.test(name) ? value?.split(delimiter).filter(isAbsolute).join(delimiter) : value] as const;
  return Object.fromEntries(Object.entries(env).filter(kept).map(path));
}
