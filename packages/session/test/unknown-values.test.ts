import { describe, expect, it } from "vitest";
import { createSessionState, decodeV2, reduceAll, type SessionEvent } from "../src/index.js";

/** Returns the state after updates of a version 2 agent. */
const fold = (...said: readonly object[]) =>
  reduceAll(
    createSessionState(),
    said.flatMap((update) => decodeV2(update) as readonly SessionEvent[]),
  );
const call = (members: object) => ({ sessionUpdate: "tool_call_update", toolCallId: "t", ...members });
const terminal = (members: object) => ({ sessionUpdate: "terminal_update", terminalId: "x", ...members });

describe("tool calls of version 2", () => {
  it.each([
    ["V2-TOOL-04: pending", "pending", false],
    ["V2-TOOL-04: in_progress", "in_progress", false],
    ["V2-TOOL-04: paused", "paused", false],
    ["V2-TOOL-04: a status of the future", "frozen", false],
    ["V2-TOOL-04: completed", "completed", true],
    ["V2-TOOL-04: failed", "failed", true],
    ["V2-TOOL-04: cancelled", "cancelled", true],
  ])("%s is final or goes on", (_, status, final) => {
    const entry = reduceAll(fold(call({ status })), [{ type: "cancel_asked" }]).timeline.at(0);
    expect(entry).toMatchObject({ status: final ? status : "cancelled" });
    expect(entry?.type === "tool_call" && entry.cancelledLocally !== undefined).toBe(!final);
    // What went on may go on again and again; what was final may not without a note.
    expect(fold(call({ status }), call({ status: "in_progress" })).anomalies.length > 0).toBe(final);
  });

  it("V2-TOOL-03: keep the value of a kind that nobody here knows", () => {
    expect(fold(call({ kind: "browse" })).timeline.at(0)).toMatchObject({ kind: "browse" });
    expect(fold(call({})).timeline.at(0)).toMatchObject({ kind: "other" });
  });
});

describe("the end of a terminal's process (V2-TERM-07)", () => {
  it.each([
    ["a code", { exitCode: -1 }, { exitCode: -1 }],
    ["a signal", { signal: "SIGTERM" }, { signal: "SIGTERM" }],
    ["an end of which no more is told", {}, {}],
    ["malformed members, which are none", { exitCode: "1", signal: 9 }, {}],
  ])("%s", (_, exitStatus, seen) => {
    expect(fold(terminal({ exitStatus })).terminals.at(0)?.exitStatus).toEqual(seen);
  });

  it("null takes it back, garbage does not", () => {
    const ended = terminal({ exitStatus: { exitCode: 1 } });
    expect(fold(ended, terminal({ exitStatus: null })).terminals.at(0)?.exitStatus).toBeUndefined();
    expect(fold(ended, terminal({ exitStatus: 0 })).terminals.at(0)?.exitStatus).toEqual({ exitCode: 1 });
  });
});

it("V2-BG-03: background work that nobody here knows is work", () => {
  const cron = { type: "cron", at: "03:00" };
  const state = fold({ sessionUpdate: "state_update", state: "idle", background: [cron] });
  expect(state.activity.background).toEqual([cron]);
});
