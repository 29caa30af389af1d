import type { AgentCheck } from "../../check.js";
import { type Entry, labelOf, updateKind } from "../../entry.js";
import { sessionOf } from "../../talk.js";
import { expect, expectError, fail } from "../../verdict.js";
import { needed } from "../agent-trial.js";
import { previewRule } from "../older-draft.js";
import { isHistory, restored, resumed } from "./restore.js";

/** Checks of the state and the marker at the end of a restore. */
export const replayEndChecks: readonly AgentCheck[] = [
  {
    id: "TK-RESUME-01",
    title: "session/resume sends the state of the session before its answer.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-SES-10"],
    quick: true,
    async run(agent) {
      const { answer, session } = await needed(resumed(agent));
      const from = answer.request?.index;
      const state = agent.talk
        .of("agent", from)
        .find(
          (entry) => updateKind(entry) === "state_update" && sessionOf(entry) === session && entry.index < answer.index,
        );
      expect(state !== undefined, "no state came", answer.request, answer);
    },
  },
  {
    id: "TK-RESUME-02",
    title: "A place for a replay that the agent does not know is refused with the error -32602.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-SES-09", "V2-EXT-05"],
    async run(agent) {
      const sessionId = await agent.open();
      const params = { sessionId, cwd: agent.options.cwd, replayFrom: { type: "_turnkit" } };
      expectError(await agent.ask("session/resume", params), -32602);
    },
  },
  {
    id: "TK-RESUME-03",
    title: "A replay ends with one replay_complete, after its last update and before the answer.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["P-REPLAY-01"],
    quick: true,
    run: previewRule(async (agent) => {
      const { answer, session, replay } = await needed(restored(agent));
      const ends = agent.talk.of("agent").filter((entry) => isEnd(entry) && sessionOf(entry) === session);
      const [end] = ends;
      expect(ends.length === 1, `${ends.length} markers came`, answer.request, ...ends, answer);
      const late = replay.find((entry) => isHistory(entry) && entry.index > (end as Entry).index);
      if (late) fail(`${labelOf(late)} came after the replay`, end, late);
      expect((end as Entry).index < answer.index, "the marker came after the answer", answer, end);
    }),
  },
  {
    id: "TK-RESUME-04",
    title: "Without a replay, no replay_complete comes.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["P-REPLAY-02"],
    async run(agent) {
      await needed(resumed(agent));
      await agent.settle();
      const end = agent.talk.of("agent").find(isEnd);
      if (end) fail("there was no replay", end);
    },
  },
];

const isEnd = (entry: Entry): boolean => updateKind(entry) === "replay_complete";
