import { expect, it } from "vitest";
import { createSessionState } from "../src/create-session-state.js";
import type { MessageEntry } from "../src/entry.js";
import type { SessionEvent } from "../src/event.js";
import { reduce, reduceAll } from "../src/reduce.js";
import { messageParts } from "../src/select.js";
import type { SessionState } from "../src/state.js";

it("defect E37: the parts of a message are texts and other blocks in order, and only new ones are read", () => {
  let looks = 0;
  const counted = (said: string): SessionEvent => ({
    type: "agent_message_chunk",
    content: {
      type: "text",
      get text() {
        looks++;
        return said;
      },
    },
  });
  const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
  const partsOf = (state: SessionState) => messageParts(state.timeline.at(0) as MessageEntry);
  let state = createSessionState();
  const early = reduceAll(state, [counted("a"), counted("b"), { type: "agent_message_chunk", content: image }]);
  expect(partsOf(early)).toEqual(["ab", image]);
  state = early;
  looks = 0;
  for (let index = 0; index < 500; index++) {
    state = reduce(state, counted("c"));
    partsOf(state);
  }
  expect(partsOf(state)).toEqual(["ab", image, "c".repeat(500)]);
  expect(partsOf(state)).toBe(partsOf(state));
  expect(partsOf(early)).toEqual(["ab", image]);
  expect(looks).toBeLessThan(5_000);
});
