import { describe, expect, it } from "vitest";
import { RecordingTurn } from "../test/recording-turn.js";
import type { Action } from "./action.js";
import type { Mode } from "./modes.js";
import { createPermission } from "./permission.js";

function setUp() {
  const turn = new RecordingTurn();
  const state: { mode: Mode } = { mode: "ask" };
  const permission = createPermission(() => state.mode);
  return {
    turn,
    state,
    permission,
    decide: () => permission.decide(turn.toolCall({ title: "Edit" }), { type: "edit", path: "/p/a" }),
  };
}

describe("permission to write an edit", () => {
  it("is asked for each edit, with four answers to choose from", async () => {
    const { turn, decide } = setUp();
    expect([await decide(), await decide()]).toEqual(["allowed", "allowed"]);
    expect(turn.questions).toHaveLength(2);
    expect(turn.questions[0]?.options?.map(({ kind }) => kind)).toEqual([
      "allow_once",
      "allow_always",
      "reject_once",
      "reject_always",
    ]);
  });

  it.each([
    ["allow_always", "allowed"],
    ["reject_always", "rejected"],
  ])("is asked once after %s, until the mode is chosen again", async (kind, decision) => {
    const { turn, permission, decide } = setUp();
    turn.answer = () => kind;
    expect([await decide(), await decide()]).toEqual([decision, decision]);
    expect(turn.questions).toHaveLength(1);
    permission.forget();
    await decide();
    expect(turn.questions).toHaveLength(2);
  });

  it("stays refused after reject always, also in a mode that is looser", async () => {
    const { turn, state, decide } = setUp();
    turn.answer = () => "reject_always";
    await decide();
    for (const mode of ["accept-edits", "auto"] as const) {
      state.mode = mode;
      expect(await decide()).toBe("rejected");
    }
    expect(turn.questions).toHaveLength(1);
  });

  it.each([
    ["reject_once", "rejected"],
    [undefined, "dismissed"],
  ])("defect P36: is refused with the reason of the person, which the model reads: %s", async (kind, decision) => {
    const { turn, decide } = setUp();
    turn.answer = () => kind;
    turn.answerMeta = { "turnkit.reason": "use the other file" };
    const message = `The user ${decision} this, and gave a reason: use the other file`;
    await expect(decide()).rejects.toMatchObject({ code: "denied", message });
    expect(turn.questions[0]?._meta).toEqual({ "turnkit.reason": true });
    turn.answer = () => "allow_once";
    expect(await decide()).toBe("allowed");
    turn.answer = () => kind;
    turn.answerMeta = { "turnkit.reason": 7 };
    expect(await decide()).toBe(decision);
  });

  it("is refused by reject once, and by closing the question", async () => {
    const { turn, decide } = setUp();
    turn.answer = () => "reject_once";
    expect(await decide()).toBe("rejected");
    turn.answer = () => undefined;
    expect(await decide()).toBe("dismissed");
  });

  it("does not exist in review mode, whatever was answered before", async () => {
    const { turn, state, decide } = setUp();
    turn.answer = () => "allow_always";
    await decide();
    state.mode = "review";
    expect(await decide()).toBe("review_only");
    expect(turn.questions).toHaveLength(1);
  });

  it("is void when the mode became review while the question was open", async () => {
    const { turn, state, decide } = setUp();
    turn.answer = () => {
      state.mode = "review";
      return "allow_once";
    };
    expect(await decide()).toBe("review_only");
  });
});

const sandboxed = { name: "sandboxed", isFree: true, isException: false };
const notSandboxed = { name: "not sandboxed", isFree: false, isException: false };

const actions: Readonly<Record<string, Action>> = {
  edit: { type: "edit", path: "/p/a" },
  command: { type: "command", line: "git log", argv: ["git", "log"], cwd: "/p", place: sandboxed },
  fetch: { type: "fetch", origin: "https://example.com" },
  "a tool that says it reads": { type: "mcp", server: "s", tool: "look", definition: "1", readOnly: true },
  "a tool that writes": { type: "mcp", server: "s", tool: "write", definition: "1", readOnly: false },
};

describe("what a mode says of an action", () => {
  it.each([
    [
      "ask",
      {
        edit: "asks",
        command: "asks",
        fetch: "asks",
        "a tool that says it reads": "asks",
        "a tool that writes": "asks",
      },
    ],
    [
      "accept-edits",
      {
        edit: "allowed",
        command: "asks",
        fetch: "asks",
        "a tool that says it reads": "asks",
        "a tool that writes": "asks",
      },
    ],
    [
      "review",
      {
        edit: "review_only",
        command: "review_only",
        fetch: "asks",
        "a tool that says it reads": "asks",
        "a tool that writes": "review_only",
      },
    ],
    [
      "auto",
      {
        edit: "allowed",
        command: "allowed",
        fetch: "allowed",
        "a tool that says it reads": "allowed",
        "a tool that writes": "allowed",
      },
    ],
  ] as const)("%s", async (mode, expected) => {
    for (const [name, action] of Object.entries(actions)) {
      const turn = new RecordingTurn();
      const decision = await createPermission(() => mode).decide(turn.toolCall({ title: name }), action);
      expect([name, turn.questions.length > 0 ? "asks" : decision]).toEqual([
        name,
        expected[name as keyof typeof expected],
      ]);
    }
  });
});

