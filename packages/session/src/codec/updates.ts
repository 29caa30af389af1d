import type { MessageChunk, SessionEvent } from "../event.js";
import type { Cost } from "../settings.js";
import { contentBlock, contentBlocksOrNull } from "./content.js";
import { onlyPlan, planRemoved, planUpdate } from "./plan.js";
import { isObject, meta, metaOrNull, text, textOrNull, type Wire } from "./read.js";
import { readShape, type Shape, type Variant } from "./shape.js";

/** The kinds of updates of a dialect, by their name. */
export type Variants = { readonly [sessionUpdate: string]: Variant };

/** The kinds that read the same everywhere. */
const COMMON: Variants = {
  plan: onlyPlan,
  plan_update: planUpdate,
  plan_removed: planRemoved,
  current_mode_update: { type: "current_mode_update", needs: { currentModeId: text }, may: { _meta: meta } },
  session_info_update: {
    type: "session_info_update",
    needs: {},
    may: { title: textOrNull, updatedAt: textOrNull, _meta: metaOrNull },
  },
  notice: {
    type: "notice",
    needs: { severity: text, title: (value) => text(value) || undefined },
    may: { description: text, _meta: meta },
  },
  compaction_update: {
    type: "compaction_update",
    needs: { compactionId: text, status: text },
    may: { summary: contentBlocksOrNull, error: textOrNull, _meta: metaOrNull },
  },
  compaction_summary_chunk: {
    type: "compaction_summary_chunk",
    needs: { compactionId: text, content: contentBlock },
    may: { _meta: meta },
  },
};

/** One block of a message. Without an id the reducer finds the message that it belongs to. */
const CHUNK = { needs: { content: contentBlock }, may: { messageId: text, _meta: meta } };

const NONE = {};

/** Reads one update by a table of its kinds; what none of them reads is kept as it came. */
export function decodeBy(variants: Variants, update: unknown): readonly SessionEvent[] {
  if (!isObject(update)) return [{ type: "unknown", raw: update, reason: "an update has to be an object" }];
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
    case "user_message_chunk":
      return [chunk(update.sessionUpdate, update)];
  }
  const variant = variantOf(variants, update.sessionUpdate) ?? variantOf(COMMON, update.sessionUpdate);
  if (variant === undefined) return [{ type: "unknown", raw: update }];
  const event = readShape<SessionEvent>(variant, update, { type: variant.type });
  if (typeof event === "string") return [{ type: "unknown", raw: update, reason: event }];
  return [withExtra(variant.finish?.(event, update) ?? event, variant, update)];
}

function variantOf(variants: Variants, name: unknown): Variant | undefined {
  return typeof name === "string" && Object.hasOwn(variants, name) ? variants[name] : undefined;
}

/** Written out, since nearly all updates are these. */
function chunk(type: MessageChunk["type"], update: Wire): SessionEvent {
  const content = contentBlock(update.content);
  if (content === undefined) return { type: "unknown", raw: update, reason: "content is no content block" };
  const { messageId, _meta } = update;
  const event = typeof messageId === "string" ? { type, messageId, content } : { type, content };
  return withExtra(isObject(_meta) ? { ...event, _meta } : event, CHUNK, update);
}

/** The event with the members of its update that nobody here knows and it does not hold, as they came (V1-LEN-08). */
function withExtra(event: SessionEvent, { needs, sound = NONE, may = NONE }: Shape, update: Wire): SessionEvent {
  let extra: { [key: string]: unknown } | undefined;
  for (const key in update) {
    if (key === "sessionUpdate" || Object.hasOwn(needs, key) || Object.hasOwn(event, key)) continue;
    if (Object.hasOwn(may, key) || Object.hasOwn(sound, key)) continue;
    // A null prototype: a member may be called `__proto__`.
    extra ??= Object.create(null) as { [key: string]: unknown };
    extra[key] = update[key];
  }
  return extra === undefined ? event : { ...event, extra };
}

/** Money spent; `undefined` where it does not read. */
export function cost(value: unknown): Cost | undefined {
  if (!isObject(value)) return undefined;
  return typeof value.amount === "number" && typeof value.currency === "string" ? (value as Cost) : undefined;
}
