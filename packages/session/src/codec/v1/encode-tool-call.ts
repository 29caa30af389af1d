import type { ToolCallEntry } from "../../entry.js";
import type { WireEvent } from "../../event.js";
import type { SessionState } from "../../state.js";
import { toolCallKey } from "../../timeline.js";
import type { ToolCallPatch } from "../../tool-call.js";
import type { Lost } from "../lost.js";
import { encodeContent } from "../older/content.js";
import { isBehind } from "../older/terminals.js";
import { compact } from "../read.js";
import type { Sending } from "./encode.js";

type ToolCallEvent = WireEvent & { readonly type: "tool_call_update" | "tool_call_content_chunk" };

const KINDS: readonly string[] = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
];
const STATUSES: readonly string[] = ["pending", "in_progress", "completed", "failed"];
const CLEARABLE = ["name", "title", "rawInput", "rawOutput"] as const;

/** `tool_call` at first sight, `tool_call_update` with what changed later. Content always goes whole. */
export function encodeToolCall(
  event: ToolCallEvent,
  before: SessionState,
  after: SessionState,
  sending: Sending,
): readonly object[] {
  const key = toolCallKey(event.toolCallId);
  const old = before.timeline.get(key);
  const entry = after.timeline.get(key);
  if (entry?.type !== "tool_call") return [];
  const known = sending.toolCalls.has(event.toolCallId) && old?.type === "tool_call" ? old : undefined;
  if (event.type === "tool_call_update") noteLosses(event, known, entry, sending);
  const behind = known !== undefined && isBehind(event.toolCallId, after, sending.terminals);
  if (known === entry && !behind) return [];
  if (entry.title === undefined) sending.lost("tool-call-title", event.toolCallId);
  sending.toolCalls.add(event.toolCallId);
  const isNew = <K extends keyof ToolCallEntry>(member: K): boolean => known?.[member] !== entry[member];
  const content =
    isNew("content") || behind ? encodeContent(entry.content, event.toolCallId, after, sending) : undefined;
  const members = {
    toolCallId: event.toolCallId,
    title: known === undefined || titleOf(known) !== titleOf(entry) ? titleOf(entry) : undefined,
    name: isNew("name") ? entry.name : undefined,
    kind: isNew("kind") ? kindOf(entry.kind) : undefined,
    status: isNew("status") ? statusOf(entry) : undefined,
    content: known === undefined && content?.length === 0 ? undefined : content,
    locations: isNew("locations") && (known || entry.locations.length > 0) ? entry.locations : undefined,
    rawInput: isNew("rawInput") ? entry.rawInput : undefined,
    rawOutput: isNew("rawOutput") ? entry.rawOutput : undefined,
    _meta: metaOf(entry, isNew("_meta"), isNew("status")),
  };
  const said = compact(members);
  if (known !== undefined && Object.keys(said).length === 1) return [];
  return [{ sessionUpdate: known === undefined ? "tool_call" : "tool_call_update", ...said }];
}

/** A kind that version 1 has. */
export const kindOf = (kind: string): string => (KINDS.includes(kind) ? kind : "other");

/** A title is required: title, else name, else kind. */
function titleOf(entry: Pick<ToolCallPatch, "title" | "name" | "kind">): string {
  return entry.title ?? entry.name ?? entry.kind ?? "other";
}

/** The nearest status that version 1 has. */
export function statusOf({ status }: Pick<ToolCallEntry, "status">): string {
  if (STATUSES.includes(status)) return status;
  return status === "cancelled" ? "failed" : "in_progress";
}

function metaOf(entry: ToolCallEntry, metaChanged: boolean, statusChanged: boolean): object | undefined {
  const own = metaChanged ? entry._meta : undefined;
  if (!statusChanged || STATUSES.includes(entry.status)) return own;
  return { ...own, "turnkit.status": entry.status };
}

function noteLosses(
  patch: ToolCallPatch,
  before: ToolCallEntry | undefined,
  after: ToolCallEntry,
  { lost }: { readonly lost: Lost },
): void {
  const id = patch.toolCallId;
  const cleared = CLEARABLE.some((member) => before?.[member] !== undefined && after[member] === undefined);
  const forgotten = Object.keys(before?._meta ?? {}).some((key) => !Object.hasOwn(after._meta ?? {}, key));
  if (cleared || forgotten) lost("tool-call-clear", id);
  if (patch.status != null && !STATUSES.includes(after.status)) lost("tool-call-status", id);
  if (patch.kind != null && !KINDS.includes(after.kind)) lost("tool-call-kind", id);
  if (patch.capabilities != null) lost("tool-call-cancel", id);
}
