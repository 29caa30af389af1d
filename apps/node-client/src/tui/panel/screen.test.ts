import { createSessionState, reduceAll, type SessionEvent } from "@turnkit/session";
import { describe, expect, it } from "vitest";
import { questionsOf } from "../../child-sessions.js";
import { type Line, plainText } from "../../render/line.js";
import { lineWidth } from "../../render/wrap.js";
import { browserLines } from "../model/browser.js";
import { press } from "../model/press.js";
import { inputOf } from "../model/text-input.js";
import { createUi, type Ui } from "../model/ui.js";
import { screenOf } from "./screen.js";

const asked: SessionEvent = {
  type: "permission_asked",
  requestId: "r1",
  title: "Write a.ts",
  subject: { type: "command", command: "rm -rf \u202ex\u001b[2K", cwd: "/work" },
  options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
};
const plan: SessionEvent = {
  type: "plan_update",
  plan: {
    planId: "main",
    type: "items",
    entries: Array.from({ length: 30 }, (_, n) => ({
      content: `Step ${n}`,
      priority: "medium",
      status: n < 9 ? "completed" : "pending",
    })),
  },
};
const many = (count: number): readonly Line[] => Array.from({ length: count }, (_, n) => [`line ${n}`]);

const kid = { id: "k1", name: "Fix › Test runner", isAsking: false, isCancellable: true };

function draw(
  events: readonly SessionEvent[],
  {
    rows = 24,
    columns = 80,
    live = 0,
    ui = createUi(),
    children = [] as readonly (typeof kid)[],
    branch = "",
    running = many(0),
    isTyping = true,
    cut = "",
  } = {},
) {
  const state = reduceAll(createSessionState(), events);
  const facts = {
    ui,
    state,
    questions: questionsOf({ state, children: [] }),
    children,
    live: () => many(live),
    size: { columns, rows },
    agent: "agent",
    directory: "/work",
    ...(branch !== "" && { branch }),
    ...(cut !== "" && { cut }),
  };
  const screen = screenOf({ ...facts, isWorking: true, isTyping, seconds: 3, running });
  return { ...screen, text: screen.lines.map(plainText) };
}

