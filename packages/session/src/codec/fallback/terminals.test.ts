import { describe, expect, it } from "vitest";
import { createSessionState } from "../../create-session-state.js";
import { reduceAll } from "../../reduce.js";
import type { TerminalState } from "../../state.js";
import { TAIL, terminalText } from "./terminals.js";

function terminal(output: string, members: object = {}): TerminalState {
  const data = Buffer.from(output).toString("base64");
  const state = reduceAll(createSessionState(), [
    { type: "terminal_update", terminalId: "t", output: { data }, ...members },
  ]);
  return state.terminals.at(0) as TerminalState;
}

describe("a terminal as text", () => {
  const table: readonly (readonly [string, TerminalState, string])[] = [
    ["is empty while there is nothing to see", terminal(""), ""],
    ["begins with its command", terminal("ok\n", { command: "make" }), "$ make\nok\n"],
    ["V2-TERM-10: has no colours", terminal("\u001b[1;31mred\u001b[0m\u001b(B"), "red"],
    ["V2-TERM-10: sets no titles and no clipboard", terminal("a\u001b]52;c;aGk=\u0007b\u001b]0;t\u001b\\c"), "abc"],
    ["V2-TERM-10: lets no unfinished sequence through", terminal("a\u001b]52;c;aGk"), "a"],
    ["V2-TERM-10: ends an unfinished title at the next sequence", terminal("a\u001b]0;t\u001b[1mb"), "ab"],
    [
      "V2-TERM-10: has no control characters beside line ends and tabs",
      terminal("a\tb\u0007\u0000\u009b31mc"),
      "a\tbc",
    ],
    ["shows what was written last of a line", terminal("10%\r50%\r\n100%\rdone\n"), "50%\ndone\n"],
    ["V2-TERM-07: says how it ended", terminal("x", { exitStatus: { exitCode: -1 } }), "x\n[exit code -1]"],
    ["V2-TERM-07: or by what", terminal("x\n", { exitStatus: { signal: "SIGTERM" } }), "x\n[ended by SIGTERM]"],
    ["V2-TERM-07: or only that", terminal("", { exitStatus: {} }), "[ended]"],
  ];
  it.each(table)("%s", (_, state, text) => {
    expect(terminalText(state)).toBe(text);
  });

  it("V2-TERM-10: shows the newest part of much output, from a line's beginning", () => {
    const text = terminalText(terminal(`${"line\n".repeat(TAIL)}end`));
    expect(text.length).toBeLessThanOrEqual(TAIL + 2);
    expect(text).toMatch(/^…\nline\n(?:.|\n)*end$/);
  });

  it("V2-TERM-10: cuts a line without an end between characters", () => {
    expect(terminalText(terminal(`${"😀".repeat(TAIL)}x`))).toBe(`…\n${"😀".repeat(TAIL / 2 - 1)}x`);
  });
});
