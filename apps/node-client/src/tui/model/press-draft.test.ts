import type { SessionEvent } from "@turnkit/session";
import { describe, expect, it } from "vitest";
import { sit } from "../../../test/keyboard.js";
import { labelled } from "./folds.js";

const long = Array.from({ length: 120 }, (_, n) => `line ${n}`).join("\n");

describe("a draft", () => {
  it("defect P9: is cleared with Escape while nothing runs, and Up brings it back", () => {
    const person = sit().press("'a draft", "escape");
    expect(person.effects).toEqual([]);
    expect(person.ui).toMatchObject({ input: { text: "" }, notice: "The draft is cleared. ↑ brings it back." });
    expect(person.press("up").ui.input.text).toBe("a draft");
  });

  it("defect P9: stays when Escape cancels the work; the next Escape clears it", () => {
    const person = sit([], { isWorking: true }).press("'a draft", "escape");
    expect(person.effects).toEqual([{ type: "cancel" }]);
    expect(person.ui.input.text).toBe("a draft");
  });

  it("defect P9: is cleared with the first Ctrl-C; the second ends the program", () => {
    const person = sit().press("'a draft", "^c");
    expect([person.ui.input.text, person.effects]).toEqual(["", []]);
    expect(person.ui.notice).toBe("The draft is cleared. ↑ brings it back. Press Ctrl-C again to end turnkit.");
    expect(person.press("^c").effects).toEqual([{ type: "quit" }]);
  });

  it("defect P24: Ctrl-D ends the program only with a second press while the agent works", () => {
    const person = sit([], { isWorking: true }).press("^d");
    expect(person.effects).toEqual([]);
    expect(person.ui.notice).toBe("The agent works. Press Ctrl-D again to end turnkit.");
    expect(person.press("^d").effects).toEqual([{ type: "quit" }]);
    expect(sit([], { isWorking: true }).press("^d", "left", "^d").effects).toEqual([]);
    const early = sit([], { isWorking: true, isStarting: true }).press("'begin", "enter", "^d");
    expect([early.effects, early.ui.queue]).toEqual([[], ["begin"]]);
    expect(early.ui.notice).toBe("Prompts are waiting. Press Ctrl-D again to end turnkit.");
    expect(sit().press("^d").effects).toEqual([{ type: "quit" }]);
  });

  it("defect P71: Ctrl-C after a first Ctrl-D cancels the work, and does not end the program", () => {
    const person = sit([], { isWorking: true }).press("^d", "^c");
    expect(person.effects).toEqual([{ type: "cancel" }]);
    expect(person.ui.notice).toBe("Cancelling. Press Ctrl-C again to end turnkit.");
    expect(person.press("^c").effects).toEqual([{ type: "cancel" }, { type: "quit" }]);
    expect(sit([], { isWorking: true }).press("^c", "^d").effects).toEqual([{ type: "cancel" }, { type: "quit" }]);
  });

  it("defect P29: Up in the second row of a long line stays in the draft", () => {
    const person = sit([], { history: ["earlier"] }).press(`'${"word ".repeat(30)}`, "up");
    expect(person.ui.input.text).toBe("word ".repeat(30));
    expect(person.press("up").ui.input.text).toBe("earlier");
  });

  it("defect P25: Enter runs a completed command that takes no arguments", () => {
    expect(sit().press("'/hel", "enter").effects).toEqual([{ type: "help" }]);
  });

  it("defect P9: gets a line break from a backslash before Enter; a command line keeps the backslash", () => {
    expect(sit().press("'one\\", "enter", "'two").ui.input.text).toBe("one\ntwo");
    expect(sit().press("'!ls \\", "enter", "'-a").ui.input.text).toBe("!ls \\\n-a");
    expect(sit().press("'C:\\ ", "enter").effects).toEqual([{ type: "prompt", text: "C:\\" }]);
  });

  it("defect P9: folds a long paste to one character, which goes as a whole", () => {
    const person = sit().press("'see ", `"${long}`, "' ok");
    const shown = () => labelled(person.ui.input.text, person.ui.folds);
    expect(shown()).toBe("see [pasted 120 lines] ok");
    person.press("left", "left", "left", "backspace");
    expect(shown()).toBe("see  ok");
    expect(sit().press('"short paste').ui.input.text).toBe("short paste");
  });

  it("shows a pasted command line as it is, because a person decides by it", () => {
    expect(sit().press("'!", `"${long}`).ui.input.text).toBe(`!${long}`);
  });

  it("comes back unfolded from the history, and folds do not stay when nothing uses them", () => {
    const person = sit().press(`"${long}`, "enter", "up");
    expect(person.ui.input.text).toBe(long);
    expect(sit().press(`"${long}`, "enter", "left").ui.folds.size).toBe(0);
  });
});

describe("the search in earlier prompts", () => {
  const history = ["fix the test", "explain main.ts", "fix the build", "fix the build"];

  it("defect P9: finds with Ctrl-R, the newest first, and Enter takes the prompt without sending it", () => {
    const person = sit([], { history }).press("'draft", "^r", "'FIX");
    expect(person.press("^r").ui.search).toEqual({ query: "FIX", at: 1 });
    person.press("enter");
    expect([person.ui.input.text, person.ui.search, person.effects]).toEqual(["fix the test", undefined, []]);
  });

  it("keeps the draft when it is left with Escape or Ctrl-C", () => {
    for (const key of ["escape", "^c", "^g"]) {
      const person = sit([], { history }).press("'draft", "^r", "'fix", key);
      expect([person.ui.input.text, person.ui.search, person.effects]).toEqual(["draft", undefined, []]);
    }
    expect(sit().press("^r").ui.notice).toBe("There are no earlier prompts.");
  });
});

describe("keys", () => {
  const mode: SessionEvent = {
    type: "config_option_update",
    configOptions: [
      {
        ...{ configId: "mode", name: "Mode", category: "mode", type: "select", currentValue: "ask" },
        options: ["ask", "plan", "auto"].map((value) => ({ value, name: value })),
      },
    ],
  };

  it("defect P9: Shift-Tab goes to the next mode at once, also before the agent has confirmed the last one", () => {
    const set = (value: string) => ({ type: "set", configId: "mode", value });
    expect(sit([mode]).press("backtab").effects).toEqual([set("plan")]);
    expect(sit([mode]).press("backtab", "backtab", "backtab").effects).toEqual([set("plan"), set("auto"), set("ask")]);
    expect(sit().press("backtab").ui.notice).toContain("no mode");
  });

  it("defect P9: Ctrl-G opens the editor and Ctrl-Z suspends", () => {
    expect(sit().press("'x", "^g", "^z").effects).toEqual([{ type: "edit" }, { type: "suspend" }]);
  });
});
