import { createSessionState, reduce, type SessionEvent, type SessionState } from "@turnkit/session";
import { describe, expect, it } from "vitest";
import { sit } from "../../../test/keyboard.js";
import { pressPicker } from "./picker.js";

const commands: SessionEvent = {
  type: "available_commands_update",
  availableCommands: [
    { type: "command", name: "review", description: "Review a file", input: { type: "text", hint: "file" } },
    { type: "command", name: "mode", description: "The agent's own" },
  ],
};
const asks = (requestId: string): SessionEvent => ({
  type: "permission_asked",
  requestId,
  title: `Do ${requestId}?`,
  options: [
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_once" },
  ],
});

describe("prompts", () => {
  it("P-SUB-12: Ctrl-X cancels a subagent that may be cancelled, and no other", () => {
    const child = { isAsking: false, isCancellable: true };
    const children = [
      { ...child, id: "k1", name: "Reader", isCancellable: false },
      { ...child, id: "k2", name: "Tester" },
      { ...child, id: "k3", name: "Writer" },
    ];
    const person = sit([], { isWorking: true, children }).press("^x", "down", "enter");
    expect(person.effects).toEqual([{ type: "cancel", childId: "k3" }]);
    expect(person.ui.picker).toBeUndefined();
    const nobody = sit([], { isWorking: true, children: children.slice(0, 1) }).press("^x", "enter");
    expect(nobody.effects).toEqual([]);
    expect(sit([], { isWorking: true }).press("^x").ui.notice).toBe("There is no subagent to cancel.");
  });

  it("go at Enter, and while the agent works they wait; Up takes the last one back", () => {
    expect(sit().press("'Hi", "enter").effects).toEqual([{ type: "prompt", text: "Hi" }]);
    const busy = sit([], { isWorking: true }).press("'one", "enter", "'two", "enter");
    expect(busy.effects).toEqual([]);
    expect(busy.ui.queue).toEqual(["one", "two"]);
    busy.press("up");
    expect(busy.ui).toMatchObject({ queue: ["one"], input: { text: "two" } });
  });

  it("that wait go back to be changed when the work is cancelled", () => {
    const busy = sit([], { isWorking: true }).press("'one", "enter", "'draft", "escape");
    expect(busy.effects).toEqual([{ type: "cancel" }]);
    expect(busy.ui).toMatchObject({ queue: [], input: { text: "one\ndraft" } });
  });

  it("of before come back with the arrows, and the draft after them", () => {
    const person = sit([], { history: ["old", "new"] }).press("'draft", "up");
    expect(person.ui.input.text).toBe("new");
    expect(person.press("up", "up").ui.input.text).toBe("old");
    expect(person.press("down", "down").ui.input.text).toBe("draft");
  });
});

describe("commands", () => {
  it("complete with Tab, and Enter takes a name that is not whole before it sends anything", () => {
    const person = sit([commands]).press("'/re", "enter");
    expect(person.ui.input.text).toBe("/review ");
    expect(person.press("'a.ts", "enter").effects).toEqual([{ type: "prompt", text: "/review a.ts" }]);
  });

  it("of the agent go before those of this program with the same name", () => {
    expect(sit([commands]).press("'/mode", "enter").effects).toEqual([{ type: "prompt", text: "/mode" }]);
    expect(sit([commands]).press("'/quit", "enter").effects).toEqual([{ type: "quit" }]);
  });
});

