import type { CloseReason } from "./channel.js";

const MARK = Symbol.for("turnkit.error");

/** Bundlers keep an unused class whose fields have computed names, and one with static fields. */
function mark(error: { readonly [MARK]: string }, as: string): void {
  (error as { [MARK]: string })[MARK] = as;
}

/** What went wrong on this side of the connection. Each code has one meaning; see the README's table. */
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
 * A failure on this side. `isAcpError` knows it also when two copies of this package are installed.
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

/** Whether `error` is an {@link AcpError}, of that code if one is given. */
export function isAcpError(error: unknown, code?: AcpErrorCode): error is AcpError {
  return (
    error instanceof Error &&
    (error as { [MARK]?: unknown })[MARK] === "acp" &&
    (code === undefined || (error as AcpError).code === code)
  );
}

/** The connection ended before the answer came. */
export class ConnectionClosedError extends AcpError {
  readonly reason: CloseReason;

  constructor(what: string, reason: CloseReason) {
    super("connection_closed", `${what}: ${closeText(reason)}`, { cause: reason.cause });
    this.reason = reason;
  }
}

/** A message broke the framing or its size limit; the connection is lost. */
export class FrameError extends AcpError {
  constructor(message: string, options?: ErrorOptions) {
    super("frame", message, options);
  }
}

/** The caller's signal ended the wait for an answer. */
export class RequestAbortedError extends AcpError {
  readonly method: string;

  constructor(method: string, cause?: unknown) {
    super("aborted", `${method} was aborted by its caller.`, { cause });
    this.method = method;
  }
}

/** One fault of a message. */
export type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

/** A message of the peer, or one of our own, does not have the shape that its method demands. */
export class InvalidMessageError extends AcpError {
  readonly method: string;
  readonly issues: readonly Issue[];

  constructor(method: string, what: string, issues: readonly Issue[]) {
    const first = issues[0];
    const where = first && first.path.length > 0 ? ` at ${first.path.map(String).join(".")}` : "";
    super("invalid_message", `${method}: invalid ${what}${where}: ${first?.message ?? "unknown fault"}.`);
    this.method = method;
    this.issues = issues;
  }
}

/** A child process could not be started. */
export class SpawnError extends AcpError {
  constructor(message: string, options?: ErrorOptions) {
    super("spawn", message, options);
  }
}

/** The two sides share no protocol version. */
export class NegotiationError extends AcpError {
  constructor(message: string, options?: ErrorOptions) {
    super("negotiation", message, options);
  }
}

/** The peer did not offer what was asked of it. */
export class CapabilityError extends AcpError {
  constructor(message: string) {
    super("capability", message);
  }
}

/** The codes of JSON-RPC and of the protocol. */
export const rpcErrorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
  authRequired: -32000,
  resourceNotFound: -32002,
  /** Version 2 only: version 1 answers with a version of its own. */
  unsupportedProtocolVersion: -32022,
} as const;

/**
 * An error that crossed the wire, or is to cross it: thrown by a handler it becomes the answer. Any int32 is a code, also
 * one that nobody here knows; `data` that came as `null` reads as absent.
 */
export class RpcError extends Error {
  declare readonly [MARK]: "rpc";
  readonly code: number;
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    mark(this, "rpc");
    this.name = "RpcError";
    this.code = code;
    if (data != null) this.data = data;
  }

  /** The text is no JSON. */
  static parseError(details: string): RpcError {
    return new RpcError(rpcErrorCode.parseError, `Parse error: ${details}`);
  }

  /** No proper message, or one that is not allowed at this moment. */
  static invalidRequest(details: string): RpcError {
    return new RpcError(rpcErrorCode.invalidRequest, `Invalid request: ${details}`);
  }

  /** Nobody here serves that method. */
  static methodNotFound(method: string): RpcError {
    return new RpcError(rpcErrorCode.methodNotFound, `Method not found: ${method}`, { method });
  }

  /** The params do not fit the method. */
  static invalidParams(details: string, data?: unknown): RpcError {
    return new RpcError(rpcErrorCode.invalidParams, `Invalid params: ${details}`, data);
  }

  /** A handler failed. */
  static internalError(details: string): RpcError {
    return new RpcError(rpcErrorCode.internalError, "Internal error", { details });
  }

  /** The call was cancelled before it came to an end. */
  static requestCancelled(): RpcError {
    return new RpcError(rpcErrorCode.requestCancelled, "Request cancelled");
  }

  /** Somebody has to log in first. */
  static authRequired(): RpcError {
    return new RpcError(rpcErrorCode.authRequired, "Authentication required");
  }

  /** No such session, file or terminal; `data` names it: `{ sessionId }`, `{ uri }`. */
  static resourceNotFound(data?: unknown): RpcError {
    return new RpcError(rpcErrorCode.resourceNotFound, "Resource not found", data);
  }

  /** Version 2: nothing at or below the version that was asked for is spoken here. */
  static unsupportedProtocolVersion(requested: number, supported: readonly number[]): RpcError {
    const data = { requested, supported };
    return new RpcError(rpcErrorCode.unsupportedProtocolVersion, "Unsupported protocol version", data);
  }
}

/** Whether a number can be the code of an error on the wire: an int32. */
export function isErrorCode(code: unknown): code is number {
  return typeof code === "number" && code === (code | 0);
}

/** Whether `error` is an {@link RpcError}, with that code if one is given; also across copies of this package. */
export function isRpcError(error: unknown, code?: number): error is RpcError {
  return (
    error instanceof Error &&
    (error as { [MARK]?: unknown })[MARK] === "rpc" &&
    (code === undefined || (error as RpcError).code === code)
  );
}

/** One sentence on why a channel ended, with exit status and the last lines of stderr where there are any. */
export function closeText(reason: CloseReason): string {
  const lines = reason.stderr?.trimEnd();
  return lines ? `${reason.message}\n${lines}` : reason.message;
}
