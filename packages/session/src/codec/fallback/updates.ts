import type { WireEvent } from "../../event.js";
import type { SessionState } from "../../state.js";
import { toolCallKey } from "../../timeline.js";
import type { StatesAround } from "../codec.js";
import type { Loss } from "../losses.js";
import { compact, isObject } from "../read.js";
import { encodeContent } from "./content.js";
import type { Sending } from "./sending.js";
import { encodeCommands } from "./settings.js";
import { dueToolCalls, isBehind } from "./terminals.js";

/** An update with these members of its event, and metadata: what no protocol has stays here (V1-EXT-02). */
export function update(event: WireEvent, ...members: readonly string[]): object {
  const told = event as { readonly [member: string]: unknown };
  const pairs = [...members, "_meta"].map((member) => [member, told[member]]);
  return compact({ sessionUpdate: event.type, ...Object.fromEntries(pairs) });
}

const USAGE = ["used", "size", "cost"] as const;

/** Writes the events that version 1 and seed write alike, and reports those that neither has. */
export function encodeOther(event: WireEvent, around: StatesAround, sending: Sending): readonly object[] {
  const { lost } = sending;
  switch (event.type) {
    case "available_commands_update":
      return [encodeCommands(event, lost)];
    case "usage_update":
      if (event.cost === null) lost("cost-clear");
      return [
        update({ ...event, cost: event.cost ?? undefined, _meta: event._meta ?? undefined } as WireEvent, ...USAGE),
      ];
    case "state_update": {
      // Before anybody hears of a loss: whoever does may say something else.
      const { after } = around;
      if ((event.state !== "running" && event.state !== "idle") || event.background?.length) lost("state");
      return encodeLateOutput(after, sending);
    }
    case "unknown":
      if (isObject(event.raw) && typeof event.raw.sessionUpdate === "string") return [event.raw];
      lost("unknown");
      return [];
    default:
      lost(...untold(event));
      return [];
  }
}

/** Returns the loss of an event that the dialect does not have. */
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
      // An event that no type of this package allows: there is nothing that could be sent for it.
      return ["unknown"];
  }
}

/** Writes the content of the tool calls that show a changed terminal, when enough of it is new. */
export function encodeTerminal(terminalId: string, around: StatesAround, sending: Sending): readonly object[] {
  sending.lost("terminal", terminalId);
  return dueToolCalls(terminalId, around, sending.terminals).flatMap((id) => contentOf(id, around.after, sending));
}

/** Writes the terminal output that was held back, at the end of the work. */
function encodeLateOutput(after: SessionState, sending: Sending): readonly object[] {
  const { behind } = sending.terminals;
  return [...behind.ids()].flatMap((id) => {
    const updates = isBehind(id, after, sending.terminals) ? contentOf(id, after, sending) : [];
    behind.delete(id);
    return updates;
  });
}

function contentOf(toolCallId: string, after: SessionState, sending: Sending): readonly object[] {
  const entry = after.timeline.get(toolCallKey(toolCallId));
  if (entry?.type !== "tool_call") return [];
  const content = encodeContent(entry.content, toolCallId, after, sending);
  return [{ sessionUpdate: "tool_call_update", toolCallId, content }];
}
