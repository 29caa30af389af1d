import { messageText } from "@turnkit/session";
import { expect, test } from "vitest";
import type { Session } from "../src/index.js";
import { gate, openSession, settle } from "./raw-agent.js";

const textOf = ({ state }: Session) =>
  [...state.timeline]
    .map((entry) => (entry.type === "message" && entry.role === "agent" ? messageText(entry) : ""))
    .join("");

/** Opens a view as a second browser tab is one: a copy of the state, replaced after each change. */
function openView(session: Session) {
  const view = { shown: textOf(session) };
  session.subscribe(() => {
    view.shown = textOf(session);
  });
  return view;
}

test("defect F8: a second view that draws the state shows each piece once, though listeners are behind the state", async () => {
  const { agent, session } = await openSession();
  const [begun, held] = [gate(), gate()];
  let heard = 0;
  session.onEvent(async (event) => {
    if (event.type !== "agent_message_chunk") return;
    heard += 1;
    begun.open();
    await held.promise;
  });
  const turn = session.prompt("hi");
  const call = await agent.call("session/prompt");
  const first = openView(session);
  for (const piece of ["a", "b"]) agent.say("s-1", piece);
  await begun.promise;
  await settle(agent);
  const second = openView(session);
  // One event was told, and the copy has both: a view of copy and events would show "b" twice.
  expect([heard, second.shown]).toEqual([1, "ab"]);
  agent.say("s-1", "c");
  await settle(agent);
  held.open();
  agent.answer(call, { stopReason: "end_turn" });
  await turn.ended;
  expect([first.shown, second.shown]).toEqual(["abc", "abc"]);
});