describe("questions", () => {
  it("are not answered by an Enter that was meant for a prompt", () => {
    const person = sit([asks("r1")], { isWorking: true }).press("'Hello", "enter", "enter");
    expect(person.effects).toEqual([]);
    expect(person.press("'2", "enter").effects).toEqual([
      { type: "answer", requestId: "r1", decision: { outcome: "selected", optionId: "no" } },
    ]);
  });

  it("that come while a prompt is written are answered once it was sent or cleared", () => {
    const person = sit([], { isWorking: true }).press("'explain no. ").happens(asks("r1"));
    person.press("'2", "up", "enter");
    expect(person.effects).toEqual([]);
    expect(person.ui.queue).toEqual(["explain no. 2"]);
    person.press("'x").happens(asks("r2")).press("'1", "enter");
    expect(person.effects).toEqual([
      { type: "answer", requestId: "r1", decision: { outcome: "selected", optionId: "yes" } },
    ]);
  });

  const offers = (...kinds: readonly string[]): SessionEvent => ({
    ...{ type: "permission_asked", requestId: "r1", title: "Run rm -rf build" },
    options: kinds.map((kind, n) => ({ optionId: `${kind} ${n}`, name: "y", kind })) as never,
  });
  const answers = (optionId?: string) => [
    {
      ...{ type: "answer", requestId: "r1" },
      decision: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId },
    },
  ];
  const all = offers("reject_always", "allow_always", "reject_once", "allow_once", "other");

  it.each([
    ["y", "allow_once 3"],
    ["Y", "allow_once 3"],
    ["n", "reject_once 2"],
    ["a", "allow_always 1"],
    ["1", "allow_once 3"],
    ["2", "reject_once 2"],
    ["3", "allow_always 1"],
    ["4", "reject_always 0"],
    ["5", "other 4"],
  ])(
    "defect P9: the key %s decides by the kind or the shown position, whatever the agent's order is",
    (key, option) => {
      const person = sit([all], { isWorking: true }).press(`'${key}`);
      expect(person.ui.question).toMatchObject({ requestId: "r1", decided: "selected" });
      expect(person.press("enter").effects).toEqual(answers(option));
    },
  );

  it("defect S11: a letter never allows where several options have its kind, and n cancels where nothing refuses", () => {
    const twice = sit([offers("allow_once", "allow_once")], { isWorking: true });
    expect(twice.press("'y").ui.question.decided).toBeUndefined();
    expect(sit([offers("allow_once", "reject_always")]).press("'n", "enter").effects).toEqual(answers());
  });

  it("P9: an arrow after a key takes the key back", () => {
    const person = sit([all], { isWorking: true }).press("'y", "down");
    expect(person.ui.question).toMatchObject({ selected: 1 });
    expect(person.ui.question.decided).toBeUndefined();
  });

  it("S11: a word that is typed while a question comes is a prompt, and answers nothing", () => {
    const person = sit([all], { isWorking: true }).press("'p", "'l", "'e", "'a", "'s", "'e");
    expect(person.ui.input.text).toBe("please");
    expect(person.ui.question.decided).toBeUndefined();
    expect(sit([all], { isWorking: true }).press("'yes please").ui.input.text).toBe("yes please");
  });

  it("defect P36: the reason goes with the answer to a question that takes it", () => {
    const takes = { ...offers("allow_once", "reject_once"), _meta: { "turnkit.reason": true } } as SessionEvent;
    const person = sit([takes], { isWorking: true }).press("'b", "'y", "enter");
    const decision = { outcome: "selected", optionId: "reject_once 1", _meta: { "turnkit.reason": "y" } };
    expect(person.effects).toEqual([{ type: "answer", requestId: "r1", decision }]);
    expect(person.ui.reasons).toEqual([]);
  });

  it("P16: b refuses with a reason, which waits for the next prompt", () => {
    const person = sit([all], { isWorking: true }).press("'b", "'it is not yours", "left", "backspace");
    expect(person.effects).toEqual([]);
    expect(person.press("escape").ui.question.reason).toBeUndefined();
    expect(person.effects).toEqual([]);
    person.press("'b", "'y", "enter");
    expect(person.effects).toEqual(answers("reject_once 2"));
    expect(person.ui.reasons).toEqual(["I did not allow “Run rm -rf build”, because y"]);
    const alone = sit([], { isWorking: false });
    expect(alone.press("enter").effects).toEqual([]);
    const none = sit([offers("allow_once")], { isWorking: true }).press("'b", "enter");
    expect([none.effects, none.ui.reasons]).toEqual([answers(), []]);
  });

  it("can be gone through with Ctrl-N; a choice made for one is none for the next", () => {
    const person = sit([asks("r1"), asks("r2")], { isWorking: true }).press("down", "^n", "enter");
    expect(person.effects).toEqual([]);
    expect(person.press("down", "enter").effects).toEqual([
      { type: "answer", requestId: "r2", decision: { outcome: "selected", optionId: "yes" } },
    ]);
  });

  it("outside of any work are cancelled with Escape", () => {
    expect(sit([asks("r1")]).press("escape").effects).toEqual([
      { type: "answer", requestId: "r1", decision: { outcome: "cancelled" } },
    ]);
  });

  it("of a page are answered only by a choice, to decline and to cancel included", () => {
    const url: SessionEvent = {
      type: "elicitation_asked",
      requestId: "u1",
      message: "Log in",
      mode: "url",
      elicitationId: "e1",
      url: "https://a.example",
    };
    expect(sit([url]).press("enter", "up", "enter").effects).toEqual([
      { type: "answer", requestId: "u1", decision: { action: "cancel" } },
    ]);
  });

  it("with a form are filled in by keyboard, checked, and sent as the form wants it", () => {
    const form: SessionEvent = {
      type: "elicitation_asked",
      requestId: "f1",
      message: "About you",
      mode: "form",
      requestedSchema: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", minLength: 2 },
          age: { type: "integer", default: 7 },
          sure: { type: "boolean" },
          tags: { type: "array", items: { type: "string", enum: ["a", "b", "c"] } },
          future: { type: "_hologram" as "string" },
        },
      },
    };
    const person = sit([form]).press("'x", "tab", "backspace", "'42", "tab", "'1", "tab", "' ", "right", "right", "' ");
    person.press("down", "enter");
    expect(person.effects).toEqual([]);
    expect(person.ui.question.form).toMatchObject({
      row: 0,
      faults: new Map([["name", expect.stringContaining("2 characters")]]),
    });
    person.press("'y", "down", "down", "down", "down", "enter");
    expect(person.effects).toEqual([
      {
        type: "answer",
        requestId: "f1",
        decision: { action: "accept", content: { name: "xy", age: 42, sure: true, tags: ["a", "c"] } },
      },
    ]);
  });
});

