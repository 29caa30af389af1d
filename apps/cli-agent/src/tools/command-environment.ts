import { type Distrusted, safeEnvironment } from "@turnkit/transport/node";
import { isSecretName, redactSecrets } from "@turnkit/transport/trace";

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of further variables with keys, such as `local_key`. */
const KEY_NAME = /(?:^|_)KEYS?$/i;

type CommandEnvironmentOptions = {
  /** Names of further variables with secrets. */
  readonly secrets?: readonly string[];
  /** Roots of the session. Their projects are removed from `PATH`. */
  readonly distrusted: Distrusted;
};

/**
 * Returns the environment for commands, without secrets. Secrets are recognised by the name or by the form of the
 * value. Keys for models are removed, because a command of the model must not read them. Relative folders, and folders
 * in the projects of the session, are removed from `PATH` and similar variables. A project could put its own programs there.
 */
export function commandEnvironment(
  env: Environment,
  { secrets = [], distrusted }: CommandEnvironmentOptions,
): Environment {
  const safe = redactSecrets(env) as Environment;
  const kept = ([name, value]: [string, string | undefined]) =>
    safe[name] === value && !isSecretName(name) && !KEY_NAME.test(name) && !secrets.includes(name);
  return safeEnvironment(Object.fromEntries(Object.entries(env).filter(kept)), distrusted);
}
