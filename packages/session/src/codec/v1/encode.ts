import type { ClientCapabilities } from "../../call.js";
import type { EventOf, MessageChunk, MessageUpsert, WireEvent } from "../../event.js";
import { DEFAULT_PLAN_ID, type PlanEntry } from "../../plan.js";
import { type ConfigOption, selectOf } from "../../settings.js";
import { messageKey } from "../../timeline.js";
import type { Encoder, StatesAround } from "../codec.js";
import { createShownTerminals, Sent } from "../fallback/sending.js";
import { encodeList } from "../fallback/settings.js";
import { encodeOther, encodePlanText, encodeTerminal, PLANS, update } from "../fallback/updates.js";
import type { Loss, Lost } from "../losses.js";
import { compact } from "../read.js";
import { withStatus } from "../updates.js";
import { encodeMessage, type Sending, wireMessageId } from "./encode-message.js";
import { encodeToolCall } from "./encode-tool-call.js";

/** Creates the encoder of one session for a version 1 client. */
export function createEncoder(peer: ClientCapabilities, onLoss: (loss: Loss) => void): Encoder {
  let event: WireEvent["type"] = "unknown";
  const sending: Sending = {
    peer,
    renamed: new Sent(),
    toolCalls: new Sent(),
    terminals: createShownTerminals(),
    clientTerminals: true,
    // P-SUB1-02
    linksSessions: peer.subagents,
    planTexts: new Sent(PLANS),
    lost: (id, entity) => onLoss(compact({ id, to: "v1", event, entity })),
  };
  return (next, around) => {
    event = next.type;
    return encode(next, around, sending);
  };
}

const NOTICE = ["severity", "title", "description"] as const;
const COMPACTION = ["compactionId", "status", "summary", "content", "error"] as const;
const SUBAGENT = [
  "sessionId",
  "title",
  "description",
  "capabilities",
  "state",
  "cwd",
  "additionalDirectories",
] as const;
const SESSION_MESSAGE = [
  "messageId",
  "senderSessionId",
  "recipientSessionId",
  "senderMessageId",
  "recipientMessageId",
  "content",
] as const;

function encode(event: WireEvent, around: StatesAround, sending: Sending): readonly object[] {
  switch (event.type) {
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return isOwnPrompt(event, around) ? [] : [chunk(event, sending)];
    case "user_message":
    case "agent_message":
    case "agent_thought":
      return isOwnPrompt(event, around) ? [] : encodeMessage(event, around, sending);
    case "tool_call_update":
    case "tool_call_content_chunk":
      return encodeToolCall(event, around, sending);
    case "plan_update":
    case "plan_removed":
      return sending.peer.plans ? encodePlanById(event, around, sending) : encodePlans(event, around, sending);
    case "subagent_update":
      return sending.peer.subagents ? [update(event, ...SUBAGENT)] : encodeOther(event, around, sending);
    case "session_message":
    case "session_message_chunk":
      return sending.peer.subagents ? [update(event, ...SESSION_MESSAGE)] : encodeOther(event, around, sending);
    case "config_option_update":
    case "current_mode_update":
      return encodeOptions(event, around, sending);
    case "terminal_update":
    case "terminal_output_chunk":
      return encodeTerminal(event.terminalId, around, sending);
    case "session_info_update":
      return [update(event, "title", "updatedAt")];
    case "notice":
      if (!sending.peer.notices) return encodeOther(event, around, sending);
      return [update({ ...event, description: event.description ?? undefined } as WireEvent, ...NOTICE)];
    case "compaction_update":
    case "compaction_summary_chunk":
      if (!sending.peer.compaction) return encodeOther(event, around, sending);
      return [update(withStatus(event, around), ...COMPACTION)];
    default:
      return encodeOther(event, around, sending);
  }
}

/** Returns `true` for the agent's echo of a prompt. The client shows the prompt itself. */
function isOwnPrompt({ type, messageId }: MessageChunk | MessageUpsert, around: StatesAround): boolean {
  if (messageId === undefined || (type !== "user_message" && type !== "user_message_chunk")) return false;
  const entry = around.after.timeline.get(messageKey("user", messageId));
  return entry?.type === "message" && entry.prompt !== undefined;
}

