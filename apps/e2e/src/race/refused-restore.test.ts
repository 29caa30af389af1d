import { messageText } from "@turnkit/session";
import type { Frame } from "@turnkit/testing";
import { describe, expect, test } from "vitest";
import { sessionId, stageSession, watchTurn } from "./client-stage.js";
import { type Actor, hold, turn as loopTurn, runSchedules } from "./schedule.js";

const pieces = ["a", "b", "c", "d"];

describe("defect B2: a client restores a session while its turn runs", () => {
  test("defect B2: pieces, the end of the turn, refusals, an agreement and a cancel in any order", async () => {
    const came = { refused: 0, restored: 0, cancelled: 0 };
    await runSchedules(async (schedule) => {
      const { random } = schedule;
      const heard: string[] = [];
      const stage = await stageSession(schedule, {}, (event) => {
        if (event.type === "agent_message_chunk" && event.content.type === "text") heard.push(event.content.text);
      });
      const { session, client, dialect, peer } = stage;
      const isAgreed = random.chance(0.3);
      const turn = session.prompt("go");
      const seen = watchTurn(schedule, "the turn", turn);
      const prompt = await peer.call("session/prompt");
      const state = (state: string, more = {}) => ({ sessionUpdate: "state_update", state, background: [], ...more });
      if (dialect === "v2") {
        stage.update({ sessionUpdate: "user_message", messageId: "u", content: [{ type: "text", text: "go" }] });
        stage.update(state("running"));
        peer.answer(prompt, { messageId: "u" });
      }
      await loopTurn();
      const calls = () => [...stage.calls("session/load"), ...stage.calls("session/resume")];
      const restores: string[] = [];
      const restore = () =>
        void schedule
          .mustSettle("restore", client.restore(sessionId, { cwd: "/work" }))
          .then(({ status }) => restores.push(status));
      const settleCall = (n: number) => ({
        name: isAgreed ? `agree ${n + 1}` : `refuse ${n + 1}`,
        when: () => calls()[n] !== undefined,
        run: () => {
          const call = calls()[n] as Frame;
          if (isAgreed) peer.answer(call, {});
          else peer.refuse(call, { code: -32602, message: "no" });
        },
      });
      const isCancelled = random.chance(0.4);
      // The agent does not obey: it says the rest, and ends the turn by itself.
      const cancel = () => void schedule.mustSettle("cancel", session.cancel());
      const finish: Actor[number] = {
        name: "the turn ends",
        run: () =>
          dialect === "v2" ? stage.update(state("idle", { stopReason: "end_turn" })) : stage.finish(prompt, "end_turn"),
      };
      await schedule.run([
        [{ name: "restore", run: restore }],
        random.chance(0.4) ? [{ name: "restore again", when: () => restores.length > 0, run: restore }] : [],
        [settleCall(0), settleCall(1)],
        [...pieces.map((text) => ({ name: `say ${text}`, run: () => stage.say(text) })), finish],
        isCancelled ? [{ name: "cancel", run: cancel }] : [],
      ]);
      await loopTurn();
      hold(seen.ends.length === 1, "the turn has ended", seen);
      if (isAgreed) {
        hold(session.state.closed, "the session gave way");
        came.restored++;
      } else {
        const text = [...session.state.timeline]
          .map((entry) => (entry.type === "message" && entry.role === "agent" ? messageText(entry) : ""))
          .join("");
        hold(text === pieces.join(""), "the session holds every piece once", text);
        hold(heard.join("") === pieces.join(""), "listeners heard every piece once, in order", heard);
        hold(seen.ends[0] === "end_turn" || isCancelled, "the turn ends as the agent said", seen);
        if (isCancelled) came.cancelled++;
        hold(session.state.activity.state === "idle", "the session is idle", session.state.activity);
        hold(!session.state.closed && restores.every((status) => status === "unavailable"), "it is open", restores);
        came.refused++;
      }
      void schedule.mustSettle("close", client.close());
      await schedule.settle();
    });
    expect(Math.min(...Object.values(came))).toBeGreaterThan(50);
  }, 60_000);
});
