import * as buffer from "node:buffer";
import type { Decode } from "../channels/line-reader.js";

/** Of fewer bytes the detour costs more than it saves. */
const LEAST = 2048;

/**
 * UTF-8 to text as `Buffer.toString` has it, in less time where not all of it is ASCII: Node decodes that byte by byte,
 * and converts it to UTF-16 many bytes at once. 64 KiB of what tools print take 34 µs instead of 76, of Chinese 17 µs
 * instead of 220; the whole client takes 15 % less for updates of 4 KiB.
 */
export const decodeBuffer: Decode = (bytes, start, end) => {
  const part = buffer.Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  // What is no UTF-8 becomes other replacement characters there. Node without Intl has no `transcode`.
  const isPlain = part.length < LEAST || buffer.isAscii(part) || !buffer.isUtf8(part) || !("transcode" in buffer);
  return isPlain ? part.toString("utf8") : buffer.transcode(part, "utf8", "utf16le").toString("utf16le");
};
