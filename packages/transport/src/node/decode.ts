import * as buffer from "node:buffer";
import type { Decode } from "../channels/line-reader.js";

/** Number of bytes below which the detour costs more than it saves. */
const LEAST = 2048;

/**
 * Decodes UTF-8 as `Buffer.toString` does, but faster if not all of it is ASCII. Node decodes such text byte by byte, but
 * converts it to UTF-16 many bytes at once. 64 KiB of tool output take 34 µs instead of 76, of Chinese 17 µs instead of
 * 220. The whole client takes 15 % less time for updates of 4 KiB.
 */
export const decodeBuffer: Decode = (bytes, start, end) => {
  const part = buffer.Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  // `transcode` replaces invalid UTF-8 by other characters, and is missing in Node without Intl.
  const isPlain = part.length < LEAST || buffer.isAscii(part) || !buffer.isUtf8(part) || !("transcode" in buffer);
  return isPlain ? part.toString("utf8") : buffer.transcode(part, "utf8", "utf16le").toString("utf16le");
};
