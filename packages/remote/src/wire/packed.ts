import { FrameError } from "@turnkit/transport";

// A client asks for packed frames by `params._meta[PACKED_KEY] = true` of `initialize`. A server that packs adds the
// same member to `_meta` of the result. Without both, each frame and each event has one message.

/** Member of `_meta` with which both sides agree on packed frames. */
export const PACKED_KEY = "acp/packed";

/**
 * Bounds of a packed frame: number of messages, and characters of all of them. A longer message has a frame of its own.
 */
export const mostPacked = { messages: 1_024, characters: 64 * 1024 } as const;

/**
 * Returns the messages of a packed frame, one for each line. JSON texts of a server contain no line breaks.
 *
 * @throws FrameError for too many messages
 */
export function linesOf(text: string): readonly string[] {
  const { messages } = mostPacked;
  const lines = text.split("\n", messages + 1);
  if (lines.length > messages) throw new FrameError(`A frame with more than ${messages} messages arrived.`);
  return lines;
}
