import type { DiffChange, ToolCallContent, ToolCallLocation } from "../tool-call.js";
import { contentBlock } from "./content.js";
import { isObject, meta, text, type Wire } from "./read.js";
import { lenient } from "./shape.js";

type ReadDiff = (wire: Wire) => ToolCallContent | undefined;

/** One item of a tool call's content; what a diff looks like is the dialect's matter. */
export function toolCallContent(value: unknown, readDiff: ReadDiff): ToolCallContent | undefined {
  if (!isObject(value) || typeof value.type !== "string") return undefined;
  if (value.type === "diff") return readDiff(value);
  const item = lenient(value, { content: value.type === "content" ? contentBlock : () => value.content });
  const lacks = (value.type === "content" && !item.content) || (value.type === "terminal" && !isText(value.terminalId));
  return lacks ? undefined : (item as unknown as ToolCallContent);
}

const isText = (value: unknown): boolean => typeof value === "string";

/** A diff with two whole texts becomes one change with both. */
export function textDiff(wire: Wire): ToolCallContent | undefined {
  const path = text(wire.path);
  const newText = text(wire.newText);
  if (path === undefined || newText === undefined) return undefined;
  const oldText = text(wire.oldText);
  const change: DiffChange =
    oldText === undefined ? { operation: "add", path, newText } : { operation: "modify", path, oldText, newText };
  const _meta = meta(wire._meta);
  return { type: "diff", changes: [change], ...(_meta && { _meta }) };
}

/** A place in a file; lines are counted from `first` on. */
export function locationIn(value: unknown, first: number): ToolCallLocation | undefined {
  if (!isObject(value) || typeof value.path !== "string") return undefined;
  const line = (one: unknown) => (Number.isInteger(one) && (one as number) >= first ? one : undefined);
  return lenient(value, { line }) as ToolCallLocation;
}
