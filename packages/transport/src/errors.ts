import type { CloseReason, RequestId, ResponseMessage } from "./channel.js";
import { checkArgument } from "./check-argument.js";

const MARK = Symbol.for("turnkit.error");

/**
 * Sets the mark by which an error is recognised. With a computed or static field instead, every bundle would contain
 * all error classes.
 */
function mark(error: { readonly [MARK]: string }, as: string): void {
  (error as { [MARK]: string })[MARK] = as;
}

/** Code of a failure on this side of the connection. The reference page has a table of their meanings. */
export type AcpErrorCode =
  | "connection_closed"
  | "frame"
  | "aborted"
  | "invalid_message"
  | "too_many_requests"
  | "too_large"
  | "spawn"
  | "login"
  | "negotiation"
  | "capability"
  | "session_log"
  | "state"
  | "wire_log";

/**
 * Failure on this side of the connection. `isAcpError` also recognises errors of another copy of this package.
 *
 * @example
 * try { await session.prompt("hi").ended } catch (error) {
 *   if (isAcpError(error, "connection_closed")) console.error(error.message);
 * }
 */
export class AcpError extends Error {
  declare readonly [MARK]: "acp";
  readonly code: AcpErrorCode;

  constructor(code: AcpErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    mark(this, "acp");
    this.name = new.target.name;
    this.code = code;
  }
}

/** Returns `true` if `error` is an {@link AcpError}. If `code` is given, the codes must also be equal. */
export function isAcpError(error: unknown, code?: AcpErrorCode): error is AcpError {
  return hasMark(error, "acp", code);
}

function hasMark(error: unknown, as: string, code: unknown): boolean {
  if (!(error instanceof Error) || (error as { [MARK]?: unknown })[MARK] !== as) return false;
  // Only errors with the mark are read, because the `code` of another error may be a getter that throws.
  return code === undefined || (error as { code?: unknown }).code === code;
}

/** Error of a call whose connection ended before the answer arrived. */
export class ConnectionClosedError extends AcpError {
  declare readonly reason: CloseReason;

  constructor(what: string, reason: CloseReason) {
    super("connection_closed", `${what}: ${closeText(reason)}`, { cause: reason.cause });
    // The reason is not enumerable. Consoles print every enumerable member, and the message already contains the
    // stderr.
    Object.defineProperty(this, "reason", { value: reason });
  }
}

/** Error of a message that broke the framing or its size limit. The connection is lost. */
export class FrameError extends AcpError {
  constructor(message: string, options?: ErrorOptions) {
    super("frame", message, options);
  }
}

/** Error of a request that its caller aborted. */
export class RequestAbortedError extends AcpError {
  readonly method: string;

  constructor(method: string, cause?: unknown) {
    super("aborted", `${method} was aborted by its caller.`, { cause });
    this.method = method;
  }
}

/** One fault of a message. */
export type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

/** Error of a message, of either side, that does not have the shape of its method. */
export class InvalidMessageError extends AcpError {
  readonly method: string;
  readonly issues: readonly Issue[];

  constructor(method: string, what: string, issues: readonly Issue[]) {
    const first = issues[0];
    const where = first && first.path.length > 0 ? ` at ${first.path.map(String).join(".")}` : "";
    super("invalid_message", asSentence(`${method}: invalid ${what}${where}: ${first?.message ?? "unknown fault"}`));
    this.method = method;
    this.issues = issues;
  }
}

/** Returns the error answer for params that do not fit their schema, with the path and the message of each issue. */
export function invalidParams(method: string, issues: readonly Issue[]): RpcError {
  const listed = issues.map(({ path, message }) => ({ path: path.map(String).join("."), message }));
  return RpcError.invalidParams(new InvalidMessageError(method, "params", issues).message, { issues: listed });
}

/** Error of a child process that could not be started. */
export class SpawnError extends AcpError {
  constructor(message: string, options?: ErrorOptions) {
    super("spawn", message, options);
  }
}

/** Error of two sides that have no common protocol version. */
export class NegotiationError extends AcpError {
  constructor(message: string, options?: ErrorOptions) {
    super("negotiation", message, options);
  }
}

/** Error of a call that needs a capability that the peer does not offer. */
export class CapabilityError extends AcpError {
  constructor(message: string) {
    super("capability", message);
  }
}

/** Error codes of JSON-RPC and of the protocol. */
export const rpcErrorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
  authRequired: -32000,
  resourceNotFound: -32002,
  /** Version 2 only. A peer of version 1 answers with a version that it supports instead. */
  unsupportedProtocolVersion: -32022,
} as const;

/**
 * Error on the wire. If the peer answers a request with an error, the request rejects with an `RpcError`. If a handler
 * throws an `RpcError`, the peer receives it as the answer. Any int32 is a valid code. `data` that arrived as `null` is
 * absent.
 */
