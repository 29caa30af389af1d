import { describe, expect, it } from "vitest";
import { createSessionState } from "../create-session-state.js";
import type { SessionEvent, TerminalPatch } from "../event.js";
import { reduceAll } from "../reduce.js";
import type { SessionState, TerminalState } from "../state.js";

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64");
const chunk = (bytes: Uint8Array | string): SessionEvent => ({
  type: "terminal_output_chunk",
  terminalId: "t",
  data: base64(bytes),
});
const update = (patch: Omit<TerminalPatch, "type" | "terminalId">): SessionEvent => ({
  type: "terminal_update",
  terminalId: "t",
  ...patch,
});
const fold = (events: readonly SessionEvent[], terminalBytes = 1000): SessionState =>
  reduceAll(createSessionState({ terminalBytes }), events);
const terminal = (state: SessionState): TerminalState => state.terminals.get("t") as TerminalState;

describe("a terminal", () => {
  it("V2-TERM-06: reads characters that are cut by chunk borders", () => {
    const bytes = new TextEncoder().encode("añ😀z");
    const state = fold([...bytes].map((byte) => chunk(Uint8Array.of(byte))));
    expect(terminal(state).text).toBe("añ😀z");
    const half = terminal(fold([chunk(bytes.subarray(0, 5))]));
    expect([half.text, half.pendingBytes]).toEqual(["añ", [0xf0, 0x9f]]);
  });

  it("V2-TERM-04: a snapshot replaces everything, also a character that is not whole", () => {
    const state = fold([chunk("old\xf0"), update({ output: { data: base64("new") } }), chunk("er")]);
    expect(terminal(state)).toMatchObject({ text: "newer", textBytes: 5, droppedBytes: 0, pendingBytes: [] });
    expect(terminal(fold([chunk("old"), update({ output: null })])).text).toBe("");
  });

  it("V2-TERM-03: keeps what is left out and clears what is null", () => {
    const state = fold([update({ command: "make", cwd: "/a", exitStatus: {} }), update({ cwd: null })]);
    expect(terminal(state)).toMatchObject({ command: "make", exitStatus: {} });
    expect(terminal(state).cwd).toBeUndefined();
  });

  it("V2-TERM-09: output that is not base64 is left out and noted", () => {
    const state = fold([chunk("a"), { type: "terminal_output_chunk", terminalId: "t", data: "?" }, chunk("b")]);
    expect(terminal(state).text).toBe("ab");
    expect(state.anomalies).toEqual([{ what: "terminal output is not base64", about: "t" }]);
  });

  it("V2-TERM-09: a terminal whose last output does not read has exited all the same", () => {
    const state = fold([chunk("a"), update({ output: { data: "?" }, exitStatus: { exitCode: 1 }, command: "make" })]);
    expect(terminal(state)).toMatchObject({ text: "a", exitStatus: { exitCode: 1 }, command: "make" });
    expect(state.anomalies).toEqual([{ what: "terminal output is not base64", about: "t" }]);
  });

  it("V2-TERM-10: keeps the newest text, cut between characters, and counts what it dropped", () => {
    const state = fold(
      Array.from({ length: 100 }, () => chunk("é😀")),
      50,
    );
    const { text, textBytes, droppedBytes } = terminal(state);
    expect(textBytes).toBeLessThanOrEqual(50);
    expect(textBytes).toBeGreaterThan(25);
    expect(new TextEncoder().encode(text).length).toBe(textBytes);
    expect(textBytes + droppedBytes).toBe(600);
    expect("é😀".repeat(100).endsWith(text)).toBe(true);
  });

  it("does not take more room for many terminals than for a thousand", () => {
    const many = Array.from({ length: 3000 }, (_, index) => ({ ...update({ command: "x" }), terminalId: `t${index}` }));
    const state = fold(many as SessionEvent[]);
    expect(state.terminals.length).toBeLessThanOrEqual(1000);
    expect(state.terminals.has("t2999")).toBe(true);
  });
});
