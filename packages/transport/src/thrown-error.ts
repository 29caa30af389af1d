import { asSentence, RpcError } from "./errors.js";

// The codes of JSON-RPC and of the protocol. Node and other libraries use texts and small numbers.
const isProtocolCode = (code: unknown): code is number =>
  Number.isInteger(code) && (code as number) >= -32_899 && (code as number) <= -32_000;

/**
 * Returns an error for a value that a handler threw, if the value has a better form for the peer. Never throws.
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
      return isOfSdk && isProtocolCode(code) ? new RpcError(code, message, data) : thrown;
    }
    const advice = `Throw new RpcError(${code}, message) to send this code.`;
    return new Error(isProtocolCode(code) ? `${asSentence(message)} ${advice}` : message, { cause: thrown });
  } catch {
    // A getter of the thrown object threw.
    return thrown;
  }
}
