import type { SessionEvent } from "@turnkit/session";
import { expect, it } from "vitest";
import { compactEvents } from "../src/index.js";

it("the pieces of a text are put together, though not to one that no message could hold", async () => {
  const text = "x".repeat(30_000);
  const piece: SessionEvent = { type: "agent_message_chunk", messageId: "m", content: { type: "text", text } };
  const [, message] = await compactEvents(Array<SessionEvent>(7).fill(piece));
  const lengths =
    message?.type === "agent_message" && message.content?.map((block) => "text" in block && block.text.length);
  expect(lengths).toEqual([60_000, 60_000, 60_000, 30_000]);
});

it("what a log stores of a long message is all of it, though a state keeps only its end", async () => {
  const said = Array.from({ length: 30_000 }, (_, index) => String(index).padEnd(60, "."));
  const pieces = said.map((text): SessionEvent => {
    return { type: "agent_message_chunk", messageId: "m", content: { type: "text", text } };
  });
  const [, message] = await compactEvents([{ type: "session_opened", sessionId: "s", cwd: "/work" }, ...pieces]);
  if (message?.type !== "agent_message") throw new Error(`a ${message?.type} instead of the message`);
  expect(message.content?.map((block) => ("text" in block ? block.text : "")).join("")).toBe(said.join(""));
});
