import type { SessionEvent } from "@turnkit/client";
import { type Frame, installManualClock } from "@turnkit/testing";
import { describe, test } from "vitest";
import { sessionId, stageSession } from "./client-stage.js";
import { hold, runSchedules } from "./schedule.js";

const answers: readonly object[] = [
  { error: { code: -32603, message: "the model is gone" } },
  { error: { code: -32800, message: "Request cancelled" } },
  { error: "broken" },
  { result: 7 },
];

describe("error answers of prompts among updates, some in one write", () => {
  test("are heard in their place: what was sent before them before, what follows them after", async () => {
    await runSchedules(async (schedule) => {
      using clock = installManualClock();
      const { random } = schedule;
      const heard: string[] = [];
      const listener = async (event: SessionEvent) => {
        if (event.type === "agent_message_chunk" && event.content.type === "text") heard.push(event.content.text);
        const isEnd = event.type === "turn_ended" || event.type === "prompt_failed";
        // A prompt that failed has ended its turn too.
        if (isEnd && !heard.includes(`end of ${event.promptId}`)) heard.push(`end of ${event.promptId}`);
        if (random.chance(0.3)) await undefined;
      };
      const stage = await stageSession(schedule, {}, listener as (event: SessionEvent) => void);
      const { session, peer } = stage;
      const sent: string[] = [];
      const say = (text: string): object => {
        sent.push(text);
        const update = { sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text } };
        return { method: "session/update", params: { sessionId, update } };
      };
      const prompts = [0, 1, 2].map((n) => ({
        name: `prompt ${n}`,
        run: () => void schedule.mustSettle(`turn ${n}`, session.prompt(String(n)).ended),
      }));
      const ends = [0, 1, 2].map((n) => ({
        name: `agent fails ${n}`,
        when: () => stage.calls("session/prompt")[n] !== undefined,
        run: () => {
          const { id } = stage.calls("session/prompt")[n] as Frame;
          const before = random.chance(0.5) ? [say(`before ${n}`)] : [];
          sent.push(`end of prompt-${n + 1}`);
          peer.send(...before, { id, ...answers[random.below(answers.length)] }, say(`after ${n}`));
        },
      }));
      const words = [0, 1, 2, 3].map((n) => ({ name: `say ${n}`, run: () => peer.send(say(`word ${n}`)) }));
      await schedule.run([prompts, ends, words]);
      await schedule.settle(clock);
      hold(heard.join() === sent.join(), "listeners hear all in the order of the wire", heard, sent);
      hold(session.state.activity.state === "idle", "nothing is left running", session.state.activity);
    });
  }, 120_000);
});
