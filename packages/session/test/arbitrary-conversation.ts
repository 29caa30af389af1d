import fc from "fast-check";
import type { DialectName } from "../src/codec/losses.js";
import type { SessionEvent } from "../src/event.js";
import type { StateLimits } from "../src/state.js";
import { brokenEvent, soundEvent, wireEvent } from "./arbitrary-event.js";

/** Next step of a session: an update of the wire, or an event of this side. All of it is JSON. */
export type Step = { readonly update: unknown } | { readonly event: SessionEvent };

/** A random conversation, and random numbers by which the laws choose where to look and where to cut. */
export type Conversation = {
  readonly dialect: DialectName;
  readonly steps: readonly Step[];
  readonly limits: Partial<StateLimits> | undefined;
  readonly picks: readonly [number, number, number];
  /** Bytes that a terminal says. */
  readonly bytes: Uint8Array;
  /** Any JavaScript values in the place of an event or an update. */
  readonly strange: readonly unknown[];
};

const id = fc.constantFrom("a", "b", "c");
const text = fc.string({ maxLength: 12 });
const block = text.map((said) => ({ type: "text", text: said }));
const status = fc.constantFrom("pending", "in_progress", "completed", "failed", "_odd");
const content = fc.array(
  fc.oneof(
    block.map((inner) => ({ type: "content", content: inner })),
    fc.record({ type: fc.constant("diff"), path: id, oldText: fc.option(text), newText: text }),
    id.map((terminalId) => ({ type: "terminal", terminalId })),
  ),
  { maxLength: 2 },
);
const members = { toolCallId: id, title: text, status, content, rawInput: fc.jsonValue({ maxDepth: 1 }) };
const entries = fc.array(fc.record({ content: text, priority: fc.constant("high"), status }), { maxLength: 2 });
type Members = { readonly [name: string]: fc.Arbitrary<unknown> };
const received = (kind: string, more: Members, needed: readonly string[] = []) =>
  fc.record<{ [name: string]: unknown }>(
    { sessionUpdate: fc.constant(kind), ...more },
    { requiredKeys: ["sessionUpdate", ...needed] },
  );

/** Updates in the words of version 1. */
const v1Update = fc.oneof(
  ...["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"].map((kind) =>
    received(kind, { content: block, messageId: fc.option(id) }, ["content"]),
  ),
  received("tool_call", members, ["toolCallId", "title"]),
  received("tool_call_update", members, ["toolCallId"]),
  received("plan", { entries }, ["entries"]),
  received("current_mode_update", { currentModeId: id }),
  received("session_info_update", { title: fc.option(text), updatedAt: fc.option(id) }),
  received("usage_update", { used: fc.nat(), size: fc.nat() }),
);
/** Updates in the words of version 2 and its drafts. */
const v2Update = wireEvent.map(({ type, ...rest }) => ({ sessionUpdate: type, ...rest }));
const noise = fc.dictionary(
  fc.constantFrom("content", "messageId", "status", "plan", "_meta", "state"),
  fc.jsonValue(),
);
const strangeUpdate = fc.oneof(
  fc.jsonValue(),
  fc.record({
    sessionUpdate: fc.constantFrom("hologram", "_mine", "constructor"),
    beam: fc.jsonValue({ maxDepth: 1 }),
  }),
  fc.tuple(v1Update, noise).map(([update, more]) => ({ ...update, ...more })),
);
const update = fc.oneof(
  { weight: 3, arbitrary: v1Update },
  { weight: 2, arbitrary: v2Update },
  { weight: 1, arbitrary: strangeUpdate },
);
const event = fc.oneof({ weight: 8, arbitrary: soundEvent }, { weight: 1, arbitrary: brokenEvent });

const step: fc.Arbitrary<Step> = fc
  .oneof(
    { weight: 3, arbitrary: event.map((one) => ({ event: one })) },
    { weight: 2, arbitrary: update.map((one) => ({ update: one })) },
  )
  .map((one) => JSON.parse(JSON.stringify(one)));

const anyBytes = fc.uint8Array({ maxLength: 30 });
const bytes = fc.oneof(
  anyBytes,
  fc.string({ unit: "grapheme", maxLength: 20 }).map((said) => new TextEncoder().encode(said)),
);

/** Any conversation, most of them of some 15 steps. */
export const conversation: fc.Arbitrary<Conversation> = fc.record({
  dialect: fc.constantFrom<DialectName>("v1", "v2", "seed"),
  steps: fc.array(step, { maxLength: 30, size: "max" }),
  limits: fc.oneof(
    fc.constant(undefined),
    fc.record({
      stateBytes: fc.integer({ min: 0, max: 6000 }),
      entryBytes: fc.integer({ min: 0, max: 2000 }),
      terminalBytes: fc.integer({ min: 0, max: 40 }),
    }),
  ),
  picks: fc.tuple(fc.nat(), fc.nat(), fc.nat()),
  bytes,
  strange: fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.anything(), { maxLength: 4 }) },
  ),
});
