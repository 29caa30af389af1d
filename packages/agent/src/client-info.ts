import type { ClientCapabilities, DialectName, Implementation } from "@turnkit/session";
import type { RequestOptions, Room } from "@turnkit/transport";

/** Client of a connection: its name, its capabilities and its extensions. */
export type ClientInfo = {
  /** Dialect of the connection. Few agents need the dialect, because handlers are the same for all dialects. */
  readonly dialect: DialectName;
  /** Name and version of the client. Both are `unknown` if the client did not send them. */
  readonly info: Implementation;
  readonly capabilities: ClientCapabilities;
  /**
   * Calls an extension of the client. The name of an extension begins with `_`. Check `capabilities._meta` first. There is
   * no time limit; pass a `signal` to set a limit.
   *
   * The request is sent immediately, after the messages that were sent earlier. Held updates of `newSession` and
   * collected output of terminals may be sent after the request.
   *
   * @throws TypeError for a name without `_`
   * @throws RpcError if the client refuses; `-32601` if it has no such extension
   * @throws ConnectionClosedError if the connection ends first
   */
  request<R = unknown>(method: `_${string}`, params: object, options?: RequestOptions<R>): Promise<R>;
  /**
   * Notifies an extension of the client. The name of an extension begins with `_`. Does nothing after the end of the
   * connection.
   *
   * @throws TypeError for a name without `_`
   */
  notify(method: `_${string}`, params: object): Room;
};
