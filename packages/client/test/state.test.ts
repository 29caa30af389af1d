import { createSnapshot, type SessionState } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import { chunk, newSession, openSession, RawAgent, settle } from "./raw-agent.js";

const texts = (state: SessionState): string[] =>
  [...state.timeline].flatMap((entry) =>
    entry.type === "message" ? [...entry.content].map((block) => String((block as { text?: string }).text)) : [],
  );

/** A conversation that is longer than what may be left to fold, with pieces that are larger. */
const conversation = Array.from({ length: 700 }, (_, index) => {
  if (index % 50 === 49) return { sessionUpdate: "tool_call", toolCallId: `t-${index}`, title: `Call ${index}` };
  if (index % 50 === 48) return { sessionUpdate: "session_info_update", _meta: { [`k${index % 3}`]: index } };
  return chunk(index === 300 ? "x".repeat(100_000) : `${index} `);
});

describe("the state is as if every event was folded at receipt", () => {
  test.each(["patch", "replace"] as const)("whoever reads it when, with metadata to %s", async (metaMode) => {
    const opened = await openSession({ metaMode });
    const { agent, session: unread } = opened;
    const read = await newSession(opened, "s-2");
    const followed = await newSession(opened, "s-3");
    followed.subscribe(() => void followed.state);
    for (const update of conversation) {
      for (const sessionId of ["s-1", "s-2", "s-3"]) agent.send(RawAgent.update(sessionId, update));
      await settle(agent);
      void read.state;
    }
    const states = [unread, read, followed].map(({ state }) => JSON.stringify(createSnapshot(state)));
    expect(new Set(states.map((text) => text.replace(/"s-\d"/g, '"s"'))).size).toBe(1);
    expect(texts(unread.state).join("")).toContain("697 ");
    expect(Object.keys(unread.state._meta ?? {})).toHaveLength(metaMode === "patch" ? 3 : 1);
  });

  test("a listener finds its event in it, and reading changes nothing", async () => {
    const seen: string[] = [];
    const { agent, session } = await openSession();
    session.onEvent((event) => {
      if (event.type === "agent_message_chunk") seen.push(texts(session.state).join(""));
    });
    for (const text of ["a", "b", "c"]) {
      agent.say("s-1", text);
      await settle(agent);
    }
    expect(seen).toEqual(["a", "ab", "abc"]);
    expect(session.state).toBe(session.state);
  });

  test("a subscriber is called for no change from before it", async () => {
    let calls = 0;
    const { agent, session } = await openSession();
    agent.say("s-1", "before");
    await settle(agent);
    session.subscribe(() => {
      calls += 1;
    });
    // Not a change: the title is what it was.
    agent.update("s-1", { sessionUpdate: "session_info_update" });
    await settle(agent);
    expect(calls).toBe(0);
    agent.say("s-1", "after");
    await settle(agent);
    expect(calls).toBe(1);
  });

  test("a caller that uses its list of blocks again does not change what it prompted", async () => {
    const { agent, session } = await openSession();
    const blocks = [{ type: "text", text: "first" } as const];
    const turn = session.prompt(blocks);
    blocks.length = 0;
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    await turn.ended;
    expect(texts(session.state)).toEqual(["first"]);
  });
});
