import { describe, expect, it } from "vitest";
import { RecordingTurn } from "../test/recording-turn.js";
import type { Mode } from "./modes.js";
import { createEditPermission } from "./permission.js";

function setUp() {
  const turn = new RecordingTurn();
  const state: { mode: Mode } = { mode: "ask" };
  const permission = createEditPermission(() => state.mode);
  return { turn, state, permission, decide: () => permission.decide(turn.toolCall({ title: "Edit" })) };
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
