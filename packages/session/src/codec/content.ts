import type { ContentBlock } from "../content.js";
import { count, isObject, list, listOrNull, meta, text, type Wire } from "./read.js";
import { type Fields, lenient, reads } from "./shape.js";

/** What blocks need beside their `type`. Those of other types are kept as they came. */
const NEEDED: { readonly [type: string]: Fields } = {
  text: { text },
  image: { data: text, mimeType: text },
  audio: { data: text, mimeType: text },
  resource_link: { uri: text, name: text },
  resource: { resource: (value) => isResource(value) || undefined },
};

/** What blocks may have, by mark (L). */
const OPTIONAL: Fields = {
  uri: text,
  title: text,
  description: text,
  mimeType: text,
  size: count,
  _meta: meta,
  annotations: meta,
  icons: (value) => (Array.isArray(value) ? list(value, icon) : undefined),
};

/** A content block; `undefined` if it lacks what its type needs. Nothing is copied unless something has to go. */
export function contentBlock(value: unknown): ContentBlock | undefined {
  if (!isObject(value)) return undefined;
  const { type } = value;
  // Nearly all blocks are these.
  const isPlain = type === "text" && value.annotations === undefined && value._meta === undefined;
  if (isPlain && typeof value.text === "string") return value as ContentBlock;
  if (typeof type !== "string") return undefined;
  const needed = Object.hasOwn(NEEDED, type) ? NEEDED[type] : undefined;
  if (needed === undefined) return value as unknown as ContentBlock;
  return reads(value, needed) ? (lenient(value, OPTIONAL) as ContentBlock) : undefined;
}

/** The blocks of a message or a summary, where they are a patch. */
export const contentBlocksOrNull = (value: unknown): readonly ContentBlock[] | null | undefined =>
  listOrNull(value, contentBlock);

function isResource(value: unknown): boolean {
  return isObject(value) && typeof value.uri === "string" && (text(value.text) ?? text(value.blob)) !== undefined;
}

const icon = (value: unknown): Wire | undefined =>
  isObject(value) && typeof value.src === "string" ? value : undefined;
