import type { AuthMethod } from "@turnkit/session";
import { isRpcError, RequestAbortedError, rpcErrorCode } from "@turnkit/transport";
import type { Client } from "./client.js";

type Awaitable<T> = T | Promise<T>;

/** Options of a login that the agent asks for. */
export type LoginOptions = {
  /**
   * Lets the person choose one of the usable login methods; the list may be empty. `undefined` gives up, and the
   * refusal of the agent stands.
   */
  readonly choose: (methods: readonly AuthMethod[], signal: AbortSignal) => Awaitable<AuthMethod | undefined>;
  /**
   * Performs a login of type `terminal`, starts the agent again and returns the new client: see `loginOnTerminal` in
   * `./node`. The earlier client is closed already. Absent: methods of type `terminal` are not offered.
   */
  readonly onTerminal?: (method: AuthMethod, signal: AbortSignal) => Promise<Client>;
  /** Cancels a login in progress. */
  readonly signal?: AbortSignal;
};

/** Result of the attempt, and the client to use from now on. A login on a terminal replaces the client. */
export type LoggedIn<T> = { readonly client: Client; readonly result: T };

/**
 * Runs an attempt that may need a login. If it throws `-32000`, performs one login and repeats the attempt once, on
 * the client that is logged in. A second failure is final: a client that was started for it is closed.
 *
 * @throws every error of `attempt` and of the login: RpcError from the agent, AcpError `login` from a terminal
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

/** Performs one login. Returns `undefined` if no method was chosen. */
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
  // An agent does not know of a login that it did not perform itself (V1-AUTH-12).
  await client.close();
  return onTerminal(method, signal);
}
