import type { SessionState } from "../../state.js";
import { toolCallKey } from "../../timeline.js";
import type { StatesAround } from "../codec.js";
import { encodeContent } from "./content.js";
import type { Sending } from "./sending.js";
import { dueToolCalls, isBehind } from "./terminals.js";

/** What follows from a change of a terminal: the content of the tool calls that show it, when enough is new. */
export function encodeTerminal(terminalId: string, around: StatesAround, sending: Sending): readonly object[] {
  sending.lost("terminal", terminalId);
  return dueToolCalls(terminalId, around, sending).flatMap((id) => contentOf(id, around.after, sending));
}

/** What terminals put out and nobody has sent yet; for the end of the work. */
export function encodeLateOutput(after: SessionState, sending: Sending): readonly object[] {
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
