import { Readable, Writable } from "node:stream";

/** The web streams that the official SDK wants, of Node's. */
export function webBytes(
  output: Writable,
  input: Readable,
): readonly [WritableStream<Uint8Array>, ReadableStream<Uint8Array>] {
  return [Writable.toWeb(output) as WritableStream<Uint8Array>, Readable.toWeb(input) as ReadableStream<Uint8Array>];
}
