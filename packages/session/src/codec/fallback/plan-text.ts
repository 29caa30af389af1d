import type { Plan } from "../../plan.js";
import type { SessionState } from "../../state.js";
import type { Sending } from "./sending.js";

/** Plans whose text is remembered at least: more than a state has. */
export const PLANS = 128;

/** Writes a plan of another form as agent text: the added text, or all of it under a new id. */
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
  // The text of a plan that was forgotten stays what it was.
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
