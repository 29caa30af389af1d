import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../event.js";
import { messageText } from "../select.js";
import { watchSessions } from "./connection-watch.js";

/** A watch of version 2 with one session, and the events that it has published. */
function watching() {
  const events: SessionEvent[] = [];
  const watch = watchSessions({ onEvent: (_, event) => events.push(event) });
  const client = (id: number, method: string, params: object) =>
    watch.message({ jsonrpc: "2.0", id, method, params }, "client");
  const answer = (id: number, answered: object) => watch.message({ jsonrpc: "2.0", id, ...answered }, "agent");
  const update = (update: object) =>
    watch.message({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } }, "agent");
  client(0, "initialize", { protocolVersion: 2 });
  answer(0, { result: { protocolVersion: 2, info: { name: "a", version: "1" }, capabilities: { session: {} } } });
  client(1, "session/new", { cwd: "/srv", mcpServers: [] });
  answer(1, { result: { sessionId: "s" } });
  const state = () => watch.sessions.get("s")?.getState();
  return {
    attempt: (id: number) =>
      client(id, "session/prompt", { sessionId: "s", prompt: [{ type: "text", text: "Deploy" }], idempotencyKey: "k" }),
    take: (id: number) => answer(id, { result: { messageId: "u-1" } }),
    refuse: (id: number) => answer(id, { error: { code: -32800, message: "Request cancelled" } }),
    update,
    said: () =>
      [...(state()?.timeline ?? [])].flatMap((entry) =>
        entry.type === "message" ? [`${messageText(entry)} ${entry.messageId ?? ""} ${entry.prompt?.status}`] : [],
      ),
    turns: () => events.flatMap(({ type }) => (type === "turn_started" || type === "turn_ended" ? [type] : [])),
  };
}

describe("attempts to send one prompt on a watched connection", () => {
  it("P-IDEM-14: are one message and one turn, while the first attempt waits and after it was accepted", () => {
    const { attempt, take, update, said, turns } = watching();
    attempt(2);
    attempt(3);
    expect(said()).toEqual(["Deploy  sent"]);
    take(2);
    take(3);
    update({ sessionUpdate: "state_update", state: "running" });
    update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    attempt(4);
    take(4);
    expect(said()).toEqual(["Deploy u-1 accepted"]);
    expect(turns()).toEqual(["turn_started", "turn_ended"]);
  });

  it("P-IDEM-08, P-IDEM-14: a withdrawn attempt leaves the others; after the last one, a further attempt is the same message", () => {
    const { attempt, take, refuse, said, turns } = watching();
    attempt(2);
    attempt(3);
    refuse(3);
    expect(said()).toEqual(["Deploy  sent"]);
    refuse(2);
    expect(said()).toEqual(["Deploy  failed"]);
    attempt(4);
    expect(said()).toEqual(["Deploy  sent"]);
    take(4);
    expect(said()).toEqual(["Deploy u-1 accepted"]);
    expect(turns()).toEqual(["turn_started", "turn_ended", "turn_started"]);
  });
});
