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

  const sent: SessionEvent = { type: "prompt_sent", promptId: "p", content: [] };
  const snapshot: SessionEvent = { type: "state_update", state: "idle", stopReason: "end_turn" };

  it("V2-PRM-17: a repeated report is no second end", () => {
    const once = fold(running, idle);
    const again = reduceAll(once, [idle, { ...idle, stopReason: "end_turn" }]);
    expect(again.lastTurn).toBe(once.lastTurn);
  });

  it("defect P17: the end of each turn is a new one, even if it equals the end before", () => {
    const report = fold(running, idle);
    expect(reduceAll(report, [running, idle]).lastTurn).not.toBe(report.lastTurn);
    const answer = fold(started, ended);
    expect(reduceAll(answer, [ended]).lastTurn).toBe(answer.lastTurn);
    expect(reduceAll(answer, [started, ended]).lastTurn).not.toBe(answer.lastTurn);
  });

  it("V2-PRM-19: an idle report ends a prompt whose work was never reported", () => {
    expect(fold(sent, snapshot).lastTurn).toEqual({ stopReason: "end_turn" });
    expect(fold(snapshot).lastTurn).toBeUndefined();
  });

  it("V2-SES-10, V2-SES-11: what a restore reports ends nothing", () => {
    const replayed = fold(running, { type: "replay_started" }, snapshot, { type: "replay_ended" });
    expect(replayed).toMatchObject({ activity: { state: "idle", stopReason: "end_turn" }, replaying: false });
    expect(replayed.lastTurn).toBeUndefined();
    const kept = fold(
      sent,
      running,
      { type: "replay_started", keeps: true },
      snapshot,
      { type: "replay_ended" },
      running,
    );
    expect([kept.timeline.length, kept.lastTurn]).toEqual([1, undefined]);
    expect(reduceAll(kept, [snapshot]).lastTurn).toEqual({ stopReason: "end_turn" });
  });

  it("V2-SES-04: the answer to a restore brings the lists anew", () => {
    const commands = [{ type: "command", name: "a", description: "A" }] as const;
    const restored = fold(
      { type: "session_opened", sessionId: "s" },
      { type: "available_commands_update", availableCommands: [] },
      { type: "replay_started", keeps: true },
      { type: "session_opened", sessionId: "s", availableCommands: commands },
    );
    expect(restored.availableCommands).toEqual(commands);
  });

  it("V2-SEED-08: an answer that tells an end which was reported adds nothing", () => {
    const reported = fold(sent, running, idle);
    const answered = reduceAll(reported, [ended]);
    expect(answered.lastTurn).toBe(reported.lastTurn);
    expect(answered.activity).toBe(reported.activity);
  });

  it("V2-PRM-20, V2-PRM-21: a state that nobody knows ends nothing and is not the one before", () => {
    const lost = fold(running, { type: "cancel_asked" }, { type: "state_update", state: "unknown" as never });
    expect(lost).toMatchObject({ activity: { state: "unknown", lastKnown: "running" }, cancelling: true });
    expect(lost.lastTurn).toBeUndefined();
    const odd = reduceAll(lost, [{ type: "state_update", state: "_dreaming" as never, stopReason: "refusal" }]);
    expect(odd.activity).toEqual({ state: "_dreaming", lastKnown: "running", origin: "reported" });
    expect(reduceAll(odd, [idle]).lastTurn).toEqual({ stopReason: "refusal" });
  });

  it("V2-BG-06: the latest report counts, and a state that nobody knows reports no background", () => {
    const background = [{ type: "terminal", terminalId: "t" }] as const;
    const listed = fold({ type: "state_update", state: "running", background });
    expect(listed.activity.background).toEqual(background);
    expect(reduceAll(listed, [idle]).activity.background).toBeUndefined();
    const odd = { type: "state_update", state: "_dreaming" as never, background } as const;
    expect(reduceAll(listed, [odd]).activity.background).toBeUndefined();
  });

  it("V2-PRM-22: what the work cost is told with its end", () => {
    const usage = { totalTokens: 3, inputTokens: 1, outputTokens: 2 };
    const state = fold(running, { type: "state_update", state: "idle", stopReason: "end_turn", usage });
    expect([state.activity.usage, state.lastTurn?.usage]).toEqual([usage, usage]);
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
