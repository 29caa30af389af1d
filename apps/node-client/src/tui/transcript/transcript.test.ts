import { createSessionState, reduce, type SessionEvent } from "@turnkit/session";
import { describe, expect, it } from "vitest";
import { plainText } from "../../render/line.js";
import { Transcript } from "./transcript.js";

/** Makes a transcript that is updated after each event, as if every frame were drawn. */
function watch(width = 60, limits?: Parameters<typeof createSessionState>[0]) {
  const transcript = new Transcript({ width: () => width, directory: "/work" });
  let state = createSessionState(limits);
  const printed: string[] = [];
  return {
    printed,
    see(...events: readonly SessionEvent[]) {
      if (events.length === 0) {
        transcript.update(state);
        printed.push(...transcript.take().map(plainText));
      }
      for (const event of events) {
        state = reduce(state, event);
        transcript.update(state);
        printed.push(...transcript.take().map(plainText));
      }
      return { printed: [...printed], live: transcript.live().map(plainText) };
    },
    transcript,
  };
}

const text = (value: string) => ({ type: "text", text: value }) as const;
const sent: readonly SessionEvent[] = [
  { type: "prompt_sent", promptId: "p1", content: [text("Hi")] },
  { type: "turn_started", promptId: "p1" },
];
const says = (value: string): SessionEvent => ({ type: "agent_message_chunk", content: text(value) });
const thinks = (value: string): SessionEvent => ({ type: "agent_thought_chunk", content: text(value) });
const call = (patch: object): SessionEvent => ({ type: "tool_call_update", toolCallId: "c1", ...patch });
const ended: SessionEvent = { type: "turn_ended", promptId: "p1", stopReason: "end_turn" };

it("defect N71: a session that is opened shows that its last turn was interrupted, and a later connection shows it once", () => {
  const error = { code: -32603, message: "The turn was interrupted" };
  const interrupted: SessionEvent = { type: "turn_ended", promptId: "p1", stopReason: "error", error };
  const state = [...sent, says("One"), interrupted].reduce(
    (before, event) => reduce(before, event),
    createSessionState(),
  );
  const shown = (before?: typeof state) => {
    const transcript = new Transcript({ width: () => 60, directory: "/work" });
    if (before !== undefined) transcript.skip(state, before.lastTurn);
    const lines: string[] = [];
    do {
      transcript.update(state);
      lines.push(...transcript.take().map(plainText));
    } while (transcript.hasMore);
    return lines;
  };
  const end = "■ Failed: The turn was interrupted";
  expect(shown()).toEqual(["", "❯ Hi", "", "One", "", end]);
  expect(shown(createSessionState())).toEqual(["", end]);
  expect(shown(state)).toEqual([]);
});

