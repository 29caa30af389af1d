import type { AuthMethod } from "@turnkit/session";
import { isRpcError, RequestAbortedError, rpcErrorCode } from "@turnkit/transport";
import type { Client } from "./client.js";

type Awaitable<T> = T | Promise<T>;

/** How a login is made when the agent wants one. */
export type LoginOptions = {
  /**
   * Lets the person choose one of the agent's ways that can be used here; there may be none. `undefined` gives up, and
   * the agent's refusal stands.
   */
  readonly choose: (methods: readonly AuthMethod[], signal: AbortSignal) => Awaitable<AuthMethod | undefined>;
  /**
   * Makes a login of the type `terminal`, then starts the agent again and answers with the new client: see
   * `loginOnTerminal` in `./node`. The client from before is closed already. Without it such ways cannot be used.
   */
  readonly onTerminal?: (method: AuthMethod, signal: AbortSignal) => Promise<Client>;
  /** Gives up a login that is going on. */
  readonly signal?: AbortSignal;
};

/** What was tried, and the client to go on with: after a login on a terminal that is another one. */
export type LoggedIn<T> = { readonly client: Client; readonly result: T };

/**
 * Tries something that may need a login. Where it throws that the agent wants one (`-32000`; no text is looked at), one
 * login is made and the same is tried once more, on the client that knows of the login. What fails then, fails. A client
 * that was started for it is closed in that case.
 *
 * @throws what `attempt` throws, and what the login does: RpcError from the agent, AcpError `login` from a terminal
 * @throws RequestAbortedError after the signal fired
 *
 * @example
 * const { client, result: session } = await withLogin(first, (client) => client.newSession({ cwd }), {
 *   choose: (methods) => methods[0],
 * });
 */
export async function withLogin<T>(
  client: Client,
  attempt: (client: Client) => Promise<T>,
  options: LoginOptions,
): Promise<LoggedIn<T>> {
  try {
    return { client, result: await attempt(client) };
  } catch (refusal) {
    if (!isRpcError(refusal, rpcErrorCode.authRequired)) throw refusal;
    const loggedIn = await logIn(client, options);
    if (loggedIn === undefined) throw refusal;
    try {
      return { client: loggedIn, result: await attempt(loggedIn) };
    } catch (error) {
      if (loggedIn !== client) await loggedIn.close();
      throw error;
    }
  }
}

/** One login; nothing where none was chosen. */
async function logIn(client: Client, options: LoginOptions): Promise<Client | undefined> {
  const { choose, onTerminal, signal = new AbortController().signal } = options;
  const usable = client.peer.authMethods.filter(
    ({ type }) => type === "agent" || (type === "terminal" && onTerminal !== undefined),
  );
  const method = await choose(usable, signal);
  if (signal.aborted) throw new RequestAbortedError("login", signal.reason);
  if (method === undefined) return undefined;
  if (method.type !== "terminal" || onTerminal === undefined) {
    await client.login(method.methodId, signal);
    return client;
  }
  // It does not know of a login that it did not make itself (V1-AUTH-12).
  await client.close();
  return onTerminal(method, signal);
}
