import type { ContentBlock } from "../content.js";
import { isObject, meta, text } from "./read.js";
import { type Fields, integer, listOf, record, tagged } from "./shape.js";

/** What blocks may have, by mark (L). */
const OPTIONAL: Fields = {
  uri: text,
  title: text,
  description: text,
  mimeType: text,
  size: /* @__PURE__ */ integer(0),
  _meta: meta,
  annotations: meta,
  icons: /* @__PURE__ */ listOf(/* @__PURE__ */ record({ src: text })),
};

const media = /* @__PURE__ */ record({ data: text, mimeType: text }, OPTIONAL);
const block = /* @__PURE__ */ tagged<ContentBlock>("type", {
  text: /* @__PURE__ */ record({ text }, OPTIONAL),
  image: media,
  audio: media,
  resource_link: /* @__PURE__ */ record({ uri: text, name: text }, OPTIONAL),
  resource: /* @__PURE__ */ record({ resource }, OPTIONAL),
});

/** A content block; `undefined` if it lacks what its type needs. Nothing is copied unless something has to go. */
export function contentBlock(value: unknown): ContentBlock | undefined {
  // Nearly all blocks are these.
  const isPlain = isObject(value) && value.type === "text" && !("annotations" in value || "_meta" in value);
  return isPlain && typeof value.text === "string" ? (value as ContentBlock) : block(value);
}

function resource(value: unknown): object | undefined {
  const isSound =
    isObject(value) && text(value.uri) !== undefined && (text(value.text) ?? text(value.blob)) !== undefined;
  return isSound ? value : undefined;
}
