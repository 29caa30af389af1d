import type { Message } from "@turnkit/transport";
import { parseLine, serialise } from "@turnkit/transport/channels";
import { CURSOR_KEY } from "../wire/resumption.js";
import type { Outgoing } from "./out-stream.js";

/** Returns the text of a message with its cursor, in `_meta` beside `jsonrpc`. */
// REM-38
export function withCursor({ text, hasMeta }: Outgoing, cursor: string): string {
  const mark = `"${CURSOR_KEY}":"${cursor}"`;
  // It is the last member, because a client removes it. JavaScript engines remove the last member of an object without
  // making the object slow.
  if (!hasMeta) return `${text.slice(0, -1)},"_meta":{${mark}}}`;
  const { _meta, ...message } = parseLine(text) as Message & { readonly _meta?: object };
  const meta = JSON.stringify({ ..._meta, [CURSOR_KEY]: cursor });
  return `${serialise(message as Message).slice(0, -1)},"_meta":${meta}}`;
}
