import { expect, test } from "vitest";
import { gate, openAs, v2Hello } from "../raw-client.js";

test("V2-UPD-27: a child is announced on its parent before what is said of it, to a client that promised nothing", async () => {
  const { client, sessionId } = await openAs(v2Hello, {
    prompt: async ({ session }) => {
      session.emit({ type: "subagent_update", sessionId: "c", title: "Child", state: { state: "running" } });
      session.emit({ type: "session_message", messageId: "m", recipientSessionId: "c", content: [] });
      session.setBackground([{ type: "subagent", sessionId: "c" }]);
      session.emit({ type: "subagent_update", sessionId: "c", state: { state: "idle", stopReason: "end_turn" } });
    },
  });
  await client.ask(sessionId);
  await client.next((frame) => frame.params?.update?.state === "idle");
  const about = client.received.filter((frame) => JSON.stringify(frame).includes('"c"'));
  expect(new Set(about.map(({ params }) => params.sessionId))).toEqual(new Set([sessionId]));
  expect(about.map(({ params }) => params.update.sessionUpdate)).toEqual([
    "subagent_update",
    "session_message",
    "state_update",
    "subagent_update",
    // The end of the turn: the child is the parent's still.
    "state_update",
  ]);
  expect(about[0]?.params.update).not.toHaveProperty("capabilities");
});

test("V2-UPD-27: nothing can be changed about a child that does not offer it, and its parent is not meant either", async () => {
  const going = gate();
  const { client, sessionId } = await openAs(v2Hello, {
    prompt: async ({ session, signal }) => {
      session.emit({ type: "subagent_update", sessionId: "c", state: { state: "running" } });
      await going.promise;
      return signal.aborted ? "cancelled" : "end_turn";
    },
  });
  client.prompt(sessionId);
  await client.update("subagent_update");
  const child = { sessionId: "c" };
  client.cancel("c");
  for (const [method, params] of [
    ["session/prompt", { ...child, prompt: [{ type: "text", text: "stop" }] }],
    ["session/set_config_option", { ...child, configId: "o", type: "id", value: "a" }],
    ["tool_call/cancel", { ...child, toolCallId: "t" }],
    ["terminal/cancel", { ...child, terminalId: "t" }],
  ] as const) {
    expect(await client.error(method, params), method).toMatchObject({ code: -32002, data: child });
  }
  going.open();
  const idle = await client.next((frame) => frame.params?.update?.state === "idle");
  expect(idle.params).toMatchObject({ sessionId, update: { stopReason: "end_turn" } });
});
