import type { SessionEvent } from "../../event.js";
import type { ToolCallContent, ToolCallLocation, ToolCallPatch } from "../../tool-call.js";
import { onlyPlan, planRemoved, planUpdate } from "../plan.js";
import { isObject, list, meta, number, text, type Wire } from "../read.js";
import { locationIn, textDiff, toolCallContent } from "../tool-content.js";
import {
  compaction,
  compactionChunk,
  cost,
  currentMode,
  type Decoder,
  decodeBy,
  notice,
  sessionInfo,
} from "../updates.js";
import { command, configOption } from "./settings.js";

/**
 * Reads the `update` of a version 1 `session/update`. Takes any value and never throws: what is malformed or of a kind
 * that version 1 does not have comes back as an `unknown` event that holds it.
 */
export const decode = (update: unknown): readonly SessionEvent[] => decodeBy(decoders, update);

const content = (value: unknown): ToolCallContent | undefined => toolCallContent(value, textDiff);
const location = (value: unknown): ToolCallLocation | undefined => locationIn(value, 0);

const decoders: ReadonlyMap<string, Decoder> = /* @__PURE__ */ new Map<string, Decoder>([
  ["tool_call", toolCall],
  ["tool_call_update", toolCallUpdate],
  ["plan", onlyPlan],
  ["plan_update", planUpdate],
  ["plan_removed", planRemoved],
  ["available_commands_update", commands],
  ["current_mode_update", currentMode],
  ["config_option_update", options],
  ["session_info_update", sessionInfo],
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
    content: list(update.content, content),
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
  if (Array.isArray(wire.content)) patch.content = list(wire.content, content);
  if (Array.isArray(wire.locations)) patch.locations = list(wire.locations, location);
  if (wire.rawInput != null) patch.rawInput = wire.rawInput;
  if (wire.rawOutput != null) patch.rawOutput = wire.rawOutput;
  if (isObject(wire._meta)) patch._meta = wire._meta;
  return patch;
}

function commands(update: Wire): SessionEvent | string {
  if (!("availableCommands" in update)) return "availableCommands are missing";
  return { type: "available_commands_update", availableCommands: list(update.availableCommands, command) };
}

function options(update: Wire): SessionEvent | string {
  if (!("configOptions" in update)) return "configOptions are missing";
  return { type: "config_option_update", configOptions: list(update.configOptions, configOption) };
}

function usage(update: Wire): SessionEvent | string {
  const used = number(update.used);
  const size = number(update.size);
  if (used === undefined || size === undefined) return "used and size are no numbers";
  return { type: "usage_update", used, size, cost: cost(update.cost) };
}
