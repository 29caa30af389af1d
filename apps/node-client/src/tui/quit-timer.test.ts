import { expect, it, onTestFinished, vi } from "vitest";
import type { Actions } from "./actions.js";
import { Conversation } from "./conversation.js";
import { createUnopenedSession } from "./unopened-session.js";

it("defect P26: a second Ctrl-C long after the first does not end the program", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const quit = vi.fn();
  const changed = vi.fn();
  const session = createUnopenedSession("/work");
  const facts = { session: () => session, isDead: () => false, history: [], remember() {}, fault() {} };
  const person = new Conversation({ ...facts, changed, actions: { quit } as Partial<Actions> as Actions });
  const pressCtrlC = () => person.press({ name: "ctrl", letter: "c" }, {} as never);
  pressCtrlC();
  expect(person.ui.notice).toBe("Press Ctrl-C again to end turnkit.");
  changed.mockClear();
  vi.advanceTimersByTime(60_000);
  expect([person.ui.notice, changed.mock.calls.length]).toEqual([undefined, 1]);
  pressCtrlC();
  expect(quit).not.toHaveBeenCalled();
  pressCtrlC();
  expect(quit).toHaveBeenCalledOnce();
});
