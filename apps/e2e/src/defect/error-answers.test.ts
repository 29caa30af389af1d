import type { SessionEvent } from "@turnkit/client";
import { describe, expect, test } from "vitest";
import { arrive, bySteps, dialects, sessionId, stageSession } from "./stage.js";

const update = (text: string) => ({
  method: "session/update",
  params: {
    sessionId,
    update: { sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text } },
  },
});

/** Answers of a prompt that are no success: each an end that must be seen at its receipt. */
const answers: readonly [string, object][] = [
  ["an error", { error: { code: -32603, message: "the model is gone" } }],
  ["a cancelled request", { error: { code: -32800, message: "Request cancelled" } }],
  ["a result that cannot be read", { result: "done" }],
  ["an error that is none", { error: "broken" }],
];

describe.each(dialects)("an update in the same write as the answer to a prompt (%s)", (speak) => {
  test.each(answers)("defect B8: is heard after the end, when that is %s", async (_, answer) => {
    const heard: string[] = [];
    const stage = await stageSession(bySteps(), { speak }, (event: SessionEvent) => void heard.push(event.type));
    const { peer, session } = stage;
    const turn = session.prompt("go");
    turn.ended.catch(() => undefined);
    const { id } = await peer.call("session/prompt");
    await arrive();
    heard.length = 0;
    peer.send({ id, ...answer }, update("late"));
    await arrive();
    const last = heard.lastIndexOf("turn_ended");
    expect(heard.slice(last)).toEqual(["turn_ended", "agent_message_chunk"]);
    expect(heard.slice(0, last)).not.toContain("agent_message_chunk");
  });

  test("defect B8: finds the state in which the prompt has failed", async () => {
    const found: unknown[] = [];
    const stage = await stageSession(bySteps(), { speak }, (event) => {
      if (event.type !== "agent_message_chunk") return;
      const { state } = stage.session;
      const entry = state.timeline.at(0);
      found.push(state.activity.state, state.lastTurn?.stopReason, entry?.type === "message" && entry.prompt?.status);
    });
    const { peer, session } = stage;
    session.prompt("go").ended.catch(() => undefined);
    const { id } = await peer.call("session/prompt");
    await arrive();
    peer.send({ id, error: { code: -32603, message: "the model is gone" } }, update("late"));
    await arrive();
    // In version 2 a prompt that was refused began no turn.
    expect(found).toEqual(speak === "v2" ? ["idle", undefined, "failed"] : ["idle", "error", "accepted"]);
  });
});
