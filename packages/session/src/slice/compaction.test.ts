import { describe, expect, it } from "vitest";
import { createSessionState } from "../create-session-state.js";
import type { CompactionEntry } from "../entry.js";
import type { SessionEvent } from "../event.js";
import { reduceAll } from "../reduce.js";
import { joinedText } from "../select.js";

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
