/** An accepted WebSocket, as the server uses it. An adapter wraps the WebSocket of its runtime. */
export interface ServerSocket {
  /** Number of bytes that wait to be written. */
  readonly bufferedAmount: number;
  /** Sends a text frame. Has no effect after the end. */
  send(text: string): void;
  /** Begins the closing handshake. Later calls have no effect. */
  close(code: number, reason: string): void;
  /** Cuts the connection immediately. Without this method, the server calls `close`. */
  terminate?(): void;
  /** Sends a ping. Without this method, the server notices a dead client only by the runtime's own means. */
  ping?(): void;
  /** Stops reading until `resume`. Without these methods, a fast client is not slowed down. */
  pause?(): void;
  resume?(): void;
}

/** Receiver of the events of a WebSocket. The adapter calls it in the order of the events. */
export interface SocketListener {
  text(text: string): void;
  /** A binary frame. Its bytes are not needed. */
  binary(): void;
  pong(): void;
  /** Waiting bytes were written. The call is optional: the server also reads `bufferedAmount` from time to time. */
  drained(): void;
  /** The end, called once. The code is 1005 for a close frame without a code, and 1006 for a cut. */
  closed(code: number): void;
}

/** Permission to open a WebSocket. An adapter answers 101 with these headers, and then calls `open` once. */
export interface Upgrade {
  /** Headers of the answer 101, besides those of the handshake. You may append others, for example `Set-Cookie`. */
  readonly headers: Headers;
  /** Subprotocol to select, if any. */
  readonly protocol: string | undefined;
  /** Id of the principal, with `authorize`. An adapter may bound what each principal sends. */
  readonly owner?: string | undefined;
  /** Takes the open WebSocket. Nothing is allocated before this call. */
  open(socket: ServerSocket): SocketListener;
}
