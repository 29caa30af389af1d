import type { ContentBlock } from "../../content.js";
import type { DiffChange, ToolCallContent, ToolCallLocation } from "../../tool-call.js";
import { isObject, list, meta, number, text, type Wire } from "./read.js";

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

function isResource(value: unknown): boolean {
  return isObject(value) && typeof value.uri === "string" && (text(value.text) ?? text(value.blob)) !== undefined;
}

/** Reads what is malformed in an (L) member as absent. */
function lenient(block: Wire, needed: readonly string[] = []): ContentBlock {
  const drop: string[] = [];
  for (const key of OPTIONAL) {
    if (!needed.includes(key) && block[key] != null && typeof block[key] !== "string") drop.push(key);
  }
  if (block.size != null && number(block.size) === undefined) drop.push("size");
  if (block._meta != null && !isObject(block._meta)) drop.push("_meta");
  if (block.annotations != null && !isObject(block.annotations)) drop.push("annotations");
  return without(block, drop) as ContentBlock;
}

function without(wire: Wire, drop: readonly string[]): Wire {
  if (drop.length === 0) return wire;
  return Object.fromEntries(Object.entries(wire).filter(([key]) => !drop.includes(key)));
}

/** One item of a tool call's content; version 1's diff becomes one change with both texts. */
export function toolCallContent(value: unknown): ToolCallContent | undefined {
  if (!isObject(value) || typeof value.type !== "string") return undefined;
  switch (value.type) {
    case "content": {
      const content = contentBlock(value.content);
      if (content === undefined) return undefined;
      return content === value.content ? (value as ToolCallContent) : ({ ...value, content } as ToolCallContent);
    }
    case "diff":
      return diff(value);
    case "terminal":
      return typeof value.terminalId === "string" ? (value as unknown as ToolCallContent) : undefined;
    default:
      return value as unknown as ToolCallContent;
  }
}

function diff(wire: Wire): ToolCallContent | undefined {
  const path = text(wire.path);
  const newText = text(wire.newText);
  if (path === undefined || newText === undefined) return undefined;
  const oldText = text(wire.oldText);
  const change: DiffChange =
    oldText === undefined ? { operation: "add", path, newText } : { operation: "modify", path, oldText, newText };
  const _meta = meta(wire._meta);
  return _meta === undefined ? { type: "diff", changes: [change] } : { type: "diff", changes: [change], _meta };
}

/** A place in a file. */
export function location(value: unknown): ToolCallLocation | undefined {
  if (!isObject(value) || typeof value.path !== "string") return undefined;
  const { line } = value;
  const sound = line == null || (Number.isInteger(line) && (line as number) >= 0);
  return (sound ? value : without(value, ["line"])) as ToolCallLocation;
}

/** The blocks of a prompt or a summary. */
export const contentBlocks = (value: unknown): readonly ContentBlock[] => list(value, contentBlock);
