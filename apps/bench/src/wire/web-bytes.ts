import { Readable, Writable } from "node:stream";

/** Returns Node's streams as the web streams that the official SDK needs. */
export function webBytes(
  output: Writable,
  input: Readable,
): readonly [WritableStream<Uint8Array>, ReadableStream<Uint8Array>] {
  return [Writable.toWeb(output) as WritableStream<Uint8Array>, Readable.toWeb(input) as ReadableStream<Uint8Array>];
}
