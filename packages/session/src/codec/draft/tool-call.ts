import type { SessionEvent } from "../../event.js";
import type {
  Diff,
  DiffChange,
  ToolCallCapabilities,
  ToolCallContent,
  ToolCallLocation,
  ToolCallPatch,
} from "../../tool-call.js";
import { isObject, list, listOrNull, metaOrNull, text, textOrNull, type Wire, withMeta, without } from "../read.js";
import { locationIn, textDiff, toolCallContent } from "../tool-content.js";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A new tool call, or what changes of one. */
export function toolCallUpdate(update: Wire): SessionEvent | string {
  const { toolCallId } = update;
  if (typeof toolCallId !== "string") return "toolCallId is no string";
  const event: Mutable<ToolCallPatch> & { type: "tool_call_update" } = { type: "tool_call_update", toolCallId };
  fill(event, update);
  return event;
}

/** What a permission question says of its tool call. */
export function toolCallPatch(wire: unknown): ToolCallPatch | undefined {
  if (!isObject(wire) || typeof wire.toolCallId !== "string") return undefined;
  const patch: Mutable<ToolCallPatch> = { toolCallId: wire.toolCallId };
  fill(patch, wire);
  return patch;
}

/** Members that are not there, or do not read, stay away: a reader keeps what it knows (V2-UPD-02). */
function fill(patch: Mutable<ToolCallPatch>, wire: Wire): void {
  const { name, title, kind, status, content, locations, rawInput, rawOutput, capabilities, _meta } = wire;
  if (name !== undefined) set(patch, "name", textOrNull(name));
  if (title !== undefined) set(patch, "title", textOrNull(title));
  if (kind !== undefined) set(patch, "kind", textOrNull(kind) as ToolCallPatch["kind"]);
  if (status !== undefined) set(patch, "status", textOrNull(status) as ToolCallPatch["status"]);
  if (content !== undefined) set(patch, "content", listOrNull(content, toolContent));
  if (locations !== undefined) set(patch, "locations", listOrNull(locations, location));
  if (rawInput !== undefined) patch.rawInput = rawInput;
  if (rawOutput !== undefined) patch.rawOutput = rawOutput;
  if (capabilities !== undefined) patch.capabilities = controls(capabilities);
  if (_meta !== undefined) set(patch, "_meta", metaOrNull(_meta));
}

function set<K extends keyof ToolCallPatch>(
  patch: Mutable<ToolCallPatch>,
  key: K,
  value: ToolCallPatch[K] | undefined,
): void {
  if (value !== undefined) patch[key] = value;
}

/** What an entity offers to its client. Malformed, it offers nothing: nobody should act on a guess (V2-DEC-11). */
export function controls(value: unknown): ToolCallCapabilities | null {
  if (!isObject(value)) return null;
  const drop = ["cancel", "_meta"].filter((key) => value[key] != null && !isObject(value[key]));
  return without(value, drop) as ToolCallCapabilities;
}

/** One more item of a tool call's content. */
export function toolCallChunk(update: Wire): SessionEvent | string {
  const { toolCallId } = update;
  if (typeof toolCallId !== "string") return "toolCallId is no string";
  const content = toolContent(update.content);
  if (content === undefined) return "content is no item";
  return withMeta<SessionEvent>({ type: "tool_call_content_chunk", toolCallId, content }, update);
}

/** One item of a tool call's content, also with the diff of older drafts. */
const toolContent = (value: unknown): ToolCallContent | undefined => toolCallContent(value, diff);

const location = (value: unknown): ToolCallLocation | undefined => locationIn(value, 1);

function diff(wire: Wire): ToolCallContent | undefined {
  if (!("changes" in wire)) return textDiff(wire);
  if (!Array.isArray(wire.changes)) return undefined;
  const changes = list(wire.changes, change);
  const drop: string[] = [];
  if (wire.patch != null && !isPatch(wire.patch)) drop.push("patch");
  if (wire._meta != null && !isObject(wire._meta)) drop.push("_meta");
  if (changes === wire.changes && drop.length === 0) return wire as unknown as Diff;
  return { ...without(wire, drop), type: "diff", changes };
}

const isPatch = (value: unknown): boolean =>
  isObject(value) && typeof value.format === "string" && typeof value.text === "string";

const PATHS: { readonly [operation: string]: readonly string[] } = {
  add: ["path"],
  delete: ["path"],
  modify: ["path"],
  move: ["path", "oldPath"],
  copy: ["path", "oldPath"],
};

/** An operation that nobody here knows is kept; it may have no path. */
function change(value: unknown): DiffChange | undefined {
  if (!isObject(value) || typeof value.operation !== "string") return undefined;
  const known = Object.hasOwn(PATHS, value.operation) ? PATHS[value.operation] : undefined;
  if (known?.some((key) => typeof value[key] !== "string")) return undefined;
  const drop = ["fileType", "mimeType"].filter((key) => value[key] != null && text(value[key]) === undefined);
  if (value._meta != null && !isObject(value._meta)) drop.push("_meta");
  const read = without(value, drop);
  return (typeof read.path === "string" ? read : { ...read, path: "" }) as DiffChange;
}
