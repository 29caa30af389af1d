export type { Channel, CloseReason, Receiver, Room } from "./channel.js";
export type { Connection, ConnectionLimits, ConnectionOptions } from "./connection.js";
export { createConnection } from "./connection.js";
export type { Diagnostic } from "./diagnostic.js";
export type { AcpErrorCode, Issue } from "./errors.js";
export {
  AcpError,
  CapabilityError,
  ConnectionClosedError,
  closeText,
  FrameError,
  InvalidMessageError,
  isAcpError,
  isRpcError,
  NegotiationError,
  RequestAbortedError,
  RpcError,
  rpcErrorCode,
  SpawnError,
} from "./errors.js";
export type { InboundCall } from "./inbound-request.js";
export type { Lane } from "./lane.js";
export { createMemoryPair } from "./memory.js";
export type {
  Message,
  NotificationMessage,
  RequestId,
  RequestMessage,
  ResponseMessage,
  RpcErrorObject,
} from "./message.js";
export type { MessageStream } from "./message-stream.js";
export { createMessageStreamChannel, toMessageStream } from "./message-stream.js";
export { frameLimit, parseLine, serialise } from "./ndjson.js";
export type { RequestOptions } from "./pending-requests.js";
export { redactSecrets, redactText } from "./redact.js";
export { toRpcError } from "./response.js";
export type { Contract, ContractRow, Handlers, Route } from "./routes.js";
export { createRoutes } from "./routes.js";
export type { Checked, StandardSchemaV1 } from "./standard-schema.js";
export { checkIncoming } from "./standard-schema.js";
export type { TapEvent } from "./tap.js";
export { tapChannel } from "./tap.js";
export type { WebSocketLike, WebSocketLimits } from "./web-socket.js";
export { createWebSocketChannel } from "./web-socket.js";
export type { ByteStreamLimits, ByteStreams } from "./web-stream.js";
export { createByteStreamChannel } from "./web-stream.js";
export type { RecordOptions, WireEntry } from "./wire-log.js";
export { readWireLog, recordChannel } from "./wire-log.js";
export type { PlayOptions, WirePlayer } from "./wire-player.js";
export { createWirePlayer } from "./wire-player.js";
