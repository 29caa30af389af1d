import { expect, test } from "vitest";
import type { WireEvent } from "./event.js";
import { createSessionState, reduceAll, type SessionState } from "./index.js";
import { jsonBytes } from "./json-bytes.js";
import { splitEvent } from "./split-event.js";
import { stateEvents } from "./state-events.js";

const message = (messageId: string, text: string): WireEvent => ({
  type: "agent_message",
  messageId,
  content: [{ type: "text", text }],
});

const stateOf = (events: Parameters<typeof reduceAll>[1]) => reduceAll(createSessionState(), events);

function textOf({ timeline }: SessionState): string {
  const [entry] = timeline;
  const blocks = entry?.type === "message" ? [...entry.content] : [];
  return blocks.map((block) => (block as { readonly text: string }).text).join("");
}

test.each(["hello", "😀", "a", "\u0001\u0001"])(
  "text %j is never lost, however little room a long id leaves",
  (text) => {
    const event = message("m".repeat(100), text);
    for (let maxBytes = 1; maxBytes < 250; maxBytes += 1) {
      const parts = splitEvent(event, maxBytes);
      expect(textOf(stateOf(parts))).toBe(text);
      const events = stateEvents(stateOf([event]), { maxEventBytes: maxBytes });
      for (const one of events ?? []) expect(jsonBytes(one)).toBeLessThanOrEqual(maxBytes);
    }
  },
);

test("text without room in any event stays whole", () => {
  const chunk = { type: "agent_message_chunk", content: { type: "text", text: "hello" } };
  expect(splitEvent(message("m".repeat(200), "hello"), 200).at(-1)).toMatchObject(chunk);
  expect(stateEvents(stateOf([message("m".repeat(200), "hello")]), { maxEventBytes: 200 })).toBeUndefined();
});