describe("what is printed", () => {
  it("defect P21: is a subagent by its title", () => {
    const { see } = watch();
    const content = [{ type: "session", sessionId: "kid" }];
    const begun = call({ title: "Subagent", kind: "other", status: "completed", content });
    const { printed } = see({ type: "subagent_update", sessionId: "kid", title: "Find callers" }, ...sent, begun);
    expect(printed.at(-1)).toBe("  ◇ Find callers");
  });

  it("defect P22: is the beginning of a long prompt, and the name of an attached file", () => {
    const { see } = watch();
    const resource = { uri: "file:///work/large.txt", text: "row\n".repeat(3000) };
    const typed = Array.from({ length: 500 }, (_, n) => `line ${n}`).join("\n");
    const { printed } = see({
      ...{ type: "prompt_sent", promptId: "p1" },
      content: [{ type: "resource", resource }, text(typed)],
    });
    expect(printed).toHaveLength(22);
    expect(printed.slice(0, 3)).toEqual(["", "❯ [file:///work/large.txt]", "  line 0"]);
    expect(printed.at(-1)).toBe("  … 481 more lines (Ctrl-O shows them)");
  });

  it("defect P33: is a running call as interrupted when its agent has ended", () => {
    const { see } = watch();
    see(...sent, call({ title: "Build", kind: "execute", status: "in_progress" }));
    const { printed, live } = see({ type: "session_closed", reason: "killed" });
    expect(printed.at(-1)).toBe("⊘ execute Build  interrupted");
    expect(live).toEqual([]);
  });

  it("is each block once it is finished, and what still grows stays below", () => {
    const { see } = watch();
    expect(see(...sent, says("One\n\nTw"))).toEqual({ printed: ["", "❯ Hi", "", "One"], live: ["", "Tw"] });
    expect(see(says("o")).live).toEqual(["", "Two"]);
    expect(see(ended)).toEqual({ printed: ["", "❯ Hi", "", "One", "", "Two"], live: [] });
  });

  it("keeps the order of the timeline: what follows a running tool waits for it", () => {
    const { see } = watch();
    see(...sent, call({ title: "Build", kind: "execute", status: "in_progress" }));
    const during = see(says("Meanwhile\n\nmore"));
    expect(during.printed).toEqual(["", "❯ Hi"]);
    expect(during.live).toEqual(["", "◐ execute Build  in progress", "", "Meanwhile", "", "more"]);
    const other = {
      type: "tool_call_update",
      toolCallId: "c2",
      title: "Look",
      kind: "read",
      status: "completed",
    } as const;
    expect(see(other).printed).toEqual(["", "❯ Hi"]);
    expect(see(call({ status: "completed" })).printed).toEqual([
      "",
      "❯ Hi",
      "",
      "✓ execute Build",
      "",
      "Meanwhile",
      "",
      "more",
      "",
      "✓ read Look",
    ]);
  });

  it("is what still grows, as it stands, when nobody looks on any more", () => {
    const { see, transcript } = watch();
    see(...sent, says("One\n\nTw"), call({ title: "Build", kind: "execute", status: "in_progress" }), says("Half"));
    transcript.end();
    expect(see()).toEqual({
      printed: ["", "❯ Hi", "", "One", "", "Tw", "", "◐ execute Build  in progress", "", "Half"],
      live: [],
    });
  });

  it("folds a thought when something follows it", () => {
    const { see } = watch();
    expect(see(...sent, thinks("a\nb\nc\nd\ne")).live).toEqual(["", "✻ Thinking …", "  b", "  c", "  d", "  e"]);
    expect(see(says("So")).printed).toEqual(["", "❯ Hi", "", "✻ Thought about it: 5 lines (Ctrl-O shows them)"]);
  });

  it("is said again when it changes afterwards, once, when the agent rests", () => {
    const { see, printed } = watch();
    see(...sent, call({ title: "Build", kind: "execute", status: "completed" }), says("x\n\n"));
    see(call({ status: "failed" }), call({ content: [{ type: "content", content: text("late") }] }));
    expect(printed.join("\n")).not.toContain("changed");
    see(ended);
    see();
    expect(printed.slice(-4)).toEqual(["", "↻ This has changed since:", "✗ execute Build  failed", "  │ late"]);
  });

  it("of a message that comes after its turn is printed when it is whole", () => {
    const { see, printed } = watch();
    see(...sent, says("First."), ended);
    see();
    see(says("Sec"), says("ond."));
    see();
    expect(printed.slice(-4)).toEqual(["", "First.", "", "Second."]);
  });

  it("says how a turn ended where that is news", () => {
    const { see } = watch();
    see(...sent, says("x"), { type: "turn_ended", promptId: "p1", stopReason: "cancelled" });
    const { printed } = see();
    expect(printed.slice(-2)).toEqual(["", "■ Cancelled."]);
  });

  it.each([
    ["", undefined],
    [", also where the state keeps only the newest of it", { entryBytes: 20_000 }],
  ])("of a message in many pieces is each piece once%s", (_, limits) => {
    const { see } = watch(60, limits);
    see(...sent, ...Array.from({ length: 1500 }, (_, n) => says(`Piece ${n}.\n\n`)), ended);
    const { printed } = see();
    expect(printed.filter((line) => /Piece|chang/.test(line))).toEqual(
      Array.from({ length: 1500 }, (_, n) => `Piece ${n}.`),
    );
  });

  it("of a message that goes on after it was printed is what is new", () => {
    const { see } = watch();
    const piece = (n: number): SessionEvent => ({
      type: "agent_message_chunk",
      messageId: "m",
      content: text(`Piece ${n}.\n\n`),
    });
    const other: SessionEvent = { type: "agent_message", messageId: "n", content: [text("Between.")] };
    see(...sent, ...Array.from({ length: 50 }, (_, n) => piece(n)), other);
    see(...Array.from({ length: 50 }, (_, n) => piece(50 + n)), ended);
    see();
    const { printed } = see();
    expect(printed.filter((line) => /Piece|chang/.test(line))).toEqual(
      Array.from({ length: 100 }, (_, n) => `Piece ${n}.`),
    );
  });

  it("of a long session comes in steps, and all of it", () => {
    const { transcript } = watch();
    let state = createSessionState();
    for (let n = 0; n < 3000; n += 1) {
      const message = { type: "agent_message" as const, messageId: `m${n}`, content: [text(`Message ${n}`)] };
      state = reduce(state, message);
    }
    const printed: string[] = [];
    let steps = 0;
    do {
      transcript.update(state);
      const lines = transcript.take().map(plainText);
      expect(lines.length).toBeLessThan(1000);
      printed.push(...lines);
      steps += 1;
    } while (transcript.hasMore);
    expect(steps).toBeGreaterThan(5);
    expect(printed.filter((line) => line.startsWith("Message"))).toEqual(
      Array.from({ length: 3000 }, (_, n) => `Message ${n}`),
    );
  });
});

