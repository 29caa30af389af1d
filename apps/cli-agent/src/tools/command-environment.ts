import { delimiter, isAbsolute } from "node:path";
import { redactSecrets } from "@turnkit/transport/trace";

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of further variables with keys, such as `LOCAL_KEY`. */
const KEY_NAME = /(?:^|_)KEYS?$/i;

/**
 * Returns the environment for commands, without secrets. Secrets are recognised by the name or by the form of the
 * value. Keys for models are removed, because a command of the model must not read them. Relative folders are removed
 * from `PATH`, because a project could put its own programs there.
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
