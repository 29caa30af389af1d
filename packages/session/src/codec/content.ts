import type { ContentBlock } from "../content.js";
import { stated } from "../patch.js";
import type { Diff, DiffChange, ToolCallContent, ToolCallLocation } from "../tool-call.js";
import { isObject, number, text, texts } from "./read.js";
import { integer, listOf, type Reader, type Readers, record, tagged } from "./shape.js";

const link = /* @__PURE__ */ record({ required: { uri: text }, optional: { mimeType: text } });
const resource: Reader = (value) => {
  const read = link(value);
  return read && (text(read.text) ?? text(read.blob)) !== undefined ? read : undefined;
};

const annotations = /* @__PURE__ */ record({ optional: { audience: texts, lastModified: text, priority: number } });
const icons = /* @__PURE__ */ listOf(/* @__PURE__ */ record({ required: { src: text } }));
const size = /* @__PURE__ */ integer(0);

/**
 * Returns the reader of a content block. The reader reads the members that the block's type requires, and the members
 * that any block may have.
 */
/* @__NO_SIDE_EFFECTS__ */
function blockWith(required: Readers): Reader {
  const optional = { uri: text, title: text, description: text, mimeType: text, size, annotations, icons };
  return record({ required, optional });
}

const media = /* @__PURE__ */ blockWith({ data: text, mimeType: text });
const block = /* @__PURE__ */ tagged<ContentBlock>({
  text: /* @__PURE__ */ blockWith({ text }),
  image: media,
  audio: media,
  resource_link: /* @__PURE__ */ blockWith({ uri: text, name: text }),
  resource: /* @__PURE__ */ blockWith({ resource }),
});

/** Reads a content block. If no malformed member has to be removed, the same object is returned. */
export function contentBlock(value: unknown): ContentBlock | undefined {
  // Nearly all blocks have this form.
  const isPlain = isObject(value) && value.type === "text" && !("annotations" in value || "_meta" in value);
  return isPlain && typeof value.text === "string" ? (value as ContentBlock) : block(value);
}

/** Returns the reader of one item of a tool call's content. The dialect provides the reader of a diff. */
/* @__NO_SIDE_EFFECTS__ */
export function toolCallContent(diff: Reader): Reader<ToolCallContent> {
  return tagged({
    content: record({ required: { content: contentBlock } }),
    terminal: record({ required: { terminalId: text } }),
    session: record({ required: { sessionId: text } }),
    diff,
  });
}

const twoTexts = /* @__PURE__ */ record<Pick<DiffChange, "path" | "oldText" | "newText" | "_meta">>({
  required: { path: text, newText: text },
  optional: { oldText: text },
});

/** Reads a diff that consists of two whole texts, as one change. */
export function textDiff(value: unknown): ToolCallContent | undefined {
  const wire = twoTexts(value);
  if (wire === undefined) return undefined;
  const { path, oldText, newText, _meta } = wire;
  const operation = oldText == null ? "add" : "modify";
  return stated({ type: "diff", changes: [stated({ operation, path, oldText, newText })], _meta } as Diff);
}

/** Returns the reader of a location in a file. The first line has the number `first`. */
/* @__NO_SIDE_EFFECTS__ */
export function location(first: number): Reader<ToolCallLocation> {
  return record({ required: { path: text }, optional: { line: integer(first) } });
}
