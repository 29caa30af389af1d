import { describe, expect, it } from "vitest";
import { stateBytes } from "../test/state-bytes.js";
import { v1Codec } from "./codec/dialects.js";
import { createSessionState } from "./create-session-state.js";
import type { SessionEvent } from "./event.js";
import { replacingMetadata } from "./metadata.js";
import { reduce } from "./reduce.js";
import type { SessionState } from "./state.js";
import { createSessionStore } from "./store.js";

type Meta = { readonly [key: string]: unknown } | null | undefined;
const first = { a: 1, b: { c: 1 } };

/** Items with metadata: the event that patches it, and the place where it shows. */
const holders: readonly (readonly [string, (_meta: Meta) => object, (state: SessionState) => unknown])[] = [
  ["the session", (_meta) => ({ type: "session_info_update", _meta }), (state) => state._meta],
  ["a message", (_meta) => ({ type: "agent_message", messageId: "m", _meta }), inTimeline],
  ["a thought", (_meta) => ({ type: "agent_thought", messageId: "m", _meta }), inTimeline],
  ["a user's message", (_meta) => ({ type: "user_message", messageId: "m", _meta }), inTimeline],
  ["a tool call", (_meta) => ({ type: "tool_call_update", toolCallId: "t", _meta }), inTimeline],
  ["a tool call in a question", (_meta) => asked({ toolCallId: "t", _meta }), inTimeline],
  ["a compaction", (_meta) => ({ type: "compaction_update", compactionId: "c", status: "failed", _meta }), inTimeline],
  ["a message between sessions", (_meta) => ({ type: "session_message", messageId: "m", _meta }), inTimeline],
  ["a terminal", (_meta) => ({ type: "terminal_update", terminalId: "t", _meta }), (s) => s.terminals.at(0)?._meta],
  ["a child session", (_meta) => ({ type: "subagent_update", sessionId: "c", _meta }), (s) => s.subagents.at(0)?._meta],
];

function inTimeline({ timeline }: SessionState): unknown {
  return (timeline.at(0) as { readonly _meta?: unknown })._meta;
}
function asked(toolCall: object): object {
  return {
    type: "permission_asked",
    requestId: "r",
    title: "T",
    subject: { type: "tool_call", toolCall },
    options: [],
  };
}

describe("metadata that comes again", () => {
  it.each(holders)("V2-SEED-10: of %s is patched by key, or replaced where that is asked for", (_, event, read) => {
    const after = (metaMode: "patch" | "replace", ...metas: readonly Meta[]): unknown => {
      const store = createSessionStore(createSessionState(), { metaMode });
      for (const meta of [first, ...metas]) store.dispatch(event(meta) as SessionEvent);
      return read(store.getState());
    };
    expect(after("patch", { b: 2 })).toEqual({ a: 1, b: 2 });
    expect(after("replace", { b: 2 })).toEqual({ b: 2 });
    expect(after("replace", { d: 1 }, { a: 3 })).toEqual({ a: 3 });
    for (const mode of ["patch", "replace"] as const) {
      expect(after(mode, undefined)).toEqual(first);
      expect(after(mode, null)).toBeUndefined();
    }
    expect(after("replace", {})).toBeUndefined();
  });

  it.each(holders)("of %s keeps 1 000 keys, and new ones are left out with a note", (_, event, read) => {
    const keyed = (first: number, last: number): Meta =>
      Object.fromEntries(Array.from({ length: last - first }, (_, index) => [`k${first + index}`, index]));
    const held = (metas: readonly Meta[]): SessionState => {
      let state = createSessionState();
      for (const meta of metas) state = reduce(state, event(meta) as SessionEvent);
      return state;
    };
    const notes = ({ anomalies }: SessionState): readonly string[] => anomalies.map(({ what }) => what);
    const whole = held([keyed(0, 1_002)]);
    const full = held([keyed(0, 600), keyed(600, 1_002)]);
    for (const state of [whole, full]) {
      expect(Object.keys(read(state) as object).at(-1)).toBe("k999");
      expect(Object.keys(read(state) as object)).toHaveLength(1_000);
      expect(notes(state)).toContain("metadata has too many keys to keep all");
    }
    expect(notes(held([keyed(0, 1_000)]))).toEqual([]);
    const changed = reduce(full, event({ k0: "new", k1: null, other: 1 }) as SessionEvent);
    expect(read(changed)).toMatchObject({ k0: "new", other: 1 });
    expect(Object.keys(read(changed) as object)).toHaveLength(1_000);
  });

  it.each(holders)("of %s is counted by what a patch changes", (_, event, read) => {
    let reads = 0;
    const large = {
      get text() {
        reads += 1;
        return "x";
      },
    };
    let state = reduce(createSessionState(), event({ large }) as SessionEvent);
    const least = reads;
    for (let time = 0; time < 50; time++) state = reduce(state, event({ [`k${time}`]: `${time}` }) as SessionEvent);
    expect(reads - least).toBeLessThan(5);
    expect(Object.keys(read(state) as object)).toHaveLength(51);
    expect(state.bytes).toBe(stateBytes(state));
  });

  it("V1-UPD-19: of a version 1 tool call counts only where it is an object, and then replaces what was there", () => {
    const fold = (...metas: readonly unknown[]): unknown => {
      let state = createSessionState();
      for (const _meta of metas) {
        for (const event of v1Codec.decode({ sessionUpdate: "tool_call_update", toolCallId: "t", _meta })) {
          state = reduce(state, replacingMetadata(state, event));
        }
      }
      return inTimeline(state);
    };
    for (const none of [undefined, null, 7, "x", [], true]) expect(fold(first, none)).toEqual(first);
    expect(fold(first, { b: 2 })).toEqual({ b: 2 });
    expect(fold(first, {})).toBeUndefined();
  });

  it("is the very event where nothing goes", () => {
    const event: SessionEvent = { type: "tool_call_update", toolCallId: "t", _meta: { a: 1 } };
    const state = reduce(createSessionState(), event);
    expect(replacingMetadata(state, event)).toBe(event);
    expect(replacingMetadata(state, { type: "cancel_asked" })).toEqual({ type: "cancel_asked" });
  });
});
