import type { SecureContextOptions } from "node:tls";
import type { ListenLimits } from "./limits.js";

/** Options of a listening port. */
export type ListenOptions = {
  /**
   * Port. 0 selects a free one.
   *
   * @defaultValue 0
   */
  readonly port?: number;
  /**
   * Name or address of the interface. Anything that is not loopback needs `beyondLoopback`.
   *
   * @defaultValue `127.0.0.1`
   */
  readonly host?: string;
  /** Certificate and key. With them the port speaks `https:` and `wss:`, and HTTP/2 by ALPN. */
  readonly tls?: SecureContextOptions;
  /**
   * Path of the server. Requests to other paths are answered with 404.
   *
   * @defaultValue every path
   */
  readonly path?: string;
  /**
   * Permission to listen on an interface that other machines reach. Set it only for a server with `authorize`, or behind a
   * proxy that authorizes.
   *
   * @defaultValue false
   */
  readonly beyondLoopback?: boolean;
  /** Bounds that replace their defaults. */
  readonly limits?: Partial<ListenLimits>;
};

/** Port that serves. */
export interface Listening {
  /** Address of the server, such as `http://127.0.0.1:4000/acp`. A WebSocket has the same address with `ws:` or `wss:`. */
  readonly url: string;
  readonly port: number;
  /**
   * Stops listening, ends all connections of the server, and settles when every socket is closed. Later calls return the
   * same promise.
   */
  close(): Promise<void>;
}
