import type { DiffChange, ToolCallContent, ToolCallPatch } from "../../tool-call.js";
import { isObject, meta, text, type Wire } from "../read.js";
import { asItIs, listOf, readShape, record, tagged } from "../shape.js";
import { location, textDiff, toolCallContent } from "../tool-content.js";
import { type Kind, kind } from "../updates.js";

const controlling = /* @__PURE__ */ record({ optional: { cancel: meta } });

/** Reads the controls of an entity. A malformed value offers nothing, so that no client acts on a guess. */
// V2-DEC-11
export const controls = (value: unknown): object | null => controlling(value) ?? null;

const item = /* @__PURE__ */ toolCallContent(diff);

/**
 * Change of a tool call. Absent and malformed members are left out: a reader keeps the values it knows. `tool_call` of
 * version 1 is read too, because agents of older drafts send it.
 */
// V2-UPD-02, V2-SEED-06
export const toolCallUpdate: Kind = /* @__PURE__ */ kind(
  {
    required: { toolCallId: text },
    nullable: {
      name: text,
      title: text,
      kind: text,
      status: text,
      content: /* @__PURE__ */ listOf(item),
      locations: /* @__PURE__ */ listOf(/* @__PURE__ */ location(1)),
      rawInput: asItIs,
      rawOutput: asItIs,
      capabilities: controls,
      _meta: meta,
    },
  },
  { type: "tool_call_update" },
);

/** One more item of a tool call's content. */
export const toolCallChunk: Kind = /* @__PURE__ */ kind({ required: { toolCallId: text, content: item } });

/** Reads the tool call of a permission question. */
export function toolCallPatch(wire: unknown): ToolCallPatch | undefined {
  const patch = isObject(wire) ? readShape<ToolCallPatch>(toolCallUpdate[0], wire, {}) : undefined;
  return typeof patch === "string" ? undefined : patch;
}

const inPlace = /* @__PURE__ */ record({ required: { path: text } });
const elsewhere = /* @__PURE__ */ record({ required: { path: text, oldPath: text } });
const operation = /* @__PURE__ */ tagged<Wire>(
  { add: inPlace, delete: inPlace, modify: inPlace, move: elsewhere, copy: elsewhere },
  "operation",
);
const described = /* @__PURE__ */ record({ optional: { fileType: text, mimeType: text } });

/** Reads a change. An unknown operation is kept, even without a path. */
function change(value: unknown): DiffChange | undefined {
  const read = operation(described(value));
  return read && ((typeof read.path === "string" ? read : { ...read, path: "" }) as DiffChange);
}

const changes = /* @__PURE__ */ record<ToolCallContent>({
  required: { changes: /* @__PURE__ */ listOf(change) },
  optional: { patch: /* @__PURE__ */ record({ required: { format: text, text } }) },
});

/** Reads a diff, also that of older drafts. */
function diff(value: unknown): ToolCallContent | undefined {
  return "changes" in (value as Wire) ? changes(value) : textDiff(value);
}
