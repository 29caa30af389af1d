export type {
  Channel,
  CloseReason,
  Message,
  NotificationMessage,
  Receiver,
  RequestId,
  RequestMessage,
  ResponseMessage,
  Room,
  RpcErrorObject,
} from "./channel.js";
export { createConnection } from "./channel-connection.js";
export { checkArgument, checkChannel, checkFunction, checkPath } from "./check-argument.js";
export type { OptionType, OptionTypes } from "./check-options.js";
export { checkMembers, checkOptions, checkTypes, refuseOption, unknownOptions } from "./check-options.js";
export type { Connection, ConnectionLimits, ConnectionOptions, Diagnostic } from "./connection.js";
export type { AcpErrorCode, Issue } from "./errors.js";
export {
  AcpError,
  asSentence,
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
  textOf,
  toRpcError,
} from "./errors.js";
export type { ExtensionMethod, ExtensionPeer, ExtensionSchemas } from "./extension.js";
export { createExtension, uncalledExtensions } from "./extension.js";
export type { Lane } from "./lane.js";
export { dataUrl, lostValue } from "./lost-values.js";
export { dropOldest } from "./oldest.js";
export type { RequestOptions, RequestSignal } from "./pending-requests.js";
export { reporter } from "./reporter.js";
export type { Contract, ContractRow, Handlers, InboundCall, Route } from "./routes.js";
export { createRoutes } from "./routes.js";
export type { Checked, StandardSchemaV1 } from "./standard-schema.js";
export { checkIncoming } from "./standard-schema.js";
export { readThrown } from "./thrown-error.js";
export { MAX_TIMER_MS, withinGrace } from "./waiting.js";
