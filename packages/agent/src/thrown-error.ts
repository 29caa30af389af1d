import { asSentence, RpcError } from "@turnkit/transport";

/** Errors whose cause the runtime has reported, so that the failed prompt needs no further report. */
export const reportedErrors = /* @__PURE__ */ new WeakSet<Error>();

// The code of JSON-RPC and of the protocol. Node and other libraries use texts and small numbers.
const isErrorCode = (code: unknown): code is number =>
  Number.isInteger(code) && (code as number) >= -32_899 && (code as number) <= -32_000;

/**
 * Returns the result of a handler.
 *
 * @throws the result if it is an `Error`. A handler that returns an error reports a failure, and a success would hide it
 * @throws TypeError for a generator, because its body is the work of the handler and has not run
 */
export function unlessError<R>(result: R): R {
  if (result instanceof Error) throw result;
  if (/Generator\]$/.test(Object.prototype.toString.call(result))) {
    throw new TypeError("A handler returned a generator, whose body never runs. Pass it to turn.say.");
  }
  return result;
}

/**
 * Returns an error for a value that a handler threw, if the value has a better form for the client. Never throws.
 *
 * - A `RequestError` of the official SDK becomes an `RpcError` with its code. It is recognised by its name, because errors
 *   of other protocols have codes of the same range: a lost MCP server has `-32000`, which means a login here.
 * - An object with a message, such as `{ code, message }`, becomes an `Error` with that message.
 */
export function readThrown(thrown: unknown): unknown {
  try {
    if (typeof thrown !== "object" || thrown === null) return thrown;
    const { code, message, data, name } = thrown as { readonly [member: string]: unknown };
    if (typeof message !== "string") return thrown;
    if (thrown instanceof Error) {
      const isOfSdk = name === "RequestError" || thrown.constructor.name === "RequestError";
      return isOfSdk && isErrorCode(code) ? new RpcError(code, message, data) : thrown;
    }
    const advice = `Throw new RpcError(${code}, message) to send this code.`;
    return new Error(isErrorCode(code) ? `${asSentence(message)} ${advice}` : message, { cause: thrown });
  } catch {
    // A getter of the thrown object threw.
    return thrown;
  }
}
