import type { Diff, DiffChange, ToolCallContent, ToolCallPatch } from "../../tool-call.js";
import { isObject, list, listOrNull, meta, metaOrNull, text, textOrNull, type Wire } from "../read.js";
import { asItIs, type Fields, lenient, readShape, reads, type Shape, type Variant } from "../shape.js";
import { locationIn, textDiff, toolCallContent } from "../tool-content.js";

/** What an entity offers to its client. Malformed, it offers nothing: nobody should act on a guess (V2-DEC-11). */
export function controls(value: unknown): object | null | undefined {
  if (value === undefined) return undefined;
  return isObject(value) ? lenient(value, { cancel: meta, _meta: meta }) : null;
}

/** Members that are not there, or do not read, stay away: a reader keeps what it knows (V2-UPD-02). */
const PATCH: Shape = {
  needs: { toolCallId: text },
  may: {
    name: textOrNull,
    title: textOrNull,
    kind: textOrNull,
    status: textOrNull,
    content: (value) => listOrNull(value, toolContent),
    locations: (value) => listOrNull(value, (place) => locationIn(place, 1)),
    rawInput: asItIs,
    rawOutput: asItIs,
    capabilities: controls,
    _meta: metaOrNull,
  },
};

/** A new tool call, or what changes of one. */
export const toolCallUpdate: Variant = { type: "tool_call_update", needs: PATCH.needs, may: PATCH.may };

/** One more item of a tool call's content. */
export const toolCallChunk: Variant = {
  type: "tool_call_content_chunk",
  needs: { toolCallId: text, content: toolContent },
  may: { _meta: meta },
};

/** What a permission question says of its tool call. */
export function toolCallPatch(wire: unknown): ToolCallPatch | undefined {
  const patch = isObject(wire) ? readShape<ToolCallPatch>(PATCH, wire, {}) : undefined;
  return typeof patch === "string" ? undefined : patch;
}

/** One item of a tool call's content, also with the diff of older drafts. */
function toolContent(value: unknown): ToolCallContent | undefined {
  return toolCallContent(value, diff);
}

const PATCH_TEXT: Fields = { format: text, text };

function diff(wire: Wire): ToolCallContent | undefined {
  if (!("changes" in wire)) return textDiff(wire);
  if (!Array.isArray(wire.changes)) return undefined;
  return lenient(wire, {
    changes: (value) => list(value, change),
    patch: (value) => (isObject(value) && reads(value, PATCH_TEXT) ? value : undefined),
    _meta: meta,
  }) as unknown as Diff;
}

const ONE: Fields = { path: text };
const TWO: Fields = { path: text, oldPath: text };
const OPERATIONS: { readonly [operation: string]: Fields } = {
  add: ONE,
  delete: ONE,
  modify: ONE,
  move: TWO,
  copy: TWO,
};

/** An operation that nobody here knows is kept; it may have no path. */
function change(value: unknown): DiffChange | undefined {
  if (!isObject(value) || typeof value.operation !== "string") return undefined;
  const needed = Object.hasOwn(OPERATIONS, value.operation) ? OPERATIONS[value.operation] : undefined;
  if (needed !== undefined && !reads(value, needed)) return undefined;
  const read = lenient(value, { fileType: text, mimeType: text, _meta: meta });
  return (typeof read.path === "string" ? read : { ...read, path: "" }) as DiffChange;
}
