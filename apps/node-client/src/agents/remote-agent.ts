import { isLoopbackHost } from "@turnkit/remote/server";
import { isSecretName } from "@turnkit/transport/trace";
import { UsageError } from "../exit-code.js";
import { readAccessToken, tokenVariable } from "../setup/access-token.js";

/**
 * Agent behind an address. It usually runs on another machine, so it gets no files or commands of this machine unless
 * the user allows this.
 */
export type RemoteAgent = { readonly url: URL; readonly token?: string };

/** Choice of a remote agent on the command line. */
export type RemoteWish = { readonly url?: string; readonly tokenFile?: string };

/**
 * Reads the address of a remote agent, and its token. Secrets in the address are refused, because other programs can read
 * a command line. Errors do not repeat the address.
 *
 * @throws UsageError for another address, and for a token that cannot be used
 */
export async function readRemoteAgent(
  { url: text, tokenFile }: RemoteWish,
  env: NodeJS.ProcessEnv,
): Promise<RemoteAgent> {
  const url = URL.canParse(text ?? "") ? new URL(text as string) : undefined;
  if (url === undefined || !/^(?:https?|wss?):$/.test(url.protocol)) {
    throw new UsageError("--url is an address such as wss://agents.example/acp, with ws, wss, http or https.");
  }
  if (url.username !== "" || url.password !== "" || [...url.searchParams.keys()].some(isSecretName)) {
    const remedy = `Put the token into ${tokenVariable}, or into a private file for --token-file`;
    throw new UsageError(`--url has a secret, which other programs can read on a command line. ${remedy}.`);
  }
  const token = await readAccessToken(tokenFile, env).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  return { url, token };
}

/** Returns the origin of an agent. Remembered answers are valid for the origin, over HTTP and over WebSocket. */
export function originOf({ url }: RemoteAgent): string {
  return url.origin.replace(/^ws/, "http");
}

/** Returns a warning about a connection that other machines can read. */
export function plainWarning({ url, token }: RemoteAgent): string | undefined {
  if (/^(?:https|wss):$/.test(url.protocol) || isLoopbackHost(url.hostname)) return undefined;
  const what = token === undefined ? "the conversation" : "the conversation and the token";
  return `The connection to ${url.host} is not encrypted: the network between can read ${what}.`;
}
