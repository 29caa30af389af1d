import type { Plan } from "../../plan.js";
import type { Sending } from "./sending.js";

/** A plan that is no list of items, as agent text: what was added to it, or all of it under a new id. */
export function encodePlanText(plan: Plan, { planTexts }: Pick<Sending, "planTexts">): readonly object[] {
  const text = textOf(plan);
  const before = planTexts.get(plan.planId);
  if (text === undefined || text === before?.text) return [];
  if (before !== undefined && text.startsWith(before.text)) {
    planTexts.set(plan.planId, { ...before, text });
    return [chunk(before.messageId, text.slice(before.text.length))];
  }
  const messageId = before === undefined ? `plan:${plan.planId}` : `${before.messageId}~`;
  planTexts.set(plan.planId, { messageId, text });
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
