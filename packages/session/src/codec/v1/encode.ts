import type { ClientCapabilities } from "../../call.js";
import type { MessageChunk, MessageUpsert, WireEvent } from "../../event.js";
import type { SessionState } from "../../state.js";
import { messageKey } from "../../timeline.js";
import type { Encoder } from "../codec.js";
import type { Loss } from "../losses.js";
import type { Sending as Shared } from "../older/sending.js";
import { encodeCommands } from "../older/settings.js";
import { encodeLateOutput, encodeTerminal } from "../older/terminal-updates.js";
import { compact, isObject } from "../read.js";
import { encodeMessage, type SentMessages, wireMessageId } from "./encode-message.js";
import { encodePlans } from "./encode-plan.js";
import { encodeOptions } from "./encode-settings.js";
import { encodeToolCall } from "./encode-tool-call.js";

/** What the parts of one encoder share. */
export type Sending = Shared & {
  readonly messages: SentMessages;
  /** Tool calls that the peer has seen. */
  readonly toolCalls: Set<string>;
};

type Encoding = { readonly sending: Sending; readonly before: SessionState; readonly after: SessionState };

/** Makes the encoder of one session: what a version 1 client is sent for each event. */
export function createEncoder(peer: ClientCapabilities, onLoss: (loss: Loss) => void): Encoder {
  let event: WireEvent["type"] = "unknown";
  const sending: Sending = {
    peer,
    messages: { user: new Map(), agent: new Map(), thought: new Map() },
    toolCalls: new Set(),
    terminals: { users: new Map(), sent: new Map() },
    clientTerminals: true,
    planTexts: new Map(),
    lost: (id, entity) => onLoss(compact({ id, to: "v1", event, entity })),
  };
  return (next, before, after) => {
    event = next.type;
    return encode(next, { sending, before, after });
  };
}

function encode(event: WireEvent, { sending, before, after }: Encoding): readonly object[] {
  switch (event.type) {
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return isOwnPrompt(event, after) ? [] : [chunk(event, sending)];
    case "user_message":
    case "agent_message":
    case "agent_thought":
      return isOwnPrompt(event, after) ? [] : encodeMessage(event, before.timeline.get(keyOf(event)), sending);
    case "tool_call_update":
    case "tool_call_content_chunk":
      return encodeToolCall(event, before, after, sending);
    case "plan_update":
    case "plan_removed":
      return encodePlans(event, before, after, sending);
    case "config_option_update":
    case "current_mode_update":
      return encodeOptions(event, before, after, sending);
    case "terminal_update":
    case "terminal_output_chunk":
      return encodeTerminal(event.terminalId, before, after, sending);
    case "state_update":
      if (event.state !== "running" && event.state !== "idle") sending.lost("state");
      else if ((event.background?.length ?? 0) > 0) sending.lost("state");
      return encodeLateOutput(after, sending);
    default:
      return encodeOther(event, sending);
  }
}

function encodeOther(event: WireEvent, { peer, lost }: Sending): readonly object[] {
  switch (event.type) {
    case "available_commands_update":
      return [encodeCommands(event, lost)];
    case "session_info_update":
      return [update("session_info_update", event, { title: event.title, updatedAt: event.updatedAt })];
    case "usage_update": {
      const { used, size, cost } = event;
      if (cost === null) lost("cost-clear");
      return [update("usage_update", event, { used, size, cost: cost ?? undefined })];
    }
    case "notice": {
      const { severity, title, description } = event;
      if (peer.notices) return [update("notice", event, { severity, title, description: description ?? undefined })];
      lost("notice", title);
      return [];
    }
    case "compaction_update":
    case "compaction_summary_chunk": {
      const { type, at: _, ...members } = event as typeof event & { at?: number };
      if (peer.compaction) return [compact({ sessionUpdate: type, ...members })];
      lost("compaction", event.compactionId);
      return [];
    }
    case "subagent_update":
      lost("subagent", event.sessionId);
      return [];
    case "session_message":
    case "session_message_chunk":
      lost("subagent", event.messageId);
      return [];
    case "unknown":
      if (isObject(event.raw) && typeof event.raw.sessionUpdate === "string") return [event.raw];
      lost("unknown");
      return [];
    default:
      // An event that no type of this package allows: there is nothing that could be sent for it.
      lost("unknown");
      return [];
  }
}

/** The peer shows its prompts itself: their echo is not for it. */
function isOwnPrompt({ type, messageId }: MessageChunk | MessageUpsert, after: SessionState): boolean {
  if (messageId === undefined || (type !== "user_message" && type !== "user_message_chunk")) return false;
  const entry = after.timeline.get(messageKey("user", messageId));
  return entry?.type === "message" && entry.prompt !== undefined;
}

function chunk(event: MessageChunk, sending: Sending): object {
  const { type, messageId, content, _meta } = event;
  const wireId = messageId === undefined ? undefined : wireMessageId(type, messageId, sending.messages);
  // Written out, since nearly all updates are these.
  if (wireId !== undefined && _meta == null) return { sessionUpdate: type, messageId: wireId, content };
  return compact({ sessionUpdate: type, messageId: wireId, content, _meta: _meta ?? undefined });
}

function keyOf(event: MessageUpsert): string {
  const role = event.type === "user_message" ? "user" : event.type === "agent_message" ? "agent" : "thought";
  return messageKey(role, event.messageId);
}

function update(sessionUpdate: string, event: { readonly _meta?: unknown }, members: object): object {
  return compact({ sessionUpdate, ...members, _meta: event._meta });
}
