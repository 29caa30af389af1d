import { type Infer, integer, object, optional, type Schema, string, unknown } from "../vocabulary.js";

// V1-ERR-01
/** Error codes that the protocol defines. */
export const errorCodes = {
  /** Invalid JSON in a line. */
  parseError: -32700,
  /** Invalid message in valid JSON, or a call before `initialize`. */
  invalidRequest: -32600,
  /** Unknown method. */
  methodNotFound: -32601,
  /** Invalid params, or params that name a missing object. */
  invalidParams: -32602,
  /** Failure of the handler. */
  internalError: -32603,
  /** Cancelled request: by its sender, a shutdown or a limit. */
  requestCancelled: -32800,
  /** Missing login of the user. */
  authRequired: -32000,
  /** Missing session, file or terminal. */
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
  /** Details. By convention `{ uri }` or `{ sessionId }` of the missing object, `{ method }`, `{ details }`. */
  data: optional(unknown()),
});
// V1-RPC-09
/** The `error` of a response. */
export interface ErrorObject extends Infer<typeof errorObject_> {}
/** Validates an {@link ErrorObject}. */
export const errorObject: Schema<ErrorObject> = errorObject_;
