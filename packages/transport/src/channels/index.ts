export { createMemoryPair, estimateBytes } from "../memory.js";
export type { MessageStream } from "../message-stream.js";
export { createMessageStreamChannel, toMessageStream } from "../message-stream.js";
export { frameLimit, parseLine, serialise } from "../ndjson.js";
export type { WebSocketLike, WebSocketLimits } from "../web-socket.js";
export { createWebSocketChannel } from "../web-socket.js";
export type { ByteStreamLimits, ByteStreams } from "../web-stream.js";
export { createByteStreamChannel } from "../web-stream.js";
