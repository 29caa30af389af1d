import type { ClientCapabilities, DialectName, Implementation } from "@turnkit/session";
import type { RequestOptions, Room } from "@turnkit/transport";

/** Client of a connection: its name, its capabilities, and the way to its extensions. */
export type ClientInfo = {
  /** Dialect of the connection. Agents hardly need it: handlers are the same for all dialects. */
  readonly dialect: DialectName;
  /** Name and version; `unknown` for a client that did not send them. */
  readonly info: Implementation;
  readonly capabilities: ClientCapabilities;
  /**
   * Calls an extension of the client; its name begins with `_`. Check `capabilities._meta` first. There is no time limit:
   * pass a `signal`.
   *
   * The request is sent at once, behind earlier messages. It does not wait for updates that `newSession` still holds, or
   * for output that a terminal still gathers.
   *
   * @throws RpcError if the client refuses; `-32601` if it has no such extension
   * @throws ConnectionClosedError if the connection ends first
   */
  request<R = unknown>(method: `_${string}`, params: object, options?: RequestOptions<R>): Promise<R>;
  /** Notifies an extension of the client; its name begins with `_`. Does nothing after the end of the connection. */
  notify(method: `_${string}`, params: object): Room;
};
