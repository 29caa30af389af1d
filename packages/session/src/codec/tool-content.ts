import { stated } from "../patch.js";
import type { Diff, DiffChange, ToolCallContent, ToolCallLocation } from "../tool-call.js";
import { contentBlock } from "./content.js";
import { text } from "./read.js";
import { integer, type Reader, record, tagged } from "./shape.js";

/** Returns the reader of one item of a tool call's content. The dialect provides the reader of a diff. */
/* @__NO_SIDE_EFFECTS__ */
export function toolCallContent(diff: Reader): Reader<ToolCallContent> {
  return tagged({
    content: record({ required: { content: contentBlock } }),
    terminal: record({ required: { terminalId: text } }),
    diff,
  });
}

const texts = /* @__PURE__ */ record<Pick<DiffChange, "path" | "oldText" | "newText" | "_meta">>({
  required: { path: text, newText: text },
  optional: { oldText: text },
});

/** Reads a diff with two whole texts as one change. */
export function textDiff(value: unknown): ToolCallContent | undefined {
  const wire = texts(value);
  if (wire === undefined) return undefined;
  const { path, oldText, newText, _meta } = wire;
  const operation = oldText == null ? "add" : "modify";
  return stated({ type: "diff", changes: [stated({ operation, path, oldText, newText })], _meta } as Diff);
}

/** Returns the reader of a place in a file, whose lines are counted from `first` on. */
/* @__NO_SIDE_EFFECTS__ */
export function location(first: number): Reader<ToolCallLocation> {
  return record({ required: { path: text }, optional: { line: integer(first) } });
}
