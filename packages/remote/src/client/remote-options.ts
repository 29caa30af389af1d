import type { CloseReason, Diagnostic } from "@turnkit/transport";
import type { WebSocketLike } from "@turnkit/transport/channels";
import type { CookieStore } from "./cookies.js";

/**
 * State of a remote connection.
 *
 * - `connected`: every stream is open.
 * - `reconnecting`: a stream was cut. The client waits `delayMs` milliseconds, then makes attempt number `attempt`.
 * - `lost`: the connection is over. The reason is also in `Channel.closed`.
 */
export type RemoteState =
  | { readonly status: "connected" }
  | {
      readonly status: "reconnecting";
      readonly attempt: number;
      readonly delayMs: number;
      /** One sentence for people. */
      readonly message: string;
    }
  | { readonly status: "lost"; readonly reason: CloseReason };

/** Bounds of reconnecting. Each delay is random, between half of its longest time and this time. */
export type ReconnectLimits = {
  /**
   * Maximum number of attempts after a cut. A received message, or a stream that was open for 10 s, begins a new count.
   *
   * @defaultValue 10, which is about a minute
   */
  readonly attempts: number;
  /**
   * Longest delay before the first attempt, in milliseconds. The longest delay doubles with each attempt.
   *
   * @defaultValue 500
   */
  readonly firstDelayMs: number;
  /**
   * Longest delay before any attempt, in milliseconds.
   *
   * @defaultValue 10 000
   */
  readonly longestDelayMs: number;
  /**
   * Time without a byte after which a stream counts as cut, in milliseconds.
   *
   * @defaultValue 75 000, five times the interval at which the server sends pings or comments
   */
  readonly silenceMs: number;
};

/** Headers and subprotocols for a new WebSocket. */
export type WebSocketRequest = {
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols: readonly string[];
};

/** Options of a remote connection. */
export type RemoteOptions = {
  /** Further headers of every request. Browsers cannot set headers of a WebSocket. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Bearer token, or a function that returns the current token. The token is sent as header `Authorization`. In a
   * browser, a WebSocket sends it as a subprotocol, which may only contain letters, digits and `-._~+!$&'*^|#%`.
   */
  readonly token?: string | (() => string | Promise<string>);
  /**
   * Store of cookies, for runtimes other than browsers. A browser uses its own cookies. Pass one store to several
   * connections, so that a load balancer sends a new connection to the same server.
   *
   * @defaultValue a new store for each connection
   */
  readonly cookies?: CookieStore;
  /**
   * Function in place of the runtime's `fetch`.
   *
   * @defaultValue `globalThis.fetch`
   */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Creates a WebSocket. Node 20 has no WebSocket of its own: pass `(url, { headers, protocols }) => new WebSocket(url,
   * [...protocols], { headers })` with the class of the library `ws`.
   *
   * @defaultValue a `WebSocket` of the runtime
   */
  readonly webSocket?: (url: string, request: WebSocketRequest) => WebSocketLike;
  /** Bounds of reconnecting. With `false`, the client does not ask the server for resumption. */
  readonly reconnect?: Partial<ReconnectLimits> | false;
  /**
   * Maximum number of sessions that are open at the same time over HTTP. Each has a stream of its own.
   *
   * @defaultValue 4 in a browser, which opens at most 6 connections of HTTP/1.1; 1 000 over HTTP/2 and elsewhere
   */
  readonly maxSessions?: number;
  /** Called for each change of the state, for example to show it. Without it, each cut is reported as `reconnecting`. */
  readonly onState?: (state: RemoteState) => void;
  /** Receives faults that no failed call reports. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
};
