import type { ClientCapabilities } from "../../call.js";
import type { MessageChunk, WireEvent } from "../../event.js";
import type { SessionState } from "../../state.js";
import type { Encoder, StatesAround } from "../codec.js";
import { encodePlanText, PLANS } from "../fallback/plan-text.js";
import { noTerminals, type Sending, Sent } from "../fallback/sending.js";
import { encodeList } from "../fallback/settings.js";
import { encodeOther, encodeTerminal } from "../fallback/updates.js";
import { type Loss, lostIn } from "../losses.js";
import { compact } from "../read.js";
import { NO_BOOLEANS } from "./calls.js";
import { encodeItemChunk, encodeToolCall } from "./encode-tool-call.js";
import { wholeMeta } from "./metadata.js";

/** Makes the encoder of one session: what a seed client is sent for each event. */
export function createEncoder(peer: ClientCapabilities, onLoss: (loss: Loss) => void): Encoder {
  let type = "";
  const sending: Sending = {
    peer,
    terminals: noTerminals(),
    clientTerminals: false,
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
      return [chunk(event, around, sending)];
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
      return [optionList(around.after, sending)];
    case "current_mode_update":
      return encodeMode(event.currentModeId, around, sending);
    case "session_info_update": {
      const { type, title, updatedAt } = event;
      return [compact({ sessionUpdate: type, title, updatedAt, _meta: wholeMeta(event, around) })];
    }
    default:
      return encodeOther(event, around, sending);
  }
}

/** Writes a piece of a message. The key of its entry stands in for an absent id. */
// V2-BRG-11
function chunk(event: MessageChunk, around: StatesAround, { lost }: Sending): object {
  const { type, content, _meta } = event;
  let { messageId } = event;
  if (messageId === undefined) {
    const { after } = around;
    messageId = after.internal.openMessage ?? after.timeline.at(-1)?.key ?? type;
    lost("message-id", messageId);
  }
  return compact({ sessionUpdate: type, messageId, content, _meta: _meta ?? undefined });
}

/** Modes are an option like any other. */
function encodeMode(mode: string, { before, after }: StatesAround, sending: Sending): readonly object[] {
  if (after.configOptions === undefined || after.configOptions === before.configOptions) {
    if (after.configOptions === undefined) sending.lost("mode", mode);
    return [];
  }
  return [optionList(after, sending)];
}

function optionList(after: SessionState, { lost }: Sending): object {
  const configOptions = encodeList(after.configOptions ?? [], NO_BOOLEANS, lost);
  return { sessionUpdate: "config_option_update", configOptions };
}

type PlanEvent = WireEvent & { readonly type: "plan_update" | "plan_removed" };

/** A plan of items under its id; a plan of another form is agent text, and one that went has no entries. */
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
