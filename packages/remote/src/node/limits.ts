import { serverBounds } from "../wire/bounds.js";
import { MAX_BODY_BYTES } from "../wire/limits.js";

/** Bounds of a listening port. Sizes are in bytes, times in milliseconds. */
export type ListenLimits = {
  /**
   * Number of TCP connections. Further ones are closed immediately.
   *
   * @defaultValue 10 000
   */
  readonly connections: number;
  /**
   * Size of the headers of a request. Larger ones are answered with 431.
   *
   * @defaultValue 16 KiB
   */
  readonly headerBytes: number;
  /**
   * Time for the TLS handshake, and for the headers of a request. If the headers have begun, the request is answered with
   * 408. A silent connection is closed.
   *
   * @defaultValue 10 000
   */
  readonly headerMs: number;
  /**
   * Time for a whole request. Later, it is answered with 408, and its connection (HTTP/1.1) or stream (HTTP/2) is closed.
   *
   * @defaultValue 90 000
   */
  readonly requestMs: number;
  /**
   * Time without a request after which a connection is closed.
   *
   * @defaultValue 60 000
   */
  readonly idleMs: number;
  /**
   * Time in which a client has to read more of a waiting answer. Later, its connection (HTTP/1.1) or stream (HTTP/2) is
   * closed.
   *
   * @defaultValue 75 000
   */
  readonly stalledMs: number;
  /**
   * Time for a client to send the rest of a body that was refused. Later, its connection (HTTP/1.1) or stream (HTTP/2) is
   * closed.
   *
   * @defaultValue 2 000
   */
  readonly lingerMs: number;
  /**
   * Interval of pings on HTTP/2, while a request is open, and first delay of TCP keep-alive. A client that has not answered
   * a ping when the next one is due is cut.
   *
   * @defaultValue 15 000
   */
  readonly pingMs: number;
  /**
   * Number of open requests on a connection of HTTP/2. Further ones are refused.
   *
   * @defaultValue 1 100, more than a client's session streams
   */
  readonly streams: number;
  /**
   * Size of a frame of a WebSocket. A larger one closes it with 1009.
   *
   * @defaultValue 16 MiB
   */
  readonly frameBytes: number;
  /**
   * Maximum size of all undecided requests together. It counts headers, received parts of bodies, and 32 KiB for each
   * request of a connection after the first one. At this bound, the connection with the largest total loses its largest
   * request: on HTTP/1.1 the connection is cut, on HTTP/2 the stream is reset.
   *
   * @defaultValue 64 MiB
   */
  readonly undecidedBytes: number;
  /**
   * Maximum size of all messages of WebSockets that have begun and not ended. With `authorize`, a principal has a
   * quarter of it. At the bound of a principal, its largest WebSocket is cut. At the bound for all, the largest
   * WebSocket of the principal with the largest total is cut. A cut WebSocket may resume. Up to 64 KiB of each
   * WebSocket are not counted.
   *
   * @defaultValue 256 MiB
   */
  readonly arrivingBytes: number;
  /**
   * Time for a whole message of a WebSocket. Later, the WebSocket is cut, and may resume. If the server itself has
   * stopped reading, the time starts again.
   *
   * @defaultValue 75 000
   */
  readonly messageMs: number;
  /**
   * Time for open requests to end after `close`. It begins when all agents have ended. Later, their connections are cut.
   *
   * @defaultValue 5 000
   */
  readonly closeMs: number;
};

const LIMITS: ListenLimits = {
  connections: 10_000,
  headerBytes: 16 * 1024,
  headerMs: 10_000,
  requestMs: 90_000,
  idleMs: 60_000,
  stalledMs: 75_000,
  lingerMs: 2_000,
  pingMs: 15_000,
  streams: 1_100,
  frameBytes: MAX_BODY_BYTES,
  undecidedBytes: 64 * 1024 * 1024,
  arrivingBytes: 256 * 1024 * 1024,
  messageMs: 75_000,
  closeMs: 5_000,
};

/**
 * Returns the bounds with their defaults.
 *
 * @throws TypeError for an unknown bound, and for a bound that is not a number
 */
export function listenLimits(limits: Partial<ListenLimits> = {}): ListenLimits {
  return serverBounds("listen limits", limits, LIMITS);
}
