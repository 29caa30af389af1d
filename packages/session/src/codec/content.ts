import type { ContentBlock } from "../content.js";
import { count, isObject, list, listOrNull, text, type Wire, without } from "./read.js";

/** Blocks that need certain texts beside their `type`. Those of other types are kept as they came. */
const NEEDED: { readonly [type: string]: readonly string[] } = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["uri", "name"],
};

/** Texts that a block may have, by mark (L). */
const OPTIONAL = ["uri", "title", "description", "mimeType"];

/** A content block; `undefined` if it lacks what its type needs. Nothing is copied unless something has to go. */
export function contentBlock(value: unknown): ContentBlock | undefined {
  if (!isObject(value)) return undefined;
  const { type } = value;
  if (type === "text") {
    if (typeof value.text !== "string") return undefined;
    if (value.annotations === undefined && value._meta === undefined) return value as ContentBlock;
  }
  if (typeof type !== "string") return undefined;
  if (type === "resource") return isResource(value.resource) ? lenient(value) : undefined;
  const needed = Object.hasOwn(NEEDED, type) ? NEEDED[type] : undefined;
  if (needed === undefined) return value as unknown as ContentBlock;
  return needed.every((key) => typeof value[key] === "string") ? lenient(value, needed) : undefined;
}

/** The blocks of a message or a summary, where they are a patch. */
export const contentBlocksOrNull = (value: unknown): readonly ContentBlock[] | null | undefined =>
  listOrNull(value, contentBlock);

function isResource(value: unknown): boolean {
  return isObject(value) && typeof value.uri === "string" && (text(value.text) ?? text(value.blob)) !== undefined;
}

/** Reads what is malformed in an (L) member as absent. */
function lenient(block: Wire, needed: readonly string[] = []): ContentBlock {
  const drop: string[] = [];
  for (const key of OPTIONAL) {
    if (!needed.includes(key) && block[key] != null && typeof block[key] !== "string") drop.push(key);
  }
  if (block.size != null && count(block.size) === undefined) drop.push("size");
  if (block._meta != null && !isObject(block._meta)) drop.push("_meta");
  if (block.annotations != null && !isObject(block.annotations)) drop.push("annotations");
  if (block.icons != null && !Array.isArray(block.icons)) drop.push("icons");
  const read = without(block, drop);
  if (!Array.isArray(read.icons)) return read as ContentBlock;
  const icons = list(read.icons, (icon) => (isObject(icon) && typeof icon.src === "string" ? icon : undefined));
  return (icons === read.icons ? read : { ...read, icons }) as ContentBlock;
}
