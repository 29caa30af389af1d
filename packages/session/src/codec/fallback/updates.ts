import type { WireEvent } from "../../event.js";
import type { Plan } from "../../plan.js";
import type { SessionState } from "../../state.js";
import type { StatesAround } from "../codec.js";
import type { Loss } from "../losses.js";
import { compact, isObject } from "../read.js";
import { wholeContent } from "./content.js";
import type { Sending } from "./sending.js";
import { encodeCommands } from "./settings.js";
import { dueToolCalls, isBehind } from "./terminals.js";

/**
 * Returns an update with the metadata and the given members of its event. Members that only this side uses are not
 * sent.
 */
// V1-EXT-02
export function update(event: WireEvent, ...members: readonly string[]): object {
  const values = event as { readonly [member: string]: unknown };
  const pairs = [...members, "_meta"].map((member) => [member, values[member]]);
  return compact({ sessionUpdate: event.type, ...Object.fromEntries(pairs) });
}

const USAGE = ["used", "size", "cost"] as const;

/** Encodes the events whose form is the same in version 1 and seed. Reports the events that exist in neither. */
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
      // The state is read before a loss is reported, because `onLoss` may send another event.
      const { after } = around;
      if ((event.state !== "running" && event.state !== "idle") || event.background?.length) lost("state");
      return encodeLateOutput(after, sending);
    }
    case "unknown":
      if (isObject(event.raw) && typeof event.raw.sessionUpdate === "string") return [event.raw];
      lost("unknown");
      return [];
    case "replay_complete":
      // The answer to the restore ends the replay.
      return [];
    default:
      lost(...lossOf(event));
      return [];
  }
}

/** Returns the loss of an event that does not exist in the dialect. */
function lossOf(event: WireEvent): readonly [Loss["id"], string?] {
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
      // No codec creates this event, so nothing is sent for it.
      return ["unknown"];
  }
}

/**
 * Encodes the content of the tool calls that contain a changed terminal. Calls with too little new output are left out.
 */
export function encodeTerminal(terminalId: string, around: StatesAround, sending: Sending): readonly object[] {
  sending.lost("terminal", terminalId);
  return dueToolCalls(terminalId, around, sending.terminals).flatMap((id) => contentOf(id, around.after, sending));
}

/** Encodes terminal output that was not sent until the end of the work. */
function encodeLateOutput(after: SessionState, sending: Sending): readonly object[] {
  const { behind } = sending.terminals;
  return [...behind.ids()].flatMap((id) => {
    const updates = isBehind(id, after, sending.terminals) ? contentOf(id, after, sending) : [];
    behind.delete(id);
    return updates;
  });
}

function contentOf(toolCallId: string, after: SessionState, sending: Sending): readonly object[] {
  const content = wholeContent(toolCallId, after, sending);
  return content === undefined ? [] : [{ sessionUpdate: "tool_call_update", toolCallId, content }];
}

/** Minimum number of plans whose text is stored. A state has fewer plans. */
export const PLANS = 128;

/**
 * Encodes a plan of another form as text of the agent. If the old text is the beginning of the new one, only the rest
 * is sent. Otherwise the whole text is sent with a new id.
 */
export function encodePlanText(
  plan: Plan,
  after: SessionState,
  { planTexts }: Pick<Sending, "planTexts">,
): readonly object[] {
  const { planId } = plan;
  const text = textOf(plan);
  const before = planTexts.get(planId);
  if (text === undefined || text === before?.text) return [];
  const remember = (messageId: string, times: number): void =>
    planTexts.set(planId, { messageId, text, times }, (id) => after.plans.has(id));
  if (before !== undefined && text.startsWith(before.text)) {
    remember(before.messageId, before.times);
    return [chunk(before.messageId, text.slice(before.text.length))];
  }
  // The text of a plan whose record was removed must stay unchanged, so the new text gets another name.
  const name = planTexts.rounds === 0 ? `plan:${planId}` : `plan:${planId}~~${planTexts.rounds}`;
  const times = (before?.times ?? 0) + 1;
  const messageId = times === 1 ? name : `plan:${planId}~${times === 2 ? "" : times - 1}`;
  remember(messageId, times);
  return [chunk(messageId, text, before && { "turnkit.supersedes": before.messageId })];
}

function textOf(plan: Plan): string | undefined {
  if (plan.type === "markdown") return plan.content;
  return plan.type === "file" ? `Plan: ${plan.uri}` : undefined;
}

function chunk(messageId: string, text: string, _meta?: object): object {
  const said = { sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } };
  return _meta === undefined ? said : { ...said, _meta };
}
