import type { AuthMethod } from "@turnkit/session";
import { isDataVariable } from "@turnkit/transport/node";

/** Bounds of a login method on a terminal. A person must be able to read the whole method. */
const maxArguments = 32;
const maxVariables = 16;
const maxCharacters = 4_096;

/** Control characters, invisible characters, and characters that change the order of a line. */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

/**
 * Returns the reason why a login on a terminal must not run, as the end of a sentence. Returns `undefined` for a method
 * that may run, and for methods of other types. A method may run if a person can read all of it, and if it changes only the
 * agent's own behaviour. Its rules:
 *
 * - The method has at most 32 arguments and 16 variables, with at most 4 096 characters together.
 * - The method has no control characters and no invisible characters.
 * - The method sets only variables that certainly hold data, such as `API_KEY`, `TERM`, and switches like `MY_LOGIN=1`.
 *   Unknown variables could load other programs or configuration.
 */
export function terminalLoginFault(method: AuthMethod): string | undefined {
  if (method.type !== "terminal") return undefined;
  const { args, env } = method;
  if (args.length > maxArguments) return `it has more than ${maxArguments} arguments`;
  if (env.length > maxVariables) return `it sets more than ${maxVariables} variables`;
  const texts = [...args, ...env.flatMap(({ name, value }) => [name, value])];
  if (texts.reduce((sum, { length }) => sum + length, 0) > maxCharacters) {
    return `its command has more than ${maxCharacters} characters`;
  }
  if (texts.some((text) => unseen.test(text))) return "its command holds characters that nobody sees";
  const names = env.map(({ name }) => name);
  const invalid = names.find((name) => !/^[a-z_]\w*$/i.test(name));
  if (invalid !== undefined) return `the variable ${JSON.stringify(invalid)} cannot be set`;
  const twice = names.find((name, at) => names.some((one, n) => n < at && one.toLowerCase() === name.toLowerCase()));
  if (twice !== undefined) return `it sets ${twice} twice`;
  const steers = env.filter(({ name, value }) => !isDataVariable(name, value)).map(({ name }) => name);
  return steers.length === 0 ? undefined : `it sets ${steers.join(", ")}, which can start other programs`;
}
