import type { ClientCapabilities } from "../../call.js";
import type { Meta } from "../../content.js";
import type { EventOf, MessageUpsert, WireEvent } from "../../event.js";
import { metadataAbout } from "../../metadata.js";
import type { ConfigOption } from "../../settings.js";
import type { SessionState } from "../../state.js";
import type { Encoder, StatesAround } from "../codec.js";
import { encodeContent, encodeItem, wholeContent } from "../fallback/content.js";
import { createShownTerminals, type Sending, Sent } from "../fallback/sending.js";
import { encodeList } from "../fallback/settings.js";
import { isBehind } from "../fallback/terminals.js";
import { encodeOther, encodePlanText, encodeTerminal, PLANS } from "../fallback/updates.js";
import { type Loss, lostIn } from "../losses.js";
import { compact } from "../read.js";
import { encodeChunk, optionsByMode } from "../v2/encode.js";

/** Creates the encoder of one session for a seed client. */
export function createEncoder(peer: ClientCapabilities, onLoss: (loss: Loss) => void): Encoder {
  let type = "";
  const sending: Sending = {
    peer,
    terminals: createShownTerminals(),
    clientTerminals: false,
    linksSessions: false,
    planTexts: new Sent(PLANS),
    lost: (id, entity) => lostIn("seed", type, onLoss)(id, entity),
  };
  return (event, around) => {
    type = event.type;
    return encode(event, around, sending);
  };
}

function encode(event: WireEvent, around: StatesAround, sending: Sending): readonly object[] {
  switch (event.type) {
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return [encodeChunk(event, around, sending.lost)];
    case "user_message":
    case "agent_message":
    case "agent_thought": {
      const { type, messageId, content } = event;
      return [compact({ sessionUpdate: type, messageId, content, _meta: wholeMeta(event, around) })];
    }
    case "tool_call_update":
      return [encodeToolCall(event, around, sending)];
    case "tool_call_content_chunk":
      return encodeItemChunk(event, around.after, sending);
    case "terminal_update":
    case "terminal_output_chunk":
      return encodeTerminal(event.terminalId, around, sending);
    case "plan_update":
    case "plan_removed":
      return encodePlan(event, around, sending);
    case "config_option_update":
      return [optionList(around.after.configOptions, sending)];
    case "current_mode_update": {
      const options = optionsByMode(event.currentModeId, around, sending.lost);
      return options ? [optionList(options, sending)] : [];
    }
    case "session_info_update": {
      const { type, title, updatedAt } = event;
      return [compact({ sessionUpdate: type, title, updatedAt, _meta: wholeMeta(event, around) })];
    }
    default:
      return encodeOther(event, around, sending);
  }
}

function optionList(options: readonly ConfigOption[] = [], { lost }: Sending): object {
  return { sessionUpdate: "config_option_update", configOptions: encodeList(options, lost) };
}

type PlanEvent = EventOf<"plan_update" | "plan_removed">;

/**
 * Encodes a plan of items with its id. A plan of another form becomes text of the agent. A removed plan becomes a plan
 * without entries.
 */
function encodePlan(event: PlanEvent, { before, after }: StatesAround, sending: Sending): readonly object[] {
  const _meta = event._meta ?? undefined;
  if (event.type === "plan_update" && event.plan.type === "items") {
    const { planId: id, ...plan } = event.plan;
    return [compact({ sessionUpdate: "plan_update", plan: { ...plan, id }, _meta })];
  }
  const id = event.type === "plan_update" ? event.plan.planId : event.planId;
  sending.lost("plan", id);
  const text = event.type === "plan_update" ? encodePlanText(event.plan, after, sending) : [];
  if (before.plans.get(id)?.type !== "items") return text;
  return [...text, compact({ sessionUpdate: "plan_update", plan: { type: "items", id, entries: [] }, _meta })];
}

/** Encodes the change of a tool call. Content and metadata have another form than in version 2. */
function encodeToolCall(event: EventOf<"tool_call_update">, around: StatesAround, sending: Sending): object {
  // Members that only this side uses are not sent (V2-EXT-01).
  const { type, at: _, extra: __, capabilities, content, ...others } = event;
  if (capabilities != null) sending.lost("tool-call-cancel", event.toolCallId);
  return compact({
    sessionUpdate: type,
    ...others,
    content: contentOf(event, around.after, sending),
    _meta: wholeMeta(event, around),
  });
}

function contentOf({ toolCallId, content }: EventOf<"tool_call_update">, after: SessionState, sending: Sending) {
  if (content !== undefined) return content && encodeContent(content, toolCallId, after, sending);
  return isBehind(toolCallId, after, sending.terminals) ? (wholeContent(toolCallId, after, sending) ?? []) : undefined;
}

/**
 * Encodes one more item of the content. The whole content is sent if the item becomes several items, or will change
 * later.
 */
function encodeItemChunk(
  { type, toolCallId, content, _meta }: EventOf<"tool_call_content_chunk">,
  after: SessionState,
  sending: Sending,
): readonly object[] {
  const items = content.type === "terminal" ? [] : encodeItem(content, toolCallId, after, sending);
  const [only] = items;
  if (only !== undefined && items.length === 1) {
    return [compact({ sessionUpdate: type, toolCallId, content: only, _meta: _meta ?? undefined })];
  }
  return [{ sessionUpdate: "tool_call_update", toolCallId, content: wholeContent(toolCallId, after, sending) ?? [] }];
}

type Patch = MessageUpsert | EventOf<"tool_call_update" | "session_info_update">;

/**
 * Returns the complete metadata. In seed, sent metadata replaces the old metadata. Removed keys have the value `null`,
 * which counts as absent in seed and in version 2.
 */
function wholeMeta(event: Patch, { before, after }: StatesAround): Meta | null | undefined {
  if (event._meta === undefined) return undefined;
  const whole = metadataAbout(after, event);
  if (whole === undefined) return null;
  const gone = Object.keys(metadataAbout(before, event) ?? {}).filter((key) => !Object.hasOwn(whole, key));
  return gone.length === 0 ? whole : { ...whole, ...Object.fromEntries(gone.map((key) => [key, null])) };
}
