import { asSentence } from "@turnkit/transport";
import { ToolError } from "../errors.js";

// This function has its own file, because the file of the built-in tools loads zod.
/**
 * Returns the input of a call as an object. A missing input is an empty object.
 *
 * @throws ToolError for another value. A text is an input that is not JSON, because the SDK parses the others.
 */
export function requireObject(rawInput: unknown): Record<string, unknown> {
  const input = rawInput ?? {};
  if (typeof input === "object" && !Array.isArray(input)) return input as Record<string, unknown>;
  const reason = typeof input === "string" ? faultOf(input) : undefined;
  throw new ToolError(
    "invalid_input",
    reason === undefined
      ? "The arguments must be one JSON object. The tool was not used."
      : `The arguments are not JSON: ${asSentence(reason)} The tool was not used.`,
  );
}

/** Returns why a text is not JSON; `undefined` for JSON. */
function faultOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
