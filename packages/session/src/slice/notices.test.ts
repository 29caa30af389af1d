import { describe, expect, it } from "vitest";
import { createSessionState } from "../create-session-state.js";
import { reduceAll } from "../reduce.js";

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