describe("the screen", () => {
  it("defect P23: shows the prompts that wait while the agent asks", () => {
    const ui = { ...createUi(), queue: ["Then run the tests"] };
    const { text } = draw([asked], { ui });
    expect(text).toContain("  ⧗ Then run the tests");
    const typing = draw([asked], { ui: { ...ui, input: inputOf("and") } });
    expect(typing.text[typing.cursor?.y ?? -1]).toBe("❯ and");
  });

  it("defect P45: wraps the typed text at words, and shows the cursor in the row of its word", () => {
    const ui = { ...createUi(), input: inputOf("one two three") };
    const { text, cursor } = draw([], { ui, columns: 11 });
    expect(text).toEqual(expect.arrayContaining(["❯ one two ", "  three"]));
    expect([text[cursor?.y ?? -1], cursor?.x]).toEqual(["  three", 7]);
  });

  it("defect P43: shows the commands that run in the background, at most three", () => {
    const ids = ["1", "2", "3", "4", "5"];
    const events: readonly SessionEvent[] = [
      ...ids.map((id) => ({ type: "terminal_update", terminalId: id, command: `serve ${id}` }) as const),
      {
        type: "state_update",
        state: "running",
        background: ids.map((terminalId) => ({ type: "terminal", terminalId })),
      },
    ];
    const { text } = draw(events);
    expect(text.filter((line) => line.includes("background"))).toEqual([
      ...["1", "2", "3"].map((id) => `  ◈ serve ${id} · in the background`),
      "  … 2 more in the background",
    ]);
  });

  it("is never as high as the terminal nor wider, whatever there is to show", () => {
    const queue = Array.from({ length: 90 }, () => "x".repeat(300));
    const ui = { ...createUi(), queue, input: { text: "word ".repeat(500), cursor: 100 } };
    const searching: Ui = { ...createUi(["word ".repeat(500)]), search: { query: "word ".repeat(60), at: 0 } };
    for (const rows of [6, 10, 24, 60]) {
      for (const columns of [20, 80, 200]) {
        for (const events of [[], [plan], [plan, asked]]) {
          for (const shown of [ui, { ...ui, notice: "word ".repeat(60) }, { ...ui, input: inputOf("/") }, searching]) {
            const about = { rows, columns, live: 100, ui: shown, children: Array(9).fill(kid), running: many(9) };
            const { lines } = draw(events, about);
            expect(lines.length).toBeLessThan(rows);
            for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(columns);
          }
        }
      }
    }
  });

  it("P-SUB-12: folds each subagent to a line with its state, and offers a cancel that was granted", () => {
    const asking = { ...kid, name: "Reviewer", isAsking: true };
    const { text } = draw([], { children: [kid, asking, kid, kid, kid] });
    const at = text.indexOf("● Working 3 s");
    expect(text.slice(at + 1, at + 5)).toEqual([
      "  ◇ Fix › Test runner works",
      "  ◇ Reviewer waits for you",
      "  ◇ Fix › Test runner works",
      "  … 2 more work",
    ]);
    expect(text.at(-1)).toContain("Ctrl-X subagents");
    expect(draw([], { children: [{ ...kid, isCancellable: false }] }).text.at(-1)).not.toContain("Ctrl-X");
  });

  it("shows the end of what grows, the plan around its step, and how long the work takes", () => {
    const { text } = draw([plan], { live: 50 });
    expect(text[0]).toMatch(/^… \d+ lines above$/);
    expect(text).toContain("line 49");
    expect(text).toContain("Plan 9/30");
    expect(text).toContain("  ○ Step 9");
    expect(text).toContain("● Working 3 s");
  });

  it("defect P14: a list of commands or of values says how many of them are hidden", () => {
    const names = Array.from({ length: 12 }, (_, n) => `command${n}`);
    const offered: SessionEvent = {
      type: "available_commands_update",
      availableCommands: names.map((name) => ({ type: "command", name, description: "It does." })),
    };
    const typed = { ...createUi(), input: { text: "/command", cursor: 8 } };
    const { text } = draw([offered], { ui: typed });
    expect(text.slice(-7, -1)).toEqual([
      ...[0, 1, 2, 3, 4].map((n) => expect.stringContaining(names[n] ?? "")),
      "  … 7 more: ↑↓",
    ]);
    expect(draw([offered], { ui: { ...typed, completion: 11 } }).text.join("\n")).toMatch(
      /❯ \/command11 .*\n {2}… 7 more/,
    );
    expect(draw([offered], { ui: typed, rows: 9 }).text.join("\n")).toMatch(/\/command0 .*\n {2}… 11 more/);
    const rows = names.map((name) => ({ configId: "m", value: name, name, isCurrent: false }));
    const ui = { ...createUi(), picker: { title: "Model", rows, selected: 0, filter: "" } };
    expect(draw([], { ui, rows: 12 }).text).toContain("  … 6 more: ↑↓");
  });

  it("P16: the status line has the model, the context, the cost, the folder and the branch, as far as there is room", () => {
    const usage: SessionEvent = {
      ...{ type: "usage_update", used: 42, size: 100, cost: { amount: 0.011352300000000001, currency: "USD" } },
    };
    const option = { configId: "m", name: "Model", category: "model", type: "select", currentValue: "big-1" } as const;
    const events: readonly SessionEvent[] = [
      usage,
      { type: "config_option_update", configOptions: [{ ...option, options: [{ value: "big-1", name: "Big 1" }] }] },
    ];
    const at = (columns: number) => draw(events, { columns, branch: "fix/a" }).text.at(-1);
    expect(at(100)).toMatch(/^agent · Big 1 · ███░░░░░ 42 % · 0\.0114 USD · work:fix\/a +Esc cancels/);
    expect(at(64)).toMatch(/^agent · Big 1 · 42 % · 0\.0114 USD · work:fix\/a +Esc cancels$/);
    expect(at(50)).toMatch(/^agent · Big 1 · 42 % · 0\.0114 USD +Esc cancels$/);
    expect(at(36)).toBe("agent · Big 1 · 42 % · 0.0114 USD");
    expect(at(20)).toBe("agent · Big 1 · 42 %");
  });

  it("puts the cursor where text is written", () => {
    const { cursor, text } = draw([], { ui: { ...createUi(), input: { text: "ab\ncd", cursor: 4 } } });
    expect(text[cursor?.y ?? 0]).toBe("  cd");
    expect(cursor?.x).toBe(3);
  });

  it("defect P51: draws the cursor in the typed text while the agent works and no key was pressed for a moment", () => {
    const ui = { ...createUi(), input: { text: "ab\ncd", cursor: 4 } };
    const { cursor, lines } = draw([], { ui, isTyping: false });
    expect(cursor).toBeUndefined();
    expect(lines.find((line) => plainText(line) === "  cd")?.filter((span) => span[0] === "inverse")).toEqual([
      ["inverse", "d"],
    ]);
  });

  it("shows the prompt that was begun below a question, which waits for it", () => {
    const { text, cursor } = draw([asked], { ui: { ...createUi(), input: { text: "no. 2", cursor: 5 } } });
    expect(text[cursor?.y ?? 0]).toBe("❯ no. 2");
    expect(text.at(-1)).toContain("send or clear your prompt to answer");
    expect(text).toContain("  $ rm -rf <U+202E>x␛[2K");
  });

  it("hides nothing that a person decides by", () => {
    const { text, cursor } = draw([asked]);
    expect(text).toContain("  $ rm -rf <U+202E>x␛[2K");
    expect(text).toContain("  1) Yes  allow once");
    expect(cursor).toBeUndefined();
  });

  it("shows all of a page that somebody is to go to, its host, and what is odd about it", () => {
    const url = `http://good.example@xn--evl-5qa.example/${"long/".repeat(30)}end`;
    const { text } = draw([
      { type: "elicitation_asked", requestId: "u1", message: "Log in", mode: "url", elicitationId: "e1", url },
    ]);
    expect(text.map((line) => line.trim()).join("")).toContain(url);
    expect(text).toContain("  on the host xn--evl-5qa.example");
    expect(text.filter((line) => line.includes("Careful:"))).toHaveLength(3);
    expect(text).toContain("  2) Decline");
  });

  it.each([
    [{ "turnkit.reason": true }, "the agent reads the reason now"],
    [{}, "the reason goes with your next prompt"],
  ])("defect P72: says when the agent reads the reason of a refusal: %j", (_meta, text) => {
    expect(draw([{ ...asked, _meta } as SessionEvent]).text.join("\n")).toContain(`b) No, because …  ${text}`);
  });

  it.each([40, 16, 8])("defect P74: shows a cut of the connection below a question, in %d rows", (rows) => {
    const { text } = draw([asked], { rows, cut: "Attempt 2 to connect again." });
    expect(text.at(-2)).toContain("◌ The connection is cut. Attempt 2");
    expect(text.length).toBeLessThan(rows);
    expect(text.join("\n")).toContain("1) Yes");
  });

  it("lets a question that has no room be scrolled, with its answers in sight", () => {
    const long = { ...asked, description: Array.from({ length: 50 }, (_, n) => `reason ${n}`).join("\n") };
    const first = draw([long], { rows: 16 });
    expect(first.text.join("\n")).toMatch(/reason 0[\s\S]*lines 1–\d+ of 53[\s\S]*1\) Yes/);
    const state = reduceAll(createSessionState(), [long]);
    const questions = questionsOf({ state, children: [] });
    let ui = createUi();
    const context = { width: 80, rows: 14, directory: "/work" };
    for (let n = 0; n < 20; n += 1)
      ui = press(ui, { name: "page-down" }, { state, questions, isWorking: true, context }).ui;
    expect(draw([long], { rows: 16, ui }).text.join("\n")).toMatch(/reason 49[\s\S]*in \/work[\s\S]*1\) Yes/);
  });
});

