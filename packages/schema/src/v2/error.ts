import { sessionId } from "../both/identifiers.js";
import { protocolVersion } from "../both/implementation.js";
import { type Infer, integer, list, object, optional, type Schema, string, unknown } from "../vocabulary.js";

// V2-ERR-01
/** Error codes that the protocol defines. */
export const errorCodes = {
  /** Invalid JSON in a line. */
  parseError: -32700,
  /** Invalid message in valid JSON, or a call before `initialize`. */
  invalidRequest: -32600,
  /** Unknown method. */
  methodNotFound: -32601,
  /** Invalid params, or params that the receiver refuses. */
  invalidParams: -32602,
  /** Failure of the handler. */
  internalError: -32603,
  /** Cancelled request: by its sender, a shutdown or a limit. A cancelled prompt was not inserted. */
  requestCancelled: -32800,
  /** Missing login of the user. */
  authRequired: -32000,
  /** Missing session or resource. */
  resourceNotFound: -32002,
  /** Unsupported protocol version: the agent has none at or below the requested one. */
  unsupportedProtocolVersion: -32022,
} as const;

/** The code of an error: one of {@link errorCodes} or any other 32-bit integer. */
export type ErrorCode = number;
/** Validates an {@link ErrorCode}. */
export const errorCode: Schema<ErrorCode> = integer(-0x8000_0000, 0x7fff_ffff);

const unsupportedProtocolVersionErrorData_ = object({
  /** Requested version. */
  requested: protocolVersion,
  /** The versions that the agent speaks. */
  supported: list(protocolVersion),
});
// V2-INIT-04
/** The `data` of an error with the code `unsupportedProtocolVersion`. */
export interface UnsupportedProtocolVersionErrorData extends Infer<typeof unsupportedProtocolVersionErrorData_> {}
/** Validates {@link UnsupportedProtocolVersionErrorData}. */
export const unsupportedProtocolVersionErrorData: Schema<UnsupportedProtocolVersionErrorData> =
  unsupportedProtocolVersionErrorData_;

const sessionNotFoundErrorData_ = object({
  /** The session that does not exist or is not active. */
  sessionId,
});
// V2-SES-24
/** The `data` of an error with the code `resourceNotFound` about a session. */
export interface SessionNotFoundErrorData extends Infer<typeof sessionNotFoundErrorData_> {}
/** Validates {@link SessionNotFoundErrorData}. */
export const sessionNotFoundErrorData: Schema<SessionNotFoundErrorData> = sessionNotFoundErrorData_;

/** Details of an error: any JSON. The code determines which of the forms above applies. */
export type ErrorData = unknown;
/** Validates {@link ErrorData}: it takes everything. */
export const errorData: Schema<ErrorData> = unknown();

const errorObject_ = object({
  /** Error code, for programs. */
  code: errorCode,
  /** Error message of one sentence, for people. */
  message: string(),
  /** Details; null means the same as absent. */
  data: optional(errorData),
});
// V2-ERR-01
/** The `error` of a response, or the reason for the end of work. */
export interface ErrorObject extends Infer<typeof errorObject_> {}
/** Validates an {@link ErrorObject}. */
export const errorObject: Schema<ErrorObject> = errorObject_;
