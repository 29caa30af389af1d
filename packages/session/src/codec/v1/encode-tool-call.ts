import type { ToolCallEntry } from "../../entry.js";
import type { EventOf } from "../../event.js";
import { toolCallKey } from "../../timeline.js";
import type { ToolCallPatch } from "../../tool-call.js";
import type { StatesAround } from "../codec.js";
import { encodeContent } from "../fallback/content.js";
import { isBehind } from "../fallback/terminals.js";
import type { Lost } from "../losses.js";
import { compact } from "../read.js";
import type { Sending } from "./encode-message.js";

type ToolCallEvent = EventOf<"tool_call_update" | "tool_call_content_chunk">;

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
const MEMBERS = ["name", "kind", "status", "locations", "rawInput", "rawOutput", "_meta"] as const;
const CLEARABLE = ["name", "title", "rawInput", "rawOutput"] as const;

/**
 * Encodes a new tool call as `tool_call`, and later changes as `tool_call_update`. The content is always sent
 * completely.
 */
export function encodeToolCall(
  event: ToolCallEvent,
  { before, after }: StatesAround,
  sending: Sending,
): readonly object[] {
  const key = toolCallKey(event.toolCallId);
  const old = before.timeline.get(key);
  const entry = after.timeline.get(key);
  if (entry?.type !== "tool_call") return [];
  const known = sending.toolCalls.has(event.toolCallId) && old?.type === "tool_call" ? old : undefined;
  if (event.type === "tool_call_update") {
    noteCleared(known, entry, sending.lost);
    noteValues(event, sending.lost);
  }
  const behind = known !== undefined && isBehind(event.toolCallId, after, sending.terminals);
  if (known === entry && !behind) return [];
  if (entry.title === undefined) sending.lost("tool-call-title", event.toolCallId);
  if (!sending.toolCalls.has(event.toolCallId)) {
    sending.toolCalls.set(event.toolCallId, true, (id) => after.timeline.has(toolCallKey(id)));
  }
  const title = known === undefined || titleOf(known) !== titleOf(entry) ? titleOf(entry) : undefined;
  const isShown = known?.content !== entry.content || behind;
  const content = isShown ? encodeContent(entry.content, event.toolCallId, after, sending) : undefined;
  const said = writeToolCall(
    { toolCallId: event.toolCallId, title, ...changed(known, entry) },
    known === undefined && content?.length === 0 ? undefined : content,
  );
  if (known !== undefined && Object.keys(said).length === 1) return [];
  return [{ sessionUpdate: known === undefined ? "tool_call" : "tool_call_update", ...said }];
}

/** Returns the changed members. If version 1 does not have the status, the status is added to the metadata too. */
function changed(known: ToolCallEntry | undefined, entry: ToolCallEntry): Partial<ToolCallPatch> {
  const members: { [key: string]: unknown } = {};
  for (const member of MEMBERS) if (known?.[member] !== entry[member]) members[member] = entry[member];
  if (known === undefined && entry.locations.length === 0) members.locations = undefined;
  const { status, _meta } = members as Partial<ToolCallPatch>;
  if (status != null && !STATUSES.includes(status)) members._meta = { ..._meta, "turnkit.status": status };
  return members;
}

/** Encodes the members of a tool call for version 1. `content` is already encoded. `null` members are left out. */
export function writeToolCall(
  { toolCallId, title, name, kind, status, locations, rawInput, rawOutput, _meta }: ToolCallPatch,
  content: readonly object[] | undefined,
): object {
  return compact({
    toolCallId,
    title,
    name: name ?? undefined,
    kind: kind == null || KINDS.includes(kind) ? (kind ?? undefined) : "other",
    status: status == null ? undefined : statusOf(status),
    content,
    locations: locations ?? undefined,
    rawInput: rawInput ?? undefined,
    rawOutput: rawOutput ?? undefined,
    _meta: _meta ?? undefined,
  });
}

/** Returns the title, which version 1 requires. If there is none, returns the name, or else the kind. */
function titleOf(entry: Pick<ToolCallPatch, "title" | "name" | "kind">): string {
  return entry.title ?? entry.name ?? entry.kind ?? "other";
}

/** Returns the status of version 1 that is nearest in meaning. */
function statusOf(status: string): string {
  if (STATUSES.includes(status)) return status;
  return status === "cancelled" ? "failed" : "in_progress";
}

function noteCleared(before: ToolCallEntry | undefined, after: ToolCallEntry, lost: Lost): void {
  const cleared = CLEARABLE.some((member) => before?.[member] !== undefined && after[member] === undefined);
  const forgotten = Object.keys(before?._meta ?? {}).some((key) => !Object.hasOwn(after._meta ?? {}, key));
  if (cleared || forgotten) lost("tool-call-clear", after.toolCallId);
}

/** Reports values that do not exist in version 1. */
export function noteValues({ toolCallId, status, kind, capabilities }: ToolCallPatch, lost: Lost): void {
  if (status != null && !STATUSES.includes(status)) lost("tool-call-status", toolCallId);
  if (kind != null && !KINDS.includes(kind)) lost("tool-call-kind", toolCallId);
  if (capabilities != null) lost("tool-call-cancel", toolCallId);
}
