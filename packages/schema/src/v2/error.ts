import { sessionId } from "../both/identifiers.js";
import { protocolVersion } from "../both/implementation.js";
import { type Infer, integer, list, object, optional, type Schema, string, unknown } from "../vocabulary.js";

// V2-ERR-01
/** Error codes that the protocol defines. */
export const errorCodes = {
  /** Code for a line with invalid JSON. */
  parseError: -32700,
  /** Code for an invalid message, or for a call before `initialize`. */
  invalidRequest: -32600,
  /** Code for an unknown method. */
  methodNotFound: -32601,
  /** Code for invalid params, or params that the receiver refuses. */
  invalidParams: -32602,
  /** Code for a failure of the handler. */
  internalError: -32603,
  /**
   * Code for a cancelled request. Its sender, a shutdown or a limit has cancelled it. A cancelled prompt was not
   * inserted.
   */
  requestCancelled: -32800,
  /** Code for a missing login of the user. */
  authRequired: -32000,
  /** Code for a missing session or resource. */
  resourceNotFound: -32002,
  /** Code for an unsupported protocol version. The agent supports neither the requested version nor a lower one. */
  unsupportedProtocolVersion: -32022,
} as const;

/** Code of an error. It is one of {@link errorCodes}, or any other 32-bit integer. */
export type ErrorCode = number;
/** Validates an {@link ErrorCode}. */
export const errorCode: Schema<ErrorCode> = integer(-0x8000_0000, 0x7fff_ffff);

const unsupportedProtocolVersionErrorData_ = object({
  /** Requested version. */
  requested: protocolVersion,
  /** Versions that the agent supports. */
  supported: list(protocolVersion),
});
// V2-INIT-04
/** Member `data` of an error with the code `unsupportedProtocolVersion`. */
export interface UnsupportedProtocolVersionErrorData extends Infer<typeof unsupportedProtocolVersionErrorData_> {}
/** Validates {@link UnsupportedProtocolVersionErrorData}. */
export const unsupportedProtocolVersionErrorData: Schema<UnsupportedProtocolVersionErrorData> =
  unsupportedProtocolVersionErrorData_;

const sessionNotFoundErrorData_ = object({
  /** Id of a session that does not exist or is not active. */
  sessionId,
});
// V2-SES-24
/** Member `data` of an error about a session, with the code `resourceNotFound`. */
export interface SessionNotFoundErrorData extends Infer<typeof sessionNotFoundErrorData_> {}
/** Validates {@link SessionNotFoundErrorData}. */
export const sessionNotFoundErrorData: Schema<SessionNotFoundErrorData> = sessionNotFoundErrorData_;

/** Details of an error, which may be any JSON. The code of the error determines their form. */
export type ErrorData = unknown;
/** Validates {@link ErrorData}. Any value is valid. */
export const errorData: Schema<ErrorData> = unknown();

const errorObject_ = object({
  /** Error code, for programs. */
  code: errorCode,
  /** Error message of one sentence, for people. */
  message: string(),
  /** Details. `null` means the same as absent. */
  data: optional(errorData),
});
// V2-ERR-01
/** Member `error` of a response, or reason for the end of work. */
export interface ErrorObject extends Infer<typeof errorObject_> {}
/** Validates an {@link ErrorObject}. */
export const errorObject: Schema<ErrorObject> = errorObject_;
