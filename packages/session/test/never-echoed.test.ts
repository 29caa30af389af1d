import { expect, test } from "vitest";
import { createSessionState, reduce, type SessionEvent } from "../src/index.js";

const events = (turn: number, named: boolean): readonly SessionEvent[] => [
  { type: "prompt_sent", promptId: `p-${turn}`, content: [{ type: "text", text: "hi" }] },
  { type: "prompt_accepted", promptId: `p-${turn}`, ...(named && { messageId: `u-${turn}` }) },
  { type: "state_update", state: "running" },
  { type: "agent_message_chunk", messageId: `a-${turn}`, content: { type: "text", text: "ok" } },
  { type: "state_update", state: "idle", stopReason: "end_turn" },
];

test.each([true, false])("defect B9: prompts that no agent echoes are not remembered for ever (named: %s)", (named) => {
  let state = createSessionState({ stateBytes: 65_536 });
  const sizes: number[] = [];
  for (let turn = 1; turn <= 2_000; turn++) {
    state = events(turn, named).reduce(reduce, state);
    if (turn % 1_000 === 0) sizes.push(JSON.stringify(state.internal).length);
  }
  const [early = 0, late = 0] = sizes;
  expect(late - early).toBeLessThan(200);
  expect(late).toBeLessThan(4_000);
});

test("defect B9: an echo that comes late still belongs to its prompt", () => {
  let state = createSessionState();
  for (let turn = 1; turn <= 20; turn++) state = events(turn, true).reduce(reduce, state);
  const count = state.timeline.length;
  const echo = { type: "user_message", messageId: "u-5", content: [{ type: "text", text: "hi" }] } as const;
  expect(reduce(state, echo).timeline.length).toBe(count);
});
