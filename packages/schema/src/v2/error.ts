import { sessionId } from "../both/session-id.js";
import { type Infer, integer, list, object, optional, type Schema, string, unknown } from "../vocabulary.js";
import { protocolVersion } from "./initialize.js";

// V2-ERR-01
/** The codes that the protocol gives a meaning to. */
export const errorCodes = {
  /** The line was no JSON. */
  parseError: -32700,
  /** JSON, but no message; or a call before `initialize`. */
  invalidRequest: -32600,
  /** Nobody answers this method. */
  methodNotFound: -32601,
  /** The params do not fit, or ask for what the receiver refuses. */
  invalidParams: -32602,
  /** The handler failed. */
  internalError: -32603,
  /** The request was cancelled, by its sender or by a shutdown or limit; of a prompt: it was not inserted. */
  requestCancelled: -32800,
  /** The user has to log in first. */
  authRequired: -32000,
  /** There is no such session or resource. */
  resourceNotFound: -32002,
  /** No version at or below the requested one is spoken here. */
  unsupportedProtocolVersion: -32022,
} as const;

/** The code of an error: one of {@link errorCodes} or any other 32-bit integer. */
export type ErrorCode = number;
/** Validates an {@link ErrorCode}. */
export const errorCode: Schema<ErrorCode> = integer(-0x8000_0000, 0x7fff_ffff);

const unsupportedProtocolVersionErrorData_ = object({
  /** The version that was asked for. */
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

/** More about an error: any JSON. The code says which of the forms above to try. */
export type ErrorData = unknown;
/** Validates {@link ErrorData}: it takes everything. */
export const errorData: Schema<ErrorData> = unknown();

const errorObject_ = object({
  /** Error code, for programs. */
  code: errorCode,
  /** Error message of one sentence, for people. */
  message: string(),
  /** More about it; null says as much as nothing. */
  data: optional(errorData),
});
// V2-ERR-01
/** The `error` of a response, or why work ended. */
export interface ErrorObject extends Infer<typeof errorObject_> {}
/** Validates an {@link ErrorObject}. */
export const errorObject: Schema<ErrorObject> = errorObject_;