describe("the transcript", () => {
  const said = (n: number): SessionEvent => ({
    type: "agent_message",
    messageId: `m${n}`,
    content: [{ type: "text", text: `Message ${n}\n\nmore of it` }],
  });

  it("folds and unfolds what the cursor is on, and says that a question waits", () => {
    const state = reduceAll(createSessionState(), [said(0), said(1), asked]);
    const questions = questionsOf({ state, children: [] });
    const context = { width: 60, rows: 10, directory: "/work" };
    let ui = press(createUi(), { name: "ctrl", letter: "o" }, { state, questions, isWorking: true, context }).ui;
    const key = (name: "up" | "enter" | "escape") => {
      ui = press(ui, { name }, { state, questions, isWorking: true, context }).ui;
      return ui.browser && browserLines(state, ui.browser, context).map(plainText);
    };
    expect(key("up")?.slice(0, 2)).toEqual(["❯▸ Message 0 +2", " ▸ Message 1 +2"]);
    const open = key("enter");
    expect(open?.slice(0, 4)).toEqual(["❯▾ Message 0", "   ", "   more of it", " ▸ Message 1 +2"]);
    expect(open?.at(-1)).toMatch(/^The agent has a question: Esc/);
    expect(key("escape")).toBeUndefined();
  });
});
