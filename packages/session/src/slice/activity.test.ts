import { describe, expect, it } from "vitest";
import { createSessionState } from "../create-session-state.js";
import type { SessionEvent } from "../event.js";
import { reduceAll } from "../reduce.js";
import type { SessionState } from "../state.js";

const fold = (...events: readonly SessionEvent[]): SessionState => reduceAll(createSessionState(), events);
const started: SessionEvent = { type: "turn_started", promptId: "p" };
const ended: SessionEvent = { type: "turn_ended", promptId: "p", stopReason: "end_turn" };
const running: SessionEvent = { type: "state_update", state: "running" };
const idle: SessionEvent = { type: "state_update", state: "idle", stopReason: "refusal" };

describe("what the session is doing", () => {
  it("V2-SEED-07: is concluded from open prompts while nothing is reported", () => {
    expect(fold(started).activity).toEqual({ state: "running", origin: "request" });
    expect(fold(started, ended).activity).toEqual({ state: "idle", origin: "request", stopReason: "end_turn" });
    expect(fold(started, ended).lastTurn).toEqual({ promptId: "p", stopReason: "end_turn" });
    expect(fold(started, { type: "turn_started", promptId: "q" }, ended).activity.state).toBe("running");
  });

  it("V2-SEED-07: an error ends a turn as error, or as cancelled after a cancel", () => {
    const failed: SessionEvent = { type: "turn_ended", promptId: "p", error: { code: -32800, message: "x" } };
    expect(fold(started, failed).lastTurn?.stopReason).toBe("error");
    expect(fold(started, { type: "cancel_asked" }, failed).lastTurn?.stopReason).toBe("cancelled");
  });

  it("V2-SEED-07: the first real report ends all conclusions", () => {
    expect(fold(running, ended).activity).toEqual({ state: "running", origin: "reported" });
    expect(fold(idle, started).activity).toEqual({ state: "idle", origin: "reported", stopReason: "refusal" });
    expect(fold(running, idle).lastTurn).toEqual({ stopReason: "refusal" });
  });

  it("V2-UPD-15: a report replaces the whole one before", () => {
    const background = [{ type: "terminal", terminalId: "t" }] as const;
    expect(fold({ type: "state_update", state: "idle", background }, running).activity.background).toBeUndefined();
    expect(fold({ type: "state_update", state: "idle", background: [] }).activity.background).toEqual([]);
  });

  it("is cancelling from the cancel to the end of the work", () => {
    expect(fold(started, { type: "cancel_asked" }).cancelling).toBe(true);
    expect(fold(started, { type: "cancel_asked" }, ended).cancelling).toBe(false);
    expect(fold(running, { type: "cancel_asked" }, idle).cancelling).toBe(false);
    expect(fold({ type: "cancel_asked" }).cancelling).toBe(false);
  });

  it("ends with the session, and nobody waits for an answer any more", () => {
    const state = fold(
      started,
      { type: "permission_asked", requestId: "r", title: "T", options: [] },
      { type: "session_closed" },
    );
    expect(state).toMatchObject({ closed: true, activity: { state: "idle" }, pendingPermissions: [] });
  });
});
