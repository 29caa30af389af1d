import type { DiffChange, ToolCallContent, ToolCallLocation } from "../tool-call.js";
import { contentBlock } from "./content.js";
import { isObject, meta, text, type Wire, without } from "./read.js";

type ReadDiff = (wire: Wire) => ToolCallContent | undefined;

/** One item of a tool call's content; what a diff looks like is the dialect's matter. */
export function toolCallContent(value: unknown, readDiff: ReadDiff): ToolCallContent | undefined {
  if (!isObject(value) || typeof value.type !== "string") return undefined;
  switch (value.type) {
    case "content": {
      const content = contentBlock(value.content);
      if (content === undefined) return undefined;
      return content === value.content ? (value as ToolCallContent) : ({ ...value, content } as ToolCallContent);
    }
    case "diff":
      return readDiff(value);
    case "terminal":
      return typeof value.terminalId === "string" ? (value as unknown as ToolCallContent) : undefined;
    default:
      return value as unknown as ToolCallContent;
  }
}

/** A diff with two whole texts becomes one change with both. */
export function textDiff(wire: Wire): ToolCallContent | undefined {
  const path = text(wire.path);
  const newText = text(wire.newText);
  if (path === undefined || newText === undefined) return undefined;
  const oldText = text(wire.oldText);
  const change: DiffChange =
    oldText === undefined ? { operation: "add", path, newText } : { operation: "modify", path, oldText, newText };
  const _meta = meta(wire._meta);
  return _meta === undefined ? { type: "diff", changes: [change] } : { type: "diff", changes: [change], _meta };
}

/** A place in a file; lines are counted from `first` on. */
export function locationIn(value: unknown, first: number): ToolCallLocation | undefined {
  if (!isObject(value) || typeof value.path !== "string") return undefined;
  const { line } = value;
  const sound = line == null || (Number.isInteger(line) && (line as number) >= first);
  return (sound ? value : without(value, ["line"])) as ToolCallLocation;
}