function chunk(event: MessageChunk, sending: Sending): object {
  const { type, messageId, content, _meta } = event;
  const wireId = messageId === undefined ? undefined : wireMessageId(type, messageId, sending.renamed);
  // Nearly all updates have this form, so it has its own code.
  if (wireId !== undefined && _meta == null) return { sessionUpdate: type, messageId: wireId, content };
  return compact({ sessionUpdate: type, messageId: wireId, content, _meta: _meta ?? undefined });
}

type PlanEvent = EventOf<"plan_update" | "plan_removed">;

const PRIORITIES: readonly string[] = ["high", "medium", "low"];
const STATUSES: readonly string[] = ["pending", "in_progress", "completed"];

/** Encodes a plan for a client that supports plans with ids. A plan of another form becomes text of the agent. */
// P-PLAN-02
function encodePlanById(event: PlanEvent, { after }: StatesAround, sending: Sending): readonly object[] {
  if (event.type === "plan_removed") return [update(event, "planId")];
  const { plan } = event;
  if (plan.type === "items" && "entries" in plan) {
    const entries = plan.entries.map(entry).filter((one) => one !== undefined);
    if (entries.some((one, index) => one !== plan.entries[index]) || entries.length < plan.entries.length)
      sending.lost("plan-entry", plan.planId);
    return [update({ ...event, plan: { ...plan, entries } }, "plan")];
  }
  if (plan.type === "markdown") return [update(event, "plan")];
  sending.lost("plan", plan.planId);
  return encodePlanText(plan, after, sending);
}

/**
 * Encodes the single plan of version 1. It has the entries of all plans of items. A plan of another form becomes text
 * of the agent.
 */
function encodePlans(event: PlanEvent, { before, after }: StatesAround, sending: Sending): readonly object[] {
  const { lost } = sending;
  const planId = event.type === "plan_update" ? event.plan.planId : event.planId;
  const ofItems = event.type === "plan_update" && event.plan.type === "items";
  if (after.plans.length > 1 || planId !== DEFAULT_PLAN_ID || !ofItems) lost("plan", planId);
  const text = event.type === "plan_update" && !ofItems ? encodePlanText(event.plan, after, sending) : [];
  const hadItems = before.plans.get(planId)?.type === "items";
  if (!ofItems && !hadItems) return text;
  const entries = [...after.plans].flatMap((plan) => (plan.type === "items" ? plan.entries : []));
  const said = entries.map(entry).filter((one) => one !== undefined);
  if (said.some((one, index) => one !== entries[index]) || said.length < entries.length) lost("plan-entry", planId);
  return [...text, compact({ sessionUpdate: "plan", entries: said, _meta: event._meta ?? undefined })];
}

function entry(step: PlanEntry): PlanEntry | undefined {
  if (step.status === "cancelled") return undefined;
  if (PRIORITIES.includes(step.priority) && STATUSES.includes(step.status)) return step;
  const priority = PRIORITIES.includes(step.priority) ? step.priority : "medium";
  const status = STATUSES.includes(step.status) ? step.status : "pending";
  return { ...step, priority, status };
}

type OptionEvent = EventOf<"config_option_update" | "current_mode_update">;

/**
 * Encodes the whole list of options. If the mode changed, the mode is encoded too. Clients read either the options or
 * the mode.
 */
// V1-MODE-07
function encodeOptions(
  event: OptionEvent,
  { before, after }: StatesAround,
  { peer, lost }: Sending,
): readonly object[] {
  const options = after.configOptions ?? [];
  const mode = modeOf(options);
  const isNewMode = mode !== modeOf(before.configOptions ?? []);
  const updates: object[] = [];
  const listed = options.some((option) => option.setBy === undefined);
  if (event.type === "config_option_update" || (listed && isNewMode)) {
    updates.push({ sessionUpdate: "config_option_update", configOptions: encodeListed(options, lost, peer) });
  }
  const modeId = event.type === "current_mode_update" ? event.currentModeId : isNewMode ? mode : undefined;
  if (modeId !== undefined) updates.push({ sessionUpdate: "current_mode_update", currentModeId: modeId });
  return updates;
}

const modeOf = (options: readonly ConfigOption[]): string | undefined => selectOf(options, "mode")?.currentValue;

/** Encodes the options that have no separate method. */
export function encodeListed(
  options: readonly ConfigOption[],
  lost: Lost,
  peer?: { readonly booleanOptions: boolean },
): readonly object[] {
  const listed = options.filter((option) => option.setBy === undefined);
  return encodeList(listed, lost, peer);
}
