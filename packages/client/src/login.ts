import type { AuthMethod } from "@turnkit/session";
import { checkArgument, checkOptions, isRpcError, RequestAbortedError, rpcErrorCode } from "@turnkit/transport";
import type { Client } from "./client.js";

type Awaitable<T> = T | Promise<T>;

/** Options of {@link withLogin}. */
export type LoginOptions = {
  /**
   * Lets the person choose one of the usable login methods. The list may be empty. With `undefined`, no login happens, and
   * the caller gets the agent's refusal.
   */
  readonly choose: (methods: readonly AuthMethod[], signal: AbortSignal) => Awaitable<AuthMethod | undefined>;
  /**
   * Performs a login of type `terminal`, starts the agent again and returns the new client. `loginOnTerminal` of `./node`
   * performs the login. The earlier client is already closed. Without this function, `choose` gets no methods of type
   * `terminal`.
   */
  readonly onTerminal?: (method: AuthMethod, signal: AbortSignal) => Promise<Client>;
  /** Signal that cancels a login in progress. */
  readonly signal?: AbortSignal;
};

/** Result of the attempt, and the client for all further calls. After a login on a terminal, this is a new client. */
export type LoggedIn<T> = { readonly client: Client; readonly result: T };

/**
 * Runs an attempt that may need a login. If the attempt throws `-32000`, the client logs in once and runs the attempt once
 * more. If the second attempt fails too, its error is thrown, and a client that was started for it is closed.
 *
 * @throws every error of `attempt`
 * @throws RpcError of the login if the agent refuses it
 * @throws AcpError `login` if a login on a terminal fails
 * @throws RequestAbortedError after `signal` fired
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
  const remedy = "pass (client) => client.newSession({ cwd }), or another call that may need a login";
  checkArgument(typeof attempt === "function", "withLogin attempt", { got: attempt, remedy });
  const choose: unknown = options?.choose;
  checkOptions("withLogin", options, { choose: "any", onTerminal: "function", signal: "any" });
  checkArgument(typeof choose === "function", "withLogin choose", { got: choose, remedy: "pass ([method]) => method" });
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

/** Performs one login. Returns `undefined` if the person chose no method. */
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
  // A running agent does not notice a login on a terminal (V1-AUTH-12).
  await client.close();
  return onTerminal(method, signal);
}
