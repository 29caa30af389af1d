import type { Message } from "@turnkit/transport";
import { parseLine, serialise } from "@turnkit/transport/channels";
import { CURSOR_KEY } from "../wire/resumption.js";
import type { Outgoing } from "./out-stream.js";

/** Returns the text of a message with its cursor, in `_meta` beside `jsonrpc`. */
// REM-38
export function withCursor({ text, hasMeta }: Outgoing, cursor: string): string {
  const mark = `"${CURSOR_KEY}":"${cursor}"`;
  if (!hasMeta) return `{"_meta":{${mark}},${text.slice(1)}`;
  const message = parseLine(text) as Message & { readonly _meta?: object };
  return serialise({ ...message, ...{ _meta: { ...message._meta, [CURSOR_KEY]: cursor } } });
}
