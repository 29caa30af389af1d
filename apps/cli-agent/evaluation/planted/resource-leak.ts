import { open } from "node:fs/promises";

const HEADER_BYTES = 16;
const MAGIC = Buffer.from("LOG1");

export type Header = { readonly version: number; readonly records: number };

/** Reads the header of a log file. Returns `undefined` for a file of another kind. */
export async function readHeader(path: string): Promise<Header | undefined> {
  const handle = await open(path, "r");
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
  if (bytesRead < HEADER_BYTES) return undefined;
  if (!buffer.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const header = { version: buffer.readUInt32LE(4), records: buffer.readUInt32LE(8) };
  await handle.close();
  return header;
}