describe("what an agent sends", () => {
  it("cannot move the cursor, write the clipboard or hide a link, also in pieces", () => {
    const { see } = watch();
    see(...sent, says("a\u001b]5"), says("2;c;eA==\u0007b \u001b[2Jc [x](https://e.example)\u202e"), ended);
    const { printed } = see();
    expect(printed.at(-1)).toBe("ab c x (https://e.example)<U+202E>");
  });

  it("is shown as a diff, and the end of what a command prints as the terminal would show it", () => {
    const { see } = watch();
    const diff = {
      type: "diff",
      changes: [{ operation: "modify", path: "/work/a.ts", oldText: "1\n", newText: "2\n" }],
    };
    const output = Buffer.from(`${Array.from({ length: 50 }, (_, n) => `line ${n}\n`).join("")}10 %\r100 %\n`);
    const { live } = see(
      ...sent,
      { type: "terminal_update", terminalId: "t1", command: "npm test" },
      { type: "terminal_output_chunk", terminalId: "t1", data: output.toString("base64") } as SessionEvent,
      call({
        title: "Edit",
        kind: "edit",
        status: "in_progress",
        content: [diff, { type: "terminal", terminalId: "t1" }],
      }),
    );
    expect(live).toEqual([
      ...["", "◐ edit Edit  in progress", "--- a/a.ts", "+++ b/a.ts", "@@ -1,1 +1,1 @@", "-1", "+2"].map((line) =>
        /^[-+@]/.test(line) ? `  ${line}` : line,
      ),
      ...[
        "  $ npm test",
        "  │ … 43 earlier lines",
        ...[43, 44, 45, 46, 47, 48, 49].map((n) => `  │ line ${n}`),
        "  │ 100 %",
      ],
    ]);
  });
});

describe("defect P31, defect P50: an unfinished part that has more rows than room", () => {
  const cases: readonly (readonly [string, readonly SessionEvent[]])[] = [
    ["a quote with empty rows", [says(`> ${"word ".repeat(30)}\n>\n> a\n>\n> b ${"word ".repeat(30)}`)]],
    ["a list with paragraphs", [says(`- ${"word ".repeat(30)}\n\n  ${"word ".repeat(30)}\n\n  end`)]],
    ["a table", [says(`|a|b|\n|---|---|\n${"|c|d|\n".repeat(20)}`)]],
    ["a message behind a call", [call({ title: "Test", status: "in_progress" }), says("word ".repeat(300))]],
  ];
  it.each(cases)("%s: gets no more rows than there is room", (_, events) => {
    for (let room = 2; room < 16; room += 1) {
      const { see, transcript } = watch(20);
      see(...sent, ...events);
      const { length } = transcript.live();
      const rows = transcript.live(undefined, room);
      expect(rows.length).toBeLessThanOrEqual(room);
      // No row is printed that had room, except an empty row.
      expect(rows.length + transcript.take().length).toBeGreaterThanOrEqual(length);
    }
  });

  it("a call that runs is printed before the message, and again with its end", () => {
    const { see, transcript } = watch(20);
    see(...sent, call({ title: "Test", status: "in_progress" }), says("word ".repeat(60)));
    transcript.live(undefined, 4);
    const printed = transcript.take().map(plainText);
    expect(printed.filter((line) => line.includes("Test"))).toHaveLength(1);
    const all = see(call({ status: "completed" }), ended).printed;
    expect([...printed, ...all].join(" ").match(/word/g)).toHaveLength(60);
  });
});
