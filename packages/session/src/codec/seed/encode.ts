import type { ClientCapabilities } from "../../call.js";
import type { MessageChunk, WireEvent } from "../../event.js";
import type { SessionState } from "../../state.js";
import type { Encoder } from "../codec.js";
import type { Loss } from "../losses.js";
import { lostIn } from "../lost.js";
import type { Sending } from "../older/sending.js";
import { encodeCommands, encodeList } from "../older/settings.js";
import { encodeLateOutput, encodeTerminal } from "../older/terminal-updates.js";
import { compact, isObject } from "../read.js";
import { NO_BOOLEANS } from "./calls.js";
import { encodePlan } from "./encode-plan.js";
import { encodeItemChunk, encodeToolCall } from "./encode-tool-call.js";
import { wholeMeta } from "./metadata.js";

/** Makes the encoder of one session: what a seed client is sent for each event. */
export function createEncoder(peer: ClientCapabilities, onLoss: (loss: Loss) => void): Encoder {
  let type = "";
  const sending: Sending = {
    peer,
    terminals: { users: new Map(), sent: new Map() },
    clientTerminals: false,
    planTexts: new Map(),
    lost: (id, entity) => lostIn("seed", type, onLoss)(id, entity),
  };
  return (event, before, after) => {
    type = event.type;
    return encode(event, before, after, sending);
  };
}

function encode(event: WireEvent, before: SessionState, after: SessionState, sending: Sending): readonly object[] {
  switch (event.type) {
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return [chunk(event, after, sending)];
    case "user_message":
    case "agent_message":
    case "agent_thought": {
      const { type, messageId, content } = event;
      return [compact({ sessionUpdate: type, messageId, content, _meta: wholeMeta(event, before, after) })];
    }
    case "tool_call_update":
      return [encodeToolCall(event, before, after, sending)];
    case "tool_call_content_chunk":
      return encodeItemChunk(event, after, sending);
    case "terminal_update":
    case "terminal_output_chunk":
      return encodeTerminal(event.terminalId, before, after, sending);
    case "plan_update":
    case "plan_removed":
      return encodePlan(event, before, sending);
    case "config_option_update":
      return [optionList(after, sending)];
    case "current_mode_update":
      if (after.configOptions !== undefined)
        return after.configOptions === before.configOptions ? [] : [optionList(after, sending)];
      sending.lost("mode", event.currentModeId);
      return [];
    default:
      return encodeOther(event, before, after, sending);
  }
}

function encodeOther(event: WireEvent, before: SessionState, after: SessionState, sending: Sending): readonly object[] {
  const { lost } = sending;
  switch (event.type) {
    case "available_commands_update":
      return [encodeCommands(event, lost)];
    case "session_info_update": {
      const { type, title, updatedAt } = event;
      return [compact({ sessionUpdate: type, title, updatedAt, _meta: wholeMeta(event, before, after) })];
    }
    case "usage_update": {
      const { type, used, size, cost, _meta } = event;
      if (cost === null) lost("cost-clear");
      return [compact({ sessionUpdate: type, used, size, cost: cost ?? undefined, _meta: _meta ?? undefined })];
    }
    case "state_update":
      if (event.state !== "running" && event.state !== "idle") lost("state");
      else if ((event.background?.length ?? 0) > 0) lost("state");
      return encodeLateOutput(after, sending);
    case "unknown":
      if (isObject(event.raw) && typeof event.raw.sessionUpdate === "string") return [event.raw];
      lost("unknown");
      return [];
    default:
      lost(...untold(event));
      return [];
  }
}

/** What seed has no word for. */
function untold(event: WireEvent): readonly [Loss["id"], string?] {
  switch (event.type) {
    case "notice":
      return ["notice", event.title];
    case "compaction_update":
    case "compaction_summary_chunk":
      return ["compaction", event.compactionId];
    case "subagent_update":
      return ["subagent", event.sessionId];
    case "session_message":
    case "session_message_chunk":
      return ["subagent", event.messageId];
    default:
      return ["unknown"];
  }
}

/** Where the message has no id, the key by which this side knows it stands in (V2-BRG-11). */
function chunk(event: MessageChunk, after: SessionState, { lost }: Sending): object {
  const { type, content, _meta } = event;
  let { messageId } = event;
  if (messageId === undefined) {
    messageId = after.internal.openMessage ?? after.timeline.at(-1)?.key ?? type;
    lost("message-id", messageId);
  }
  return compact({ sessionUpdate: type, messageId, content, _meta: _meta ?? undefined });
}

function optionList(after: SessionState, { lost }: Sending): object {
  const configOptions = encodeList(after.configOptions ?? [], NO_BOOLEANS, lost);
  return { sessionUpdate: "config_option_update", configOptions };
}