describe("an answer for more than one action", () => {
  it.each([
    ["edit", { type: "edit", path: "/p/a" }, true],
    ["edit", actions.command, false],
    ["command", { type: "command", line: "git log x", argv: ["git", "log", "x"], cwd: "/p", place: sandboxed }, true],
    [
      "command",
      { type: "command", line: "git log x", argv: ["git", "log", "x"], cwd: "/p", place: notSandboxed },
      false,
    ],
    [
      "command",
      { type: "command", line: "git log x", argv: ["git", "log", "x"], cwd: "/other", place: sandboxed },
      false,
    ],
    ["fetch", { type: "fetch", origin: "https://example.com" }, true],
    ["fetch", { type: "fetch", origin: "http://example.com" }, false],
    ["a tool that writes", { type: "mcp", server: "s", tool: "write", definition: "1", readOnly: false }, true],
    ["a tool that writes", { type: "mcp", server: "other", tool: "write", definition: "1", readOnly: false }, false],
    ["a tool that writes", { type: "mcp", server: "s", tool: "delete", definition: "1", readOnly: false }, false],
  ] as const)("%s, then %o: %s", async (first, second, covered) => {
    const turn = new RecordingTurn();
    turn.answer = () => "allow_always";
    const permission = createPermission(() => "ask");
    const call = turn.toolCall({ title: "x" });
    await permission.decide(call, actions[first] as Action);
    await permission.decide(call, second as Action);
    expect(turn.questions).toHaveLength(covered ? 1 : 2);
  });

  it("never makes up for the mode: a command that was always allowed is not run in review", async () => {
    const turn = new RecordingTurn();
    const state: { mode: Mode } = { mode: "ask" };
    turn.answer = () => "allow_always";
    const permission = createPermission(() => state.mode);
    const call = turn.toolCall({ title: "x" });
    await permission.decide(call, actions.command as Action);
    state.mode = "review";
    expect(await permission.decide(call, actions.command as Action)).toBe("review_only");
  });
});

describe("defect S18: the place of a command", () => {
  const command = { type: "command", line: "make", cwd: "/p" } as const;
  const asked = { name: "not sandboxed: the model asks", isFree: false, isException: true };

  it("is named in the question", async () => {
    const turn = new RecordingTurn();
    await createPermission(() => "ask").decide(turn.toolCall({ title: "x" }), { ...command, place: sandboxed });
    await createPermission(() => "ask").decide(turn.toolCall({ title: "x" }), { ...command, place: notSandboxed });
    expect(turn.questions.map(({ options }) => options?.[0]?.name)).toEqual([
      "Run it (sandboxed)",
      "Run it (not sandboxed)",
    ]);
  });

  it("decides in the mode auto: outside of the sandbox a person is asked", async () => {
    const turn = new RecordingTurn();
    const { decide } = createPermission(() => "auto");
    const call = turn.toolCall({ title: "x" });
    expect(await decide(call, { ...command, place: sandboxed })).toBe("allowed");
    expect(turn.questions).toHaveLength(0);
    await decide(call, { ...command, place: notSandboxed });
    await decide(call, { ...command, place: asked });
    expect(turn.questions).toHaveLength(2);
  });

  it("outside of the sandbox, as the model asks, needs a question each time and offers no always", async () => {
    const turn = new RecordingTurn();
    turn.answer = () => "allow_always";
    const { decide } = createPermission(() => "auto");
    const call = turn.toolCall({ title: "x" });
    await decide(call, { ...command, place: notSandboxed });
    turn.answer = () => "allow_once";
    await decide(call, { ...command, place: asked });
    await decide(call, { ...command, place: asked });
    expect(turn.questions).toHaveLength(3);
    expect(turn.questions.at(-1)?.options?.map(({ kind }) => kind)).not.toContain("allow_always");
  });

  it("does not matter to a refusal", async () => {
    const turn = new RecordingTurn();
    turn.answer = () => "reject_always";
    const { decide } = createPermission(() => "auto");
    const call = turn.toolCall({ title: "x" });
    await decide(call, { ...command, place: notSandboxed });
    expect(await decide(call, { ...command, place: sandboxed })).toBe("rejected");
    expect(turn.questions).toHaveLength(1);
  });
});
