export { isLoopbackHost } from "../wire/loopback.js";
export { hasToken, readToken } from "./read-token.js";
export type { RemoteServer } from "./remote-server.js";
export { createRemoteServer } from "./remote-server.js";
export type { Principal, RemoteLimits, RemoteServerOptions, RetentionOptions, ServedAgent } from "./server-options.js";
export type { ServerSocket, SocketListener, Upgrade } from "./server-socket.js";
