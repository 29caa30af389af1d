import { expect, it } from "vitest";
import type { Evidence, Frame } from "./evidence.js";
import { createReport } from "./run-doctor.js";

const sent = (message: object): Frame => ({ ms: 0, way: "sent", message });
const received = (message: object): Frame => ({ ms: 0, way: "received", message });
const update = (members: object, sessionId = "s") =>
  received({ method: "session/update", params: { sessionId, update: members } });
const prompt = (id: number) => sent({ id, method: "session/prompt", params: { sessionId: "s", idempotencyKey: "k" } });
const opened = [sent({ id: 1, method: "session/new" }), received({ id: 1, result: { sessionId: "s" } })];

/** Result of one check of these messages, and what it saw. */
function checked(id: string, frames: readonly Frame[], more: Partial<Evidence> = {}) {
  const evidence = { ...{ frames, noise: [], diagnostics: [], unknownUpdates: [], anomalies: [] }, ...more };
  const found = createReport(["a"], evidence).checks.find((check) => check.id === id);
  return found?.result === "finding" ? found.seen : found?.result;
}

it("P-IDEM-04: answers of version 1, which end the turn, name no message of a key", () => {
  const end = (id: number) => received({ id, result: { messageId: `m${id}`, stopReason: "end_turn" } });
  expect(checked("prompt-key", [prompt(2), end(2), prompt(3), end(3)])).toBe("untested");
  const answer = (id: number) => received({ id, result: { messageId: `m${id}` } });
  expect(checked("prompt-key", [prompt(2), answer(2), prompt(3), answer(3)])).toBe(
    "one key with two messages: m2 and m3",
  );
});

it("a replay without a message of the conversation is a fault", () => {
  const restoredTo = (timeline: readonly object[]) =>
    ({ status: "done", ms: 1, value: { status: "replayed", session: { state: { timeline } } } }) as never;
  expect(checked("restore", [], { restored: restoredTo([{ type: "tool_call" }]) })).toBe("a replay without a message");
  expect(checked("restore", [], { restored: restoredTo([{ type: "message" }]) })).toBe("fine");
});

it("P-SUB-14: a child session that is background work of its parent need not be idle", () => {
  const child = update({ sessionUpdate: "subagent_update", sessionId: "kid", state: "running" });
  const background = [{ type: "subagent", sessionId: "kid" }];
  const idle = update({ sessionUpdate: "state_update", state: "idle", background });
  expect(checked("children-end", [...opened, child, idle])).toBe("fine");
  expect(checked("children-end", [...opened, child])).toBe("one child session without an end: kid (running)");
  expect(checked("children-end", [...opened, child], { leftOut: 1 })).toBe("untested");
});

it.each([
  { sessionUpdate: "session_message", senderSessionId: "kid", recipientSessionId: "s" },
  { sessionUpdate: "state_update", state: "idle", background: [{ type: "subagent", sessionId: "kid" }] },
  { sessionUpdate: "tool_call_update", content: [{ type: "session", sessionId: "kid" }] },
])("P-SUB-03: $sessionUpdate that names a child session needs its announcement", (members) => {
  expect(checked("children-announced", [...opened, update(members)])).toBe(
    "one message about an unknown session: session/update names kid",
  );
  const announced = update({ sessionUpdate: "subagent_update", sessionId: "kid" });
  expect(checked("children-announced", [...opened, announced, update(members)])).toBe("fine");
});