describe("defect S5: a form whose fields have names of every object's members", () => {
  it("begins empty, is drawn without faults, and is sent as it was typed", () => {
    const names = ["constructor", "toString", "__proto__", "valueOf"];
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" as const, title: "A" }]));
    const form: SessionEvent = {
      ...{ type: "elicitation_asked", requestId: "f1", message: "About you", mode: "form" },
      requestedSchema: { type: "object", properties, required: names },
    };
    const person = sit([form]);
    person.press("down", "up");
    const fields = person.ui.question.form;
    expect(names.map((name) => fields?.drafts.get(name))).toEqual(
      names.map(() => ({ kind: "typed", input: expect.objectContaining({ text: "" }) })),
    );
    expect(fields?.faults.size).toBe(0);
    person.press("'1", "down", "'2", "down", "'3", "down", "'4", "down", "enter");
    expect(person.effects).toEqual([
      {
        type: "answer",
        requestId: "f1",
        decision: { action: "accept", content: Object.fromEntries(names.map((name, at) => [name, String(at + 1)])) },
      },
    ]);
  });
});

describe("settings", () => {
  const options: SessionEvent = {
    type: "config_option_update",
    configOptions: [
      {
        ...{ configId: "mode", name: "Mode", category: "mode", type: "select", currentValue: "ask" },
        options: [
          { value: "ask", name: "Ask" },
          { value: "auto", name: "Auto" },
        ],
      },
      { configId: "web", name: "Web", type: "boolean", currentValue: false },
    ],
  };

  it("are chosen from lists; choosing what is chosen already sends nothing", () => {
    expect(sit([options]).press("'/mode", "enter", "enter").effects).toEqual([]);
    expect(sit([options]).press("'/mode", "enter", "down", "enter").effects).toEqual([
      { type: "set", configId: "mode", value: "auto" },
    ]);
    expect(sit([options]).press("'/settings", "enter", "'we", "enter", "up", "enter").effects).toEqual([
      { type: "set", configId: "web", value: true },
    ]);
  });

  it("that the agent does not offer are said to be none", () => {
    expect(sit().press("backtab").ui.notice).toContain("no mode");
  });
});

describe("going away", () => {
  it("takes two Ctrl-C in a row; the first cancels what is going on", () => {
    expect(sit([], { isWorking: true }).press("^c", "^c").effects).toEqual([{ type: "cancel" }, { type: "quit" }]);
    expect(sit().press("^c", "'x", "^c").effects).toEqual([]);
  });
});

it("defect P41: /resume restores the open conversation after an error, and otherwise says that it is open", () => {
  const row = { name: "Talk", isCurrent: true, session: { sessionId: "s", cwd: "/" } };
  const resume = (events: readonly SessionEvent[]) => {
    const person = sit(events);
    const picker = { title: "Conversations", rows: [row], selected: 0, filter: "" };
    const state = events.reduce<SessionState>(reduce, createSessionState());
    return pressPicker(person.ui, picker, { name: "enter" }, state);
  };
  expect(resume([]).ui.notice).toBe("This conversation is open already.");
  const failed: SessionEvent = { type: "turn_ended", promptId: "p", error: { code: -32603, message: "No space" } };
  expect(resume([failed]).effects).toEqual([{ type: "open", session: row.session }]);
});
