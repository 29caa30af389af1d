import { describe, expect, it } from "vitest";
import { createSessionState } from "../src/create-session-state.js";
import type { CompactionEntry } from "../src/entry.js";
import type { SessionEvent } from "../src/event.js";
import { reduceAll } from "../src/reduce.js";
import { joinedText } from "../src/select.js";

const update = (status: string, members: object = {}): SessionEvent =>
  ({ type: "compaction_update", compactionId: "c", status, ...members }) as SessionEvent;
const chunk = (text: string): SessionEvent => ({
  type: "compaction_summary_chunk",
  compactionId: "c",
  content: { type: "text", text },
});
const fold = (...events: readonly SessionEvent[]): CompactionEntry =>
  reduceAll(createSessionState(), events).timeline.get("compaction:c") as CompactionEntry;

describe("a compaction", () => {
  it("V1-UPD-39: grows by chunks, which may come first", () => {
    const entry = fold(chunk("a"), chunk("b"));
    expect([entry.status, joinedText(entry.summary)]).toEqual(["in_progress", "ab"]);
  });

  it("V1-UPD-38: is patched in place: left out stays, null clears, a value replaces", () => {
    const failed = fold(update("in_progress"), chunk("a"), update("failed", { error: "no room" }));
    expect([failed.status, failed.error, joinedText(failed.summary)]).toEqual(["failed", "no room", "a"]);
    const cleared = fold(chunk("a"), update("completed", { summary: null, error: null }));
    expect([cleared.error, cleared.summary.length]).toEqual([undefined, 0]);
    const replaced = fold(chunk("a"), update("completed", { summary: [{ type: "text", text: "S" }] }), chunk("!"));
    expect(joinedText(replaced.summary)).toBe("S!");
  });

  it("V1-UPD-41: keeps an unknown status", () => {
    expect(fold(update("postponed")).status).toBe("postponed");
  });
});

describe("what is no conversation", () => {
  it("V1-UPD-35: equal notices are separate, and an error among them changes nothing else", () => {
    const notice = { type: "notice", severity: "error", title: "Offline", at: 5 } as const;
    const state = reduceAll(createSessionState(), [notice, notice]);
    expect([...state.timeline].map(({ key }) => key)).toEqual(["notice:#1", "notice:#2"]);
    expect(state.timeline.at(0)).toMatchObject({ severity: "error", title: "Offline", at: 5 });
    expect(state.activity.state).toBe("idle");
  });

  it("V2-UPD-06: an unknown update is kept as it came, where it came", () => {
    const raw = { sessionUpdate: "hologram", beam: [1] };
    const state = reduceAll(createSessionState(), [{ type: "unknown", raw, reason: "what?" }]);
    expect(state.timeline.at(0)).toMatchObject({ type: "unknown", raw, reason: "what?" });
    expect((state.timeline.at(0) as { raw: unknown }).raw).toBe(raw);
  });

  it("an event of a type that nobody knows is kept too", () => {
    const state = reduceAll(createSessionState(), [{ type: "later", x: 1 } as never]);
    expect(state.timeline.at(0)).toMatchObject({ type: "unknown", raw: { type: "later", x: 1 } });
  });
});
