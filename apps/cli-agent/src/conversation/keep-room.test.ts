import { describe, expect, it } from "vitest";
import type { ConversationItem } from "../model.js";
import { beginTurn } from "./keep-room.js";

const prompt = (text: string) => ({ prompt: [{ type: "text", text } as const] });
const answer = (text: string): ConversationItem => ({ role: "assistant", content: [{ type: "text", text }] });

describe("a long conversation", () => {
  it("keeps everything while there is room", () => {
    const conversation: ConversationItem[] = [];
    beginTurn(conversation, prompt("one"));
    conversation.push(answer("1"));
    beginTurn(conversation, prompt("two"));
    expect(conversation).toHaveLength(3);
  });

  it("loses its oldest turns as a whole, and never the new prompt", () => {
    const conversation: ConversationItem[] = [];
    for (const name of ["one", "two", "three"]) {
      beginTurn(conversation, prompt(name), 200);
      conversation.push(answer("x".repeat(20)), answer("y".repeat(20)));
    }
    expect(conversation[0]).toEqual({ role: "user", content: prompt("three").prompt });
    beginTurn(conversation, prompt("z".repeat(500)), 200);
    expect(conversation).toHaveLength(1);
  });
});
