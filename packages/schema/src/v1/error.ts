import { type Infer, integer, object, optional, type Schema, string, unknown } from "../vocabulary.js";

// V1-ERR-01
/** Error codes that the protocol defines. */
export const errorCodes = {
  /** Code for a line with invalid JSON. */
  parseError: -32700,
  /** Code for an invalid message, or for a call before `initialize`. */
  invalidRequest: -32600,
  /** Code for an unknown method. */
  methodNotFound: -32601,
  /** Code for invalid params. They may also contain the id of an object that does not exist. */
  invalidParams: -32602,
  /** Code for a failure of the handler. */
  internalError: -32603,
  /** Code for a cancelled request. Its sender, a shutdown or a limit has cancelled it. */
  requestCancelled: -32800,
  /** Code for a missing login of the user. */
  authRequired: -32000,
  /** Code for a missing session, file or terminal. */
  resourceNotFound: -32002,
} as const;

// V1-ERR-02
/** Code of an error. It is one of {@link errorCodes}, or any other 32-bit integer. */
export type ErrorCode = number;
/** Validates an {@link ErrorCode}. */
export const errorCode: Schema<ErrorCode> = integer(-0x8000_0000, 0x7fff_ffff);

const errorObject_ = object({
  /** Error code, for programs. */
  code: errorCode,
  /** Error message of one sentence, for people. */
  message: string(),
  /**
   * Details. By convention, they are `{ uri }` or `{ sessionId }` of the missing object, `{ method }`, or `{ details
   * }`.
   */
  data: optional(unknown()),
});
// V1-RPC-09
/** Member `error` of a response. */
export interface ErrorObject extends Infer<typeof errorObject_> {}
/** Validates an {@link ErrorObject}. */
export const errorObject: Schema<ErrorObject> = errorObject_;
