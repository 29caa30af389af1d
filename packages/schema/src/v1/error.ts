import { type Infer, integer, object, optional, type Schema, string, unknown } from "../vocabulary.js";

// V1-ERR-01
/** The codes that the protocol gives a meaning to. */
export const errorCodes = {
  /** The line was no JSON. */
  parseError: -32700,
  /** JSON, but no message; or a call before `initialize`. */
  invalidRequest: -32600,
  /** Nobody answers this method. */
  methodNotFound: -32601,
  /** The params do not fit, or name something that does not exist. */
  invalidParams: -32602,
  /** The handler failed. */
  internalError: -32603,
  /** The request was cancelled, by its sender or by a shutdown or limit. */
  requestCancelled: -32800,
  /** The user has to log in first. */
  authRequired: -32000,
  /** There is no such session, file or terminal. */
  resourceNotFound: -32002,
} as const;

// V1-ERR-02
/** The code of an error: one of {@link errorCodes} or any other 32-bit integer. */
export type ErrorCode = number;
/** Validates an {@link ErrorCode}. */
export const errorCode: Schema<ErrorCode> = integer(-0x8000_0000, 0x7fff_ffff);

const errorObject_ = object({
  /** Error code, for programs. */
  code: errorCode,
  /** Error message of one sentence, for people. */
  message: string(),
  /** More about it. By convention `{ uri }` or `{ sessionId }` of what was not found, `{ method }`, `{ details }`. */
  data: optional(unknown()),
});
// V1-RPC-09
/** The `error` of a response. */
export interface ErrorObject extends Infer<typeof errorObject_> {}
/** Validates an {@link ErrorObject}. */
export const errorObject: Schema<ErrorObject> = errorObject_;
