import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Environment variable with the token of an agent behind an address. */
export const tokenVariable = "TURNKIT_TOKEN";

const MAX_BYTES = 4096;

/**
 * Returns the token of a private file. Without a file, returns the value of the variable, or `undefined`. Errors never
 * contain the token.
 *
 * @throws Error for a file that other users can read, or that holds no token in one line. A file of root is accepted,
 * even if everybody can read it, but not if everybody can change it.
 */
export async function readAccessToken(file: string | undefined, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (file === undefined && !env[tokenVariable]) return undefined;
  const place = file ?? tokenVariable;
  const token = (file === undefined ? (env[tokenVariable] ?? "") : await readPrivately(file, ofToken)).trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new Error(`${place} has no token: it must be one line of letters, digits and signs, without blanks.`);
}

/** Minimum length of a token that a port accepts, in characters. */
const MIN_TOKEN = 16;

/**
 * Returns the token that clients of a port must send, from the same places as {@link readAccessToken}.
 *
 * @throws Error for a token of less than 16 characters, because such a token could be guessed; also the errors of
 *   {@link readAccessToken}
 */
export async function readPortToken(file: string | undefined, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return long("The token", await readAccessToken(file, env));
}

/** Environment variable with the token of programs that only read the figures of a port. */
export const metricsVariable = "TURNKIT_METRICS_TOKEN";

/**
 * Returns the token of programs that only read the figures of a port.
 *
 * @throws Error for a token of less than 16 characters
 */
export function readMetricsToken(env: NodeJS.ProcessEnv): string | undefined {
  return long(metricsVariable, env[metricsVariable]?.trim() || undefined);
}

function long(name: string, token: string | undefined): string | undefined {
  if (token === undefined || token.length >= MIN_TOKEN) return token;
  const remedy = `Use ${MIN_TOKEN} or more, for example of: openssl rand -hex 32`;
  throw new Error(`${name} has ${token.length} characters. ${remedy}`);
}

const ofToken = { option: "--token-file", otherWay: `, or pass the token in ${tokenVariable}` };

/** Option that names a private file, and another way to pass its content. */
export type PrivateFileUse = { readonly option: string; readonly otherWay?: string };

/**
 * Reads a private file of at most 64 KiB.
 *
 * @throws Error for a file that other users can read, with the option and a remedy. A file of root is accepted, even if
 * everybody can read it, but not if everybody can change it.
 */
export async function readPrivately(path: string, { option, otherWay = "" }: PrivateFileUse): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: Error) => {
    throw new Error(`${option}: ${path} cannot be read: ${error.message}.`);
  });
  try {
    const { uid, mode, size } = await file.stat();
    const me = process.getuid?.();
    // Systems mount secrets for services as files of root, often readable by everybody. Windows has no such owners and modes.
    const isPrivate = uid === me ? (mode & 0o077) === 0 : uid === 0 && (mode & 0o002) === 0;
    if (me !== undefined && !isPrivate)
      throw new Error(
        `${option}: ${path} is not used, because other users can read it. Run chmod 600 ${path}${otherWay}.`,
      );
    if (size > MAX_BYTES) throw new Error(`${option}: ${path} has more than ${MAX_BYTES} bytes.`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