export class RpcError extends Error {
  declare readonly [MARK]: "rpc";
  readonly code: number;
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    // In the wrong order, the client would get the code as the message.
    const isSound = typeof code === "number" && typeof message === "string";
    checkArgument(isSound, "RpcError", { got: code, remedy: "pass the code, then the message: (-32000, text)" });
    mark(this, "rpc");
    this.name = "RpcError";
    this.code = code;
    if (data != null) this.data = data;
  }

  /** `-32700`: the text is not JSON. */
  static parseError(details: string): RpcError {
    return new RpcError(rpcErrorCode.parseError, `Parse error: ${details}`);
  }

  /** `-32600`: the message is invalid, or not allowed at this moment. */
  static invalidRequest(details: string): RpcError {
    return new RpcError(rpcErrorCode.invalidRequest, `Invalid request: ${details}`);
  }

  /** `-32601`: the method has no handler. */
  static methodNotFound(method: string): RpcError {
    return new RpcError(rpcErrorCode.methodNotFound, `Method not found: ${method}`, { method });
  }

  /** `-32602`: the params are not valid for the method. */
  static invalidParams(details: string, data?: unknown): RpcError {
    return new RpcError(rpcErrorCode.invalidParams, `Invalid params: ${details}`, data);
  }

  /** `-32603`: a handler failed. */
  static internalError(details: string): RpcError {
    return new RpcError(rpcErrorCode.internalError, `Internal error: ${details}`, { details });
  }

  /** `-32800`: the call was cancelled. */
  static requestCancelled(): RpcError {
    return new RpcError(rpcErrorCode.requestCancelled, "Request cancelled");
  }

  /** `-32000`: a login is required. */
  static authRequired(): RpcError {
    return new RpcError(rpcErrorCode.authRequired, "Authentication required");
  }

  /**
   * `-32002`: the session, file or terminal does not exist. `data` identifies it, as `{ sessionId }` or `{ uri }`. The
   * message has the first 200 characters of this identifier.
   */
  static resourceNotFound(data?: unknown): RpcError {
    const [name] = typeof data === "object" && data !== null ? Object.values(data) : [data];
    const what = typeof name === "string" ? `: ${name.slice(0, 200)}` : "";
    return new RpcError(rpcErrorCode.resourceNotFound, `Resource not found${what}`, data);
  }

  /** `-32022`, version 2 only: this side supports neither the requested version nor a lower one. */
  static unsupportedProtocolVersion(requested: number, supported: readonly number[]): RpcError {
    const data = { requested, supported };
    return new RpcError(rpcErrorCode.unsupportedProtocolVersion, "Unsupported protocol version", data);
  }
}

/** Returns `true` if a value can be an error code on the wire, which is an int32. */
export function isErrorCode(code: unknown): code is number {
  return typeof code === "number" && code === (code | 0);
}

/**
 * Returns `true` if `error` is an {@link RpcError} of any copy of this package. If `code` is given, the codes must also
 * be equal.
 */
export function isRpcError(error: unknown, code?: number): error is RpcError {
  return hasMark(error, "rpc", code);
}

/**
 * Converts an error to the error that the peer receives.
 *
 * - An `RpcError` is not changed.
 * - Other errors become `-32800` if the peer has cancelled the call (`cancelled`), or if they are the error of an
 *   aborted request of this side.
 * - All further errors become an internal error.
 */
export function toRpcError(error: unknown, cancelled = false): RpcError {
  if (isRpcError(error) && isErrorCode(error.code)) return error;
  if (cancelled || isAcpError(error, "aborted")) return RpcError.requestCancelled();
  return RpcError.internalError(error instanceof Error ? error.message : "a handler failed");
}

/** Creates the answer to a call that failed with `error`. `cancelled` is true if the peer has cancelled the call. */
// V1-RPC-16
export function respondError(id: RequestId, error: unknown, cancelled = false): ResponseMessage {
  const { code, message, data } = toRpcError(error, cancelled);
  return { jsonrpc: "2.0", id, error: data === undefined ? { code, message } : { code, message, data } };
}

/**
 * Returns the reason for the end of a channel as one sentence, followed by the last lines of stderr if there are any.
 */
export function closeText(reason: CloseReason): string {
  const lines = reason.stderr?.trimEnd();
  return lines ? `${reason.message}\n${lines}` : reason.message;
}

/**
 * Returns a text with a point at its end, unless it has an end already (`.`, `!`, `?` or `…`). Use it for sentences that
 * end with a text of others, such as the message of an error.
 */
export const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Returns the message of an error. Returns any other thrown value as text. Never throws. */
export function textOf(cause: unknown): string {
  try {
    return String(cause instanceof Error ? cause.message : cause);
  } catch {
    // A getter of the thrown object threw.
    return "an error without a readable message";
  }
}
