import { redactSecrets } from "@turnkit/transport/trace";

type Environment = Readonly<Record<string, string | undefined>>;

/** Keys that are named after nothing but their owner, too: `LOCAL_KEY`. */
const KEY_NAME = /(?:^|_)KEYS?$/i;

/**
 * The environment of this process without what is a secret by its name or its form: the keys of models are for this agent,
 * and not for the commands that a model asks for.
 *
 * @param secrets names of further variables that hold secrets
 */
export function commandEnvironment(env: Environment, secrets: readonly string[] = []): Environment {
  const safe = redactSecrets(env) as Environment;
  const kept = ([name, value]: [string, string | undefined]) =>
    safe[name] === value && !KEY_NAME.test(name) && !secrets.includes(name);
  return Object.fromEntries(Object.entries(env).filter(kept));
}
