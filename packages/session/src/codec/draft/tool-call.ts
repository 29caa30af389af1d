import type { DiffChange, ToolCallContent, ToolCallPatch } from "../../tool-call.js";
import { isObject, meta, metaOrNull, text, textOrNull, type Wire } from "../read.js";
import { asItIs, listOf, orNull, readShape, record, type Shape, tagged } from "../shape.js";
import { location, textDiff, toolCallContent } from "../tool-content.js";

const controlling = /* @__PURE__ */ record({}, { cancel: meta, _meta: meta });

/** What an entity offers to its client. Malformed, it offers nothing: nobody should act on a guess (V2-DEC-11). */
export const controls = (value: unknown): object | null => controlling(value) ?? null;

const item = /* @__PURE__ */ toolCallContent(diff);

/** Members that are not there, or do not read, stay away: a reader keeps what it knows (V2-UPD-02). */
export const toolCallUpdate: Shape = [
  { toolCallId: text },
  {
    name: textOrNull,
    title: textOrNull,
    kind: textOrNull,
    status: textOrNull,
    content: /* @__PURE__ */ orNull(/* @__PURE__ */ listOf(item)),
    locations: /* @__PURE__ */ orNull(/* @__PURE__ */ listOf(/* @__PURE__ */ location(1))),
    rawInput: asItIs,
    rawOutput: asItIs,
    capabilities: controls,
    _meta: metaOrNull,
  },
];

/** One more item of a tool call's content. */
export const toolCallChunk: Shape = [{ toolCallId: text, content: item }, { _meta: meta }];

/** What a permission question says of its tool call. */
export function toolCallPatch(wire: unknown): ToolCallPatch | undefined {
  const patch = isObject(wire) ? readShape<ToolCallPatch>(toolCallUpdate, wire, {}) : undefined;
  return typeof patch === "string" ? undefined : patch;
}

const inPlace = /* @__PURE__ */ record({ path: text });
const elsewhere = /* @__PURE__ */ record({ path: text, oldPath: text });
const operation = /* @__PURE__ */ tagged<Wire>("operation", {
  add: inPlace,
  delete: inPlace,
  modify: inPlace,
  move: elsewhere,
  copy: elsewhere,
});
const described = /* @__PURE__ */ record({}, { fileType: text, mimeType: text, _meta: meta });

/** An operation that nobody here knows is kept; it may have no path. */
function change(value: unknown): DiffChange | undefined {
  const read = operation(described(value));
  return read && ((typeof read.path === "string" ? read : { ...read, path: "" }) as DiffChange);
}

const changes = /* @__PURE__ */ record<ToolCallContent>(
  { changes: /* @__PURE__ */ listOf(change) },
  { patch: /* @__PURE__ */ record({ format: text, text }), _meta: meta },
);

/** Also the diff of older drafts. */
function diff(value: unknown): ToolCallContent | undefined {
  return "changes" in (value as Wire) ? changes(value) : textDiff(value);
}
