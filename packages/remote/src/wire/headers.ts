/** Names of the header fields of ACP over HTTP, and of fields of HTTP that both sides use. */
export const headerName = {
  /** Set by the server in the answer of `initialize` and of an upgrade; sent by the client on every later request. */
  connectionId: "Acp-Connection-Id",
  sessionId: "Acp-Session-Id",
  protocolVersion: "Acp-Protocol-Version",
  /** Cursor of the place before the first event of a new stream. Ours; only sent on a resumable connection. */
  cursor: "Acp-Cursor",
  /** Cursor of the last event that the client has processed. */
  lastEventId: "Last-Event-ID",
  /**
   * Number of a POST on its connection: 1 for the first one after `initialize`, then 2, and so on. The server accepts
   * each number once, and answers a repeated number with 202. Ours; only sent on a resumable connection.
   */
  messageNumber: "Acp-Message-Number",
} as const;

/** Media types of bodies. */
export const mediaType = { json: "application/json", events: "text/event-stream" } as const;

/**
 * Subprotocol that a server selects if a client offers subprotocols. Browsers refuse a WebSocket if the server selects
 * none of their subprotocols.
 */
export const SUBPROTOCOL = "acp";

/**
 * Start of the subprotocol that carries a token. Browsers cannot set headers of a WebSocket, and tokens in URLs are
 * logged. The server reads the token and never selects this subprotocol.
 */
export const TOKEN_SUBPROTOCOL = "acp-token.";
