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

it.each([undefined, 32 * 1024 * 1024])(
  "a long log leaves turns to the rest of the process, bound %s",
  async (maxEventBytes) => {
    const text = (index: number): SessionEvent => ({
      type: "agent_message_chunk",
      messageId: "m",
      content: { type: "text", text: `${index % 10}` },
    });
    const events = Array.from({ length: 5_000 }, (_, index) => text(index));
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    const fewer = await compactEvents(events, maxEventBytes === undefined ? {} : { maxEventBytes });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
    expect(fewer).toHaveLength(2);
  },
);
