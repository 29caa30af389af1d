import { isAcpError, type Message, rpcErrorCode } from "@turnkit/transport";
import { parseLine } from "@turnkit/transport/channels";
import { MAX_ID_LENGTH } from "../wire/limits.js";

/** Fault of a text that is not a message: one sentence, and a code of JSON-RPC. */
export type MessageFault = { readonly fault: string; readonly code: number };

/** Parses and checks the text of one message. */
// REM-17, REM-22: a text with too many values or levels is not parsed, because it would stop the process.
export function readMessage(text: string): Message | MessageFault {
  let value: unknown;
  try {
    value = parseLine(text);
  } catch (error) {
    // The message of any other error could contain a part of the body.
    const fault = isAcpError(error) ? `The message was not read: ${error.message}.` : "The body is not JSON.";
    return { fault, code: rpcErrorCode.parseError };
  }
  if (Array.isArray(value)) return invalid("A list of messages is not supported. Send each message by itself.");
  if (typeof value !== "object" || value === null) return invalid("The body is not an object of JSON-RPC.");
  const { jsonrpc, id, method } = value as { readonly jsonrpc?: unknown; readonly id?: unknown; method?: unknown };
  if (jsonrpc !== "2.0") return invalid('The member jsonrpc is not "2.0".');
  if (method !== undefined && typeof method !== "string") return invalid("The method is not text.");
  if (method === undefined && !("result" in value) && !("error" in value))
    return invalid("The message has no method, no result and no error.");
  if (method === undefined && id === undefined) return invalid("The answer has no id.");
  if ("id" in value && !isId(id))
    return invalid(`The id is neither an integer nor a text of at most ${MAX_ID_LENGTH} characters.`);
  return value as Message;
}

const invalid = (fault: string): MessageFault => ({ fault, code: rpcErrorCode.invalidRequest });

function isId(id: unknown): boolean {
  if (typeof id === "string") return id.length <= MAX_ID_LENGTH;
  return id === null || Number.isInteger(id) || typeof id === "bigint";
}
