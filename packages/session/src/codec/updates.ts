import type { TokenUsage } from "../activity.js";
import type { SessionEvent, WireEvent } from "../event.js";
import { DEFAULT_PLAN_ID, type Plan } from "../plan.js";
import type { Cost } from "../settings.js";
import type { StatesAround } from "./codec.js";
import { contentBlock } from "./content.js";
import { isObject, meta, number, text, type Wire } from "./read.js";
import {
  integer,
  listOf,
  type Members,
  own,
  passedOver,
  readShape,
  record,
  type Shape,
  shape,
  tagged,
} from "./shape.js";

/** Kind of update, with the members of its event and their initial values. */
export type UpdateKind = readonly [members: Shape, start?: object];

/** Kinds of updates of a dialect, by the name in `sessionUpdate`. */
export type UpdateKinds = { readonly [sessionUpdate: string]: UpdateKind };

/** Returns a kind of update. The event has the name of the kind, unless `start` has another `type`. */
/* @__NO_SIDE_EFFECTS__ */
export function kind(members: Members, start?: object): UpdateKind {
  return [shape(members), start];
}

/** Reader of the content blocks of a message or a summary. */
export const contentBlocks = /* @__PURE__ */ listOf(contentBlock);

/** Reader of an amount of money. The result is `undefined` if the amount cannot be read. */
export const cost = /* @__PURE__ */ record<Cost>({ required: { amount: number, currency: text } });

const entries = /* @__PURE__ */ listOf(
  /* @__PURE__ */ record({ required: { content: text, priority: text, status: text } }),
);
const planById = /* @__PURE__ */ record({ required: { planId: text }, olderNames: { planId: "id" } });
const plan = /* @__PURE__ */ tagged({
  items: /* @__PURE__ */ record({ required: { entries } }),
  file: /* @__PURE__ */ record({ required: { uri: text } }),
  markdown: /* @__PURE__ */ record({ required: { content: text }, optional: { path: text } }),
});

/** Reads the single plan of version 1. */
function onlyPlan(_: unknown, wire: Wire = {}): Plan | undefined {
  if (wire.entries === undefined) return undefined;
  return { planId: DEFAULT_PLAN_ID, type: "items", entries: entries(wire.entries) ?? [] } as Plan;
}

const chunk = /* @__PURE__ */ kind({ required: { content: contentBlock }, optional: { messageId: text } });

/** Kinds whose updates have the same form in all dialects. */
const COMMON: UpdateKinds = {
  user_message_chunk: chunk,
  agent_message_chunk: chunk,
  agent_thought_chunk: chunk,
  plan: /* @__PURE__ */ kind(
    { required: { plan: onlyPlan }, optional: { entries: passedOver } },
    { type: "plan_update" },
  ),
  plan_update: /* @__PURE__ */ kind({ required: { plan: (value) => planById(plan(value)) } }),
  plan_removed: /* @__PURE__ */ kind({ required: { planId: text }, olderNames: { planId: "id" } }),
  current_mode_update: /* @__PURE__ */ kind({ required: { currentModeId: text } }),
  session_info_update: /* @__PURE__ */ kind({ nullable: { title: text, updatedAt: text, _meta: meta } }),
  notice: /* @__PURE__ */ kind({
    required: { severity: text, title: (value) => text(value) || undefined },
    optional: { description: text },
  }),
  compaction_summary_chunk: /* @__PURE__ */ kind({ required: { compactionId: text, content: contentBlock } }),
};

/** Events for a value with a member that throws when it is read. Such a value is not JSON. */
export const unreadable: readonly SessionEvent[] = [
  { type: "unknown", raw: undefined, reason: "an update could not be read" },
];

/** Reads one update with a table of kinds. An update of an unknown kind is kept unchanged in an `unknown` event. */
export function decodeBy(kinds: UpdateKinds, update: unknown): readonly SessionEvent[] {
  try {
    return decodeObject(kinds, update);
  } catch {
    return unreadable;
  }
}

function decodeObject(kinds: UpdateKinds, update: unknown): readonly SessionEvent[] {
  if (!isObject(update)) return unread(update, "an update has to be an object");
  const { sessionUpdate: type } = update;
  const known = own(COMMON, type) ?? own(kinds, type);
  if (known === undefined) return unread(update);
  const { 0: members, 1: start } = known;
  const event =
    known === chunk
      ? readChunk(type, update)
      : readShape<SessionEvent>(members, update, start ? { type, ...start } : { type });
  return typeof event === "string" ? unread(update, event) : [withExtra(event, members, update)];
}

/**
 * Reads a piece of a message. Nearly all updates are such pieces. Reading them with a shape would take three times as
 * long.
 */
function readChunk(type: unknown, { content, messageId, _meta }: Wire): SessionEvent | string {
  const block = contentBlock(content);
  if (block === undefined) return "content cannot be read";
  const event = typeof messageId === "string" ? { type, messageId, content: block } : { type, content: block };
  return (isObject(_meta) ? { ...event, _meta } : event) as SessionEvent;
}

const unread = (raw: unknown, reason?: string): readonly SessionEvent[] => [
  reason === undefined ? { type: "unknown", raw } : { type: "unknown", raw, reason },
];

/** Returns the event with the unknown members of its update. */
// V1-LEN-08
function withExtra(event: SessionEvent, members: Shape, update: Wire): SessionEvent {
  let extra: { [key: string]: unknown } | undefined;
  for (const key in update) {
    if (key === "sessionUpdate" || Object.hasOwn(event, key)) continue;
    if (members().some(({ name, olderName }) => key === name || key === olderName)) continue;
    // The prototype is null, because a member may have the name `__proto__`.
    extra ??= Object.create(null) as { [key: string]: unknown };
    extra[key] = update[key];
  }
  return extra === undefined ? event : { ...event, extra };
}

/** Reader of used tokens. Details that cannot be read are left out. */
export const tokenUsage = /* @__PURE__ */ record<TokenUsage>({
  required: {
    totalTokens: /* @__PURE__ */ integer(0),
    inputTokens: /* @__PURE__ */ integer(0),
    outputTokens: /* @__PURE__ */ integer(0),
  },
  optional: {
    thoughtTokens: /* @__PURE__ */ integer(0),
    cachedReadTokens: /* @__PURE__ */ integer(0),
    cachedWriteTokens: /* @__PURE__ */ integer(0),
  },
});

/** Returns an update of a compaction with its status. Readers of older drafts refuse an update without a status. */
// P-COMP-02
export function withStatus(event: WireEvent, { after }: StatesAround): WireEvent {
  if (event.type !== "compaction_update" || event.status != null) return event;
  const entry = after.timeline.get(`compaction:${event.compactionId}`);
  return { ...event, status: entry?.type === "compaction" ? entry.status : "in_progress" };
}
