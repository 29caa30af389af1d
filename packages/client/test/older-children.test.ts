import { messageText } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import type { Session } from "../src/index.js";
import { chunk, openSession, settle } from "./raw-agent.js";

const text = { type: "text", text: "Run all tests" };
const message = (members: object) => ({ sessionUpdate: "session_message", messageId: "m", ...members });

describe("agents of version 1 on older drafts", () => {
  test("P-OLD-02: an agent that speaks air has child sessions too, and its capabilities are their own", async () => {
    const { agent, session } = await openSession();
    const spawned = { sessionUpdate: "subagent_spawned", subagentSessionId: "kid", name: "Test runner", task: "Test" };
    agent.update("s-1", { ...spawned, prompt: "Run all tests", capabilities: {} });
    agent.update("kid", chunk("All green"));
    agent.update("s-1", { sessionUpdate: "subagent_state_update", subagentSessionId: "kid", state: "completed" });
    await settle(agent);
    const [kid] = session.children as [Session];
    expect(kid.titles).toEqual(["Test runner"]);
    expect([...kid.state.timeline].map((entry) => entry.type === "message" && messageText(entry))).toEqual([
      "All green",
    ]);
    expect(kid.state.activity).toMatchObject({ state: "idle", stopReason: "end_turn" });
    await expect(kid.cancel()).rejects.toMatchObject({ code: "capability" });
  });

  test.each([
    ["keep", { senderSessionId: "s-1", recipientSessionId: "kid" }],
    ["clear", { senderSessionId: undefined, recipientSessionId: undefined }],
  ] as const)("P-OLD-01: null as a session of a message, with the option to %s", async (nullSessionIds, left) => {
    const heard: object[] = [];
    const { agent, session } = await openSession({ nullSessionIds });
    session.onEvent((event) => void heard.push(event));
    agent.update("s-1", message({ senderSessionId: "s-1", recipientSessionId: "kid", senderMessageId: "n" }));
    agent.update("s-1", message({ senderSessionId: null, recipientSessionId: null, senderMessageId: null }));
    agent.update("s-1", { sessionUpdate: "session_message_chunk", messageId: "m", content: text });
    await settle(agent);
    const [entry] = session.state.timeline;
    expect(entry).toMatchObject({ type: "session_message", ...left });
    expect(entry).not.toHaveProperty("senderMessageId", "n");
    // Listeners get what the state has.
    expect(heard[1]).toMatchObject(nullSessionIds === "keep" ? { senderMessageId: null } : { senderSessionId: null });
    expect("senderSessionId" in (heard[1] as object)).toBe(nullSessionIds === "clear");
  });
});
