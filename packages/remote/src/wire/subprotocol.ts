/** Subprotocol that a server selects if a client offers subprotocols. Without a selected one, browsers refuse. */
export const SUBPROTOCOL = "acp";

/**
 * Start of the subprotocol that carries a token. Browsers cannot set headers of a WebSocket, and tokens in URLs are
 * logged. The server reads the token and never selects this subprotocol.
 */
export const TOKEN_SUBPROTOCOL = "acp-token.";
