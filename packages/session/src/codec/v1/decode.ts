import type { SessionEvent } from "../../event.js";
import { MAIN_PLAN, type PlanEntry } from "../../plan.js";
import type { Cost } from "../../settings.js";
import type { ToolCallPatch } from "../../tool-call.js";
import { contentBlock, contentBlocks, location, toolCallContent } from "./content.js";
import { isObject, list, meta, metaOrNull, number, text, textOrNull, type Wire } from "./read.js";
import { command, configOption } from "./settings.js";

/**
 * Reads the `update` of a version 1 `session/update`. Takes any value and never throws: what is malformed or of a kind
 * that version 1 does not have comes back as an `unknown` event that holds it.
 */
export function decode(update: unknown): readonly SessionEvent[] {
  if (!isObject(update)) return [{ type: "unknown", raw: update, reason: "an update has to be an object" }];
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
      return chunk("agent_message_chunk", update);
    case "agent_thought_chunk":
      return chunk("agent_thought_chunk", update);
    case "user_message_chunk":
      return chunk("user_message_chunk", update);
    default: {
      const decoder = typeof update.sessionUpdate === "string" ? decoders.get(update.sessionUpdate) : undefined;
      if (decoder === undefined) return [{ type: "unknown", raw: update }];
      const event = decoder(update);
      return [typeof event === "string" ? { type: "unknown", raw: update, reason: event } : event];
    }
  }
}

type ChunkType = "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk";

function chunk(type: ChunkType, update: Wire): readonly SessionEvent[] {
  const content = contentBlock(update.content);
  if (content === undefined) return [{ type: "unknown", raw: update, reason: "content is no content block" }];
  const { messageId } = update;
  if (update._meta != null) {
    return [{ type, messageId: text(messageId), content, _meta: meta(update._meta) }];
  }
  return [typeof messageId === "string" ? { type, messageId, content } : { type, content }];
}

/** An event, or why there is none. */
type Decoder = (update: Wire) => SessionEvent | string;

const decoders = new Map<string, Decoder>([
  ["tool_call", toolCall],
  ["tool_call_update", toolCallUpdate],
  ["plan", plan],
  ["available_commands_update", commands],
  ["current_mode_update", mode],
  ["config_option_update", options],
  ["session_info_update", info],
  ["usage_update", usage],
  ["notice", notice],
  ["compaction_update", compaction],
  ["compaction_summary_chunk", compactionChunk],
]);

/** States every member, so that a second `tool_call` for an id sets back what it leaves out (V1-UPD-12). */
function toolCall(update: Wire): SessionEvent | string {
  const { toolCallId, title } = update;
  if (typeof toolCallId !== "string") return "toolCallId is no string";
  if (typeof title !== "string") return "title is no string";
  return {
    type: "tool_call_update",
    toolCallId,
    title,
    name: text(update.name) ?? null,
    kind: (text(update.kind) as ToolCallPatch["kind"]) ?? null,
    status: (text(update.status) as ToolCallPatch["status"]) ?? null,
    content: list(update.content, toolCallContent),
    locations: list(update.locations, location),
    rawInput: update.rawInput ?? null,
    rawOutput: update.rawOutput ?? null,
    _meta: meta(update._meta) ?? null,
  };
}

function toolCallUpdate(update: Wire): SessionEvent | string {
  const patch = toolCallPatch(update);
  return typeof patch === "string" ? patch : { type: "tool_call_update", ...patch };
}

/** What changes of a tool call; in version 1 `null` is as good as left out (V1-UPD-14), and says nothing of lists. */
export function toolCallPatch(wire: Wire): ToolCallPatch | string {
  if (typeof wire.toolCallId !== "string") return "toolCallId is no string";
  const patch: { -readonly [K in keyof ToolCallPatch]: ToolCallPatch[K] } = { toolCallId: wire.toolCallId };
  if (typeof wire.title === "string") patch.title = wire.title;
  if (typeof wire.name === "string") patch.name = wire.name;
  if (typeof wire.kind === "string") patch.kind = wire.kind as ToolCallPatch["kind"];
  if (typeof wire.status === "string") patch.status = wire.status as ToolCallPatch["status"];
  if (Array.isArray(wire.content)) patch.content = list(wire.content, toolCallContent);
  if (Array.isArray(wire.locations)) patch.locations = list(wire.locations, location);
  if (wire.rawInput != null) patch.rawInput = wire.rawInput;
  if (wire.rawOutput != null) patch.rawOutput = wire.rawOutput;
  if (isObject(wire._meta)) patch._meta = wire._meta;
  return patch;
}

function plan(update: Wire): SessionEvent | string {
  if (!("entries" in update)) return "entries are missing";
  const entries = list(update.entries, planEntry);
  return { type: "plan_update", plan: { planId: MAIN_PLAN, type: "items", entries } };
}

function planEntry(value: unknown): PlanEntry | undefined {
  if (!isObject(value)) return undefined;
  const sound = [value.content, value.priority, value.status].every((member) => typeof member === "string");
  return sound ? (value as PlanEntry) : undefined;
}

function commands(update: Wire): SessionEvent | string {
  if (!("availableCommands" in update)) return "availableCommands are missing";
  return { type: "available_commands_update", availableCommands: list(update.availableCommands, command) };
}

function mode(update: Wire): SessionEvent | string {
  const { currentModeId } = update;
  return typeof currentModeId === "string"
    ? { type: "current_mode_update", currentModeId }
    : "currentModeId is no string";
}

function options(update: Wire): SessionEvent | string {
  if (!("configOptions" in update)) return "configOptions are missing";
  return { type: "config_option_update", configOptions: list(update.configOptions, configOption) };
}

function info(update: Wire): SessionEvent {
  return {
    type: "session_info_update",
    title: textOrNull(update.title),
    updatedAt: textOrNull(update.updatedAt),
    _meta: metaOrNull(update._meta),
  };
}

function usage(update: Wire): SessionEvent | string {
  const used = number(update.used);
  const size = number(update.size);
  if (used === undefined || size === undefined) return "used and size are no numbers";
  return { type: "usage_update", used, size, cost: cost(update.cost) };
}

function cost(value: unknown): Cost | undefined {
  if (!isObject(value)) return undefined;
  return typeof value.amount === "number" && typeof value.currency === "string" ? (value as Cost) : undefined;
}

function notice(update: Wire): SessionEvent | string {
  const { severity, title } = update;
  if (typeof severity !== "string") return "severity is no string";
  if (typeof title !== "string" || title === "") return "title is no string, or empty";
  const description = text(update.description);
  return { type: "notice", severity: severity as "info", title, description, _meta: meta(update._meta) };
}

function compaction(update: Wire): SessionEvent | string {
  const { compactionId, status, summary } = update;
  if (typeof compactionId !== "string") return "compactionId is no string";
  if (typeof status !== "string") return "status is no string";
  return {
    type: "compaction_update",
    compactionId,
    status: status as "completed",
    summary: Array.isArray(summary) ? contentBlocks(summary) : summary === null ? null : undefined,
    error: textOrNull(update.error),
    _meta: metaOrNull(update._meta),
  };
}

function compactionChunk(update: Wire): SessionEvent | string {
  const { compactionId } = update;
  const content = contentBlock(update.content);
  if (typeof compactionId !== "string") return "compactionId is no string";
  return content === undefined
    ? "content is no content block"
    : { type: "compaction_summary_chunk", compactionId, content };
}
