import type { MessageChunk, SessionEvent } from "../event.js";
import type { Cost } from "../settings.js";
import { contentBlock } from "./content.js";
import { onlyPlan, planRemoved, planUpdate } from "./plan.js";
import { isObject, meta, metaOrNull, number, text, textOrNull, type Wire } from "./read.js";
import { listOf, orNull, own, readShape, record, type Shape } from "./shape.js";

/** The kinds of updates of a dialect, by their name. */
export type Variants = { readonly [sessionUpdate: string]: Shape };

/** What an update may have that says no more. */
const META = { _meta: meta };

/** The blocks of a message or a summary, where they are a patch. */
export const contentBlocksOrNull = /* @__PURE__ */ orNull(/* @__PURE__ */ listOf(contentBlock));

/** The kinds that read the same everywhere. */
const COMMON: Variants = {
  plan: onlyPlan,
  plan_update: planUpdate,
  plan_removed: planRemoved,
  current_mode_update: [{ currentModeId: text }],
  session_info_update: [{}, { title: textOrNull, updatedAt: textOrNull, _meta: metaOrNull }],
  notice: [
    { severity: text, title: (value) => text(value) || undefined },
    { description: text, _meta: meta },
  ],
  compaction_update: [
    { compactionId: text, status: text },
    { summary: contentBlocksOrNull, error: textOrNull, _meta: metaOrNull },
  ],
  compaction_summary_chunk: [{ compactionId: text, content: contentBlock }],
};

const CHUNK: Shape = [{ content: contentBlock }, { messageId: text, _meta: meta }];

/** The kinds whose event has another name. */
const EVENTS: { readonly [sessionUpdate: string]: string } = { plan: "plan_update", tool_call: "tool_call_update" };

/** Reads one update by a table of its kinds; what none of them reads is kept as it came. */
export function decodeBy(variants: Variants, update: unknown): readonly SessionEvent[] {
  if (!isObject(update)) return unread(update, "an update has to be an object");
  const { sessionUpdate: name } = update;
  switch (name) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
    case "user_message_chunk":
      return chunk(name, update);
  }
  const shape = own(variants, name) ?? own(COMMON, name);
  if (shape === undefined) return unread(update);
  const { 0: needs, 1: may = META, 2: sound } = shape;
  const whole: Shape = [needs, may, sound];
  const event = readShape<SessionEvent>(whole, update, { type: own(EVENTS, name) ?? name });
  return typeof event === "string" ? unread(update, event) : [withExtra(event, whole, update)];
}

const unread = (raw: unknown, reason?: string): readonly SessionEvent[] => [
  reason === undefined ? { type: "unknown", raw } : { type: "unknown", raw, reason },
];

/** Written out, since nearly all updates are these. */
function chunk(type: MessageChunk["type"], update: Wire): readonly SessionEvent[] {
  const content = contentBlock(update.content);
  if (content === undefined) return unread(update, "content does not read");
  const { messageId, _meta } = update;
  const event = typeof messageId === "string" ? { type, messageId, content } : { type, content };
  return [withExtra(isObject(_meta) ? { ...event, _meta } : event, CHUNK, update)];
}

/** The event with the members of its update that nobody here knows and it does not hold, as they came (V1-LEN-08). */
function withExtra(event: SessionEvent, shape: Shape, update: Wire): SessionEvent {
  let extra: { [key: string]: unknown } | undefined;
  for (const key in update) {
    if (key === "sessionUpdate" || Object.hasOwn(event, key)) continue;
    if (shape.some((fields) => fields !== undefined && Object.hasOwn(fields, key))) continue;
    // A null prototype: a member may be called `__proto__`.
    extra ??= Object.create(null) as { [key: string]: unknown };
    extra[key] = update[key];
  }
  return extra === undefined ? event : { ...event, extra };
}

/** Money spent; `undefined` where it does not read. */
export const cost = /* @__PURE__ */ record<Cost>({ amount: number, currency: text });
