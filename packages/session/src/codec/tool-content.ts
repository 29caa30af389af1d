import type { DiffChange, ToolCallContent, ToolCallLocation } from "../tool-call.js";
import { contentBlock } from "./content.js";
import { meta, text, type Wire } from "./read.js";
import { integer, type Reader, record, tagged } from "./shape.js";

/** One item of a tool call's content; what a diff looks like is the dialect's matter. */
/* @__NO_SIDE_EFFECTS__ */
export function toolCallContent(diff: Reader): Reader<ToolCallContent> {
  return tagged("type", { content: record({ content: contentBlock }), terminal: record({ terminalId: text }), diff });
}

/** A diff with two whole texts becomes one change with both. */
export function textDiff(value: unknown): ToolCallContent | undefined {
  const wire = value as Wire;
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
/* @__NO_SIDE_EFFECTS__ */
export function location(first: number): Reader<ToolCallLocation> {
  return record({ path: text }, { line: integer(first) });
}
