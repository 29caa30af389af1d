import type { ContentBlock } from "../content.js";
import { isObject, number, text, texts } from "./read.js";
import { integer, listOf, type Reader, record, tagged } from "./shape.js";

const link = /* @__PURE__ */ record("uri mimeType?");
const resource: Reader = (value) => {
  const read = link(value);
  return read && (text(read.text) ?? text(read.blob)) !== undefined ? read : undefined;
};

/** A block that has what its type needs, with what blocks may have, by mark (L). */
/* @__NO_SIDE_EFFECTS__ */
function sort(needs: string): Reader {
  return record(`${needs} uri? title? description? mimeType? size? annotations? icons?`, {
    resource,
    size: integer(0),
    annotations: record("audience? lastModified? priority?", { audience: texts, priority: number }),
    icons: listOf(record("src")),
  });
}

const media = /* @__PURE__ */ sort("data mimeType");
const block = /* @__PURE__ */ tagged<ContentBlock>({
  text: /* @__PURE__ */ sort("text"),
  image: media,
  audio: media,
  resource_link: /* @__PURE__ */ sort("uri name"),
  resource: /* @__PURE__ */ sort("resource"),
});

/** A content block; `undefined` if it lacks what its type needs. Nothing is copied unless something has to go. */
export function contentBlock(value: unknown): ContentBlock | undefined {
  // Nearly all blocks are these.
  const isPlain = isObject(value) && value.type === "text" && !("annotations" in value || "_meta" in value);
  return isPlain && typeof value.text === "string" ? (value as ContentBlock) : block(value);
}
