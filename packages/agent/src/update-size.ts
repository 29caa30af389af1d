import type { WireEvent } from "@turnkit/session";
import { fitsAsJson, jsonBytes } from "@turnkit/session/codec";
import { AcpError } from "@turnkit/transport";

/**
 * Maximum size of an update that clients read, in bytes of JSON. A message has at most 32 MiB; 64 KiB are for its other
 * members.
 */
export const MAX_UPDATE_BYTES = 32 * 1024 * 1024 - 64 * 1024;

/**
 * Refuses an event or a question that is too large to send. Call it before the event is stored and applied.
 *
 * @param repeated value that is sent together with the event
 * @throws AcpError `too_large`
 */
export function mustFit(value: object, repeated?: unknown, most = MAX_UPDATE_BYTES): void {
  if (fitsAsJson(repeated === undefined ? value : [value, repeated], most)) return;
  const bytes = jsonBytes(value) + (repeated === undefined ? 0 : jsonBytes(repeated));
  if (bytes <= most) return;
  const [what, advice] =
    "type" in value
      ? [`An update of type ${value.type}`, "Send less, or in pieces."]
      : ["A question", "Ask with less."];
  const bound = `it takes ${bytes} bytes, and ${most} is the most`;
  throw new AcpError("too_large", `${what} was not sent: ${bound}. ${advice}`);
}

/** Maximum length of a short piece, in characters. */
const SHORT = 65_536;

/** Returns true if an event is surely small. Nearly all events are small. */
export function isShortPiece(event: WireEvent): boolean {
  if (event.type !== "agent_message_chunk" && event.type !== "agent_thought_chunk") return false;
  const { content } = event;
  return content?.type === "text" && typeof content.text === "string" && content.text.length < SHORT;
}
