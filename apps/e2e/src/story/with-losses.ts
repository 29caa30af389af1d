import { expect } from "vitest";
import { isToolCall, type PictureOfToolCall, type PictureOfTree } from "./picture.js";

/** Applies the losses of a dialect to a picture, by the rule of each loss. Only reported losses count. */
export function withLosses(picture: PictureOfTree, losses: ReadonlySet<string>): PictureOfTree {
  const whole = losses.has("subagent") ? withoutChildren(picture) : picture;
  const { timeline, plans } = losses.has("plan") ? withoutPlans(whole) : whole;
  return {
    ...whole,
    plans,
    timeline: timeline.map((entry) => (isToolCall(entry) ? withoutDiff(withStatus(entry, losses), losses) : entry)),
    children: whole.children.map((child) => withLosses(child, losses)),
  };
}

/** Repeats the entries that a dialect without keys has twice, because its agent gets the second attempt as a new prompt. */
export function withoutKeys(picture: PictureOfTree, { keyed = 0 }: { readonly keyed?: number }): PictureOfTree {
  const { timeline } = picture;
  return { ...picture, timeline: timeline.toSpliced(keyed, 0, ...timeline.slice(0, keyed)) };
}

/** Makes pictures comparable whose dialect has fewer plans: an empty plan counts as removed, and the others as one. */
export function withJoinedPlans(picture: PictureOfTree): PictureOfTree {
  const entries = picture.plans.flatMap((plan) => (Array.isArray(plan) ? plan : []));
  return { ...picture, plans: [...(entries.length > 0 ? [entries] : []), ...picture.plans.filter(isMarkdown)] };
}

function withStatus(call: PictureOfToolCall, losses: ReadonlySet<string>): PictureOfToolCall {
  return losses.has("tool-call-status") && call.status === "cancelled" ? { ...call, status: "failed" } : call;
}

/** Replaces a diff without texts by a line and a patch. */
function withoutDiff(call: PictureOfToolCall, losses: ReadonlySet<string>): PictureOfToolCall {
  if (!losses.has("diff")) return call;
  const lines = (item: unknown) => (Array.isArray(item) ? [...item, expect.stringMatching(/^```diff\n/)] : [item]);
  return { ...call, content: call.content.flatMap(lines) };
}

const isMarkdown = (plan: unknown): plan is { readonly markdown: string } =>
  typeof plan === "object" && plan !== null && "markdown" in plan;

/** A plan in Markdown is text of the agent, after the prompt of these stories. */
function withoutPlans({ timeline, plans }: PictureOfTree): Pick<PictureOfTree, "timeline" | "plans"> {
  const texts = plans.filter(isMarkdown).map(({ markdown }) => ({ who: "agent", text: markdown }));
  return { timeline: [...timeline, ...texts], plans: plans.filter((plan) => !isMarkdown(plan)) };
}

/**
 * A child session is a tool call of its parent: after the call that links to it, or after the prompt. The calls of the child
 * that asked follow it.
 */
function withoutChildren(picture: PictureOfTree): PictureOfTree {
  const [child] = picture.children;
  if (child === undefined) return picture;
  const isLink = (entry: unknown) => isToolCall(entry) && entry.content.includes("session");
  const at = Math.max(picture.timeline.findIndex(isLink), 0) + 1;
  const linked = picture.timeline.map((entry) => {
    if (!isToolCall(entry)) return entry;
    return { ...entry, content: entry.content.map((item) => (item === "session" ? titleOf(child) : item)) };
  });
  return { ...picture, timeline: linked.toSpliced(at, 0, ...degraded(child)), children: [] };
}

const titleOf = ({ announced }: PictureOfTree): string => (announced as { readonly title: string }).title;

function degraded(child: PictureOfTree): readonly unknown[] {
  const title = titleOf(child);
  const { stopReason } = child.lastTurn;
  const status = stopReason === "cancelled" ? "cancelled" : stopReason === "error" ? "failed" : "completed";
  const own = child.timeline.map((entry) => (isToolCall(entry) ? `- ${entry.tool}` : (entry as { text: string }).text));
  const content = [...own, ...child.children.map((one) => `- ${titleOf(one)}`)];
  const asked = child.timeline.filter((entry) => isToolCall(entry) && entry.kind === "execute");
  return [
    { tool: title, kind: "think", status, content, locations: [], rawInput: undefined },
    ...asked.map((call) => ({
      ...(call as PictureOfToolCall),
      tool: `${title}: ${(call as PictureOfToolCall).tool}`,
      content: [],
    })),
  ];
}
