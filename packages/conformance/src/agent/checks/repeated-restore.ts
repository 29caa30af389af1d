import type { AgentCheck } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, membersOf, objectsIn, textOf, updateKind, updateOf } from "../../entry.js";
import { expect, skip } from "../../verdict.js";
import { needed } from "../agent-trial.js";
import { restored, restoredAgain } from "./restore.js";

/** Checks of a session that is restored more than once. */
export const repeatedRestoreChecks: readonly AgentCheck[] = [
  {
    id: "TK-LOAD-09",
    title: "A session that is brought back a second time replays each message as often as the first time.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-SESS-20", "V2-SES-08", "V2-SES-12"],
    async run(agent) {
      const first = await needed(restored(agent));
      const asked = agent.options.prompts.say;
      const before = timesIn(first.replay, "user", asked);
      if (before === 0) skip("The first replay does not have the text of the prompt.");
      if (agent.offers("close")) await needed(agent.ask("session/close", { sessionId: first.session }));
      const second = await needed(restoredAgain(agent, first.session));
      const now = timesIn(second.replay, "user", asked);
      const place = [second.answer.request, ...messagesOf(second.replay, "user"), second.answer];
      expect(now === before, `the prompt came ${now} times, and ${before} times in the first replay`, ...place);
      // A greeting may differ between two replays, so only a repetition is certainly wrong.
      const said = textsOf(first.replay, "agent");
      const times = said === "" ? 1 : timesIn(second.replay, "agent", said);
      const messages = messagesOf(second.replay, "agent");
      expect(times < 2, `the messages of the agent came ${times} times`, second.answer.request, ...messages);
    },
  },
];

type Author = "user" | "agent";

const messagesOf = (replay: readonly Entry[], by: Author): readonly Entry[] =>
  replay.filter((entry) => updateKind(entry)?.startsWith(`${by}_message`));

/** Returns the texts of the messages of one side as one text. Pieces and whole messages give the same text. */
function textsOf(replay: readonly Entry[], by: Author): string {
  return messagesOf(replay, by)
    .flatMap((entry) => {
      const { content } = updateOf(entry) ?? {};
      return (Array.isArray(content) ? objectsIn(content) : [membersOf(content)]).map(({ text }) => text ?? "");
    })
    .map(textOf)
    .join("");
}

function timesIn(replay: readonly Entry[], by: Author, text: string): number {
  return textsOf(replay, by).split(text).length - 1;
}
