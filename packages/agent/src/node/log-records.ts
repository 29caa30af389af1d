import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";

/** Size of one read, in bytes. */
const CHUNK = 256 * 1024;

/** Bytes before and after the value: `["`, the checksum as eight hexadecimal digits, and `",` before; `]` after. */
const HEAD = 12;
const TAIL = 1;

/** Size of a record without its JSON, in bytes. */
export const RECORD_OVERHEAD_BYTES = HEAD + TAIL + 1;

/** Returns a value as a line of a log: its JSON, and a checksum of that JSON. */
export function encodeRecord(value: object): Buffer {
  const json = JSON.stringify(value);
  return Buffer.from(`["${checksum(json)}",${json}]\n`);
}

/** Returns the value of a line that {@link encodeRecord} made. Returns `undefined` for any other line. */
function decodeRecord(line: Buffer): object | undefined {
  const json = line.subarray(HEAD, -TAIL);
  if (line.length <= HEAD + TAIL || line.toString("latin1", 2, 10) !== checksum(json)) return undefined;
  try {
    const record = JSON.parse(line.toString()) as unknown;
    const value: unknown = Array.isArray(record) ? record[1] : undefined;
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const checksum = (json: string | Buffer): string => crc32(json).toString(16).padStart(8, "0");

/** Line of a log, with the offset of its end. `value` is `undefined` if the line is damaged or too long. */
export type LogLine = { readonly value: object | undefined; readonly tooLong: boolean; readonly end: number };

/**
 * Returns the lines of a log from its beginning, without an unfinished last line. A line with more than `maxBytes` of JSON
 * has no value and is not held in memory.
 */
export async function* readLines(file: FileHandle, maxBytes: number): AsyncGenerator<LogLine> {
  const most = maxBytes + HEAD + TAIL;
  let parts: Buffer[] = [];
  let length = 0;
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, at);
    if (bytesRead === 0) return;
    const chunk = buffer.subarray(0, bytesRead);
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      length += end - from;
      const tooLong = length > most;
      const line = tooLong ? undefined : Buffer.concat([...parts, chunk.subarray(from, end)]);
      yield { value: line && decodeRecord(line), tooLong, end: at + end + 1 };
      parts = [];
      length = 0;
      from = end + 1;
    }
    length += bytesRead - from;
    if (length <= most) parts.push(chunk.subarray(from));
    else parts = [];
    at += bytesRead;
  }
}
