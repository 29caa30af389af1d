import { type Infer, integer, object, optional, type Schema, string, unknown } from "../vocabulary.js";

/**
 * The codes that the protocol gives a meaning to.
 * @see V1-ERR-01
 */
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

/**
 * The code of an error: one of {@link errorCodes} or any other 32-bit integer.
 * @see V1-ERR-02
 */
export type ErrorCode = number;
/** Validates an {@link ErrorCode}. */
export const errorCode: Schema<ErrorCode> = integer(-0x8000_0000, 0x7fff_ffff);

const errorObject_ = object({
  /** What went wrong, for programs. */
  code: errorCode,
  /** What went wrong, for people, in one sentence. */
  message: string(),
  /** More about it. By convention `{ uri }` or `{ sessionId }` of what was not found, `{ method }`, `{ details }`. */
  data: optional(unknown()),
});
/**
 * The `error` of a response.
 * @see V1-RPC-09
 */
export interface ErrorObject extends Infer<typeof errorObject_> {}
/** Validates an {@link ErrorObject}. */
export const errorObject: Schema<ErrorObject> = errorObject_;
