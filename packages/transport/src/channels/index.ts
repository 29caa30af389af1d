export type { ByteStreamLimits, ByteStreams } from "./byte-stream.js";
export { createByteStreamChannel } from "./byte-stream.js";
export { createMemoryPair } from "./memory.js";
export { estimateBytes } from "./message-size.js";
export type { MessageStream } from "./message-stream.js";
export { createMessageStreamChannel, toMessageStream } from "./message-stream.js";
export { frameLimit, parseLine, serialise } from "./ndjson.js";
export type { WebSocketLike, WebSocketLimits } from "./web-socket.js";
export { createWebSocketChannel } from "./web-socket.js";
