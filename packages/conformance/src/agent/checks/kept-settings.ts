import type { AgentCheck } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, type Frame, membersOf, objectsIn, resultOf, show, updateKind } from "../../entry.js";
import { sessionOf } from "../../talk.js";
import { expect, expectResult, skip } from "../../verdict.js";
import { type AgentTrial, needed } from "../agent-trial.js";
import { idOfOption, isOpening, modesOf, optionsOf, settingOf, valuesOf } from "./settings.js";

/** Checks of modes and options that another session, or a refused request, must not change. */
export const keptSettingChecks: readonly AgentCheck[] = [
  {
    id: "TK-MODES-05",
    title: "session/set_mode changes the mode only of its own session.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-SESS-03", "V1-MODE-02"],
    async run(agent) {
      const { sessionId, modes, currentModeId } = await modesOf(agent);
      agent.requires("load");
      const second = await agent.newSession();
      if (second === sessionId) skip("Both sessions have the same id.");
      await needed(agent.turn(second, "say"));
      const before = membersOf(resultOf(agent.talk.of("agent").findLast(isOpening)).modes).currentModeId;
      const modeId = modes.find((mode) => mode !== currentModeId && mode !== before);
      if (modeId === undefined) skip("The agent has only one mode.");
      const set = await agent.did("session/set_mode", { sessionId, modeId });
      // If the session stays open, and is not read from a store, the restore has its current settings.
      const load = { sessionId: second, cwd: agent.options.cwd, ...agent.dialect.restore.params };
      const answer = await agent.ask("session/load", load);
      if (answer.kind !== "result") skip("The agent does not load a session that is open.");
      if (isTold(agent, second, "current_mode_update")) skip("The agent changed the mode of the other session itself.");
      const now = membersOf(resultOf(answer).modes).currentModeId;
      expect(now !== modeId, `the mode of the other session is now ${show(now)}`, set.request, answer.request, answer);
    },
  },
  {
    id: "TK-CONFIG-08",
    title: "session/set_config_option changes the option only in its own session.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-SESS-03", "V2-CFG-04"],
    async run(agent) {
      const { sessionId, option, other } = await twoOptionsOf(agent);
      const second = await agent.newSession();
      const opening = agent.talk.of("agent").findLast(isOpening);
      const before = optionIn(opening, option)?.currentValue;
      const set = await agent.did(
        "session/set_config_option",
        settingOf(agent, sessionId, { ...option, currentValue: valuesOf(option).find((one) => one !== before) }),
      );
      // Every answer has all options. A request that sets another option to its current value therefore shows the first
      // option too.
      const shown = settingOf(agent, second, optionIn(opening, other) ?? other);
      const answer = await agent.did("session/set_config_option", shown);
      if (isTold(agent, second, "config_option_update"))
        skip("The agent changed the options of the other session itself.");
      const now = optionIn(answer, option)?.currentValue;
      const reason = `the value of ${show(idOfOption(option))} in the other session is ${show(now)}`;
      expect(now === before, reason, set.request, answer.request, answer);
    },
  },
  {
    id: "TK-CONFIG-09",
    title: "A value that was refused does not become the value of the option.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-CFG-09", "V2-CFG-04"],
    async run(agent) {
      const { sessionId, option, other } = await twoOptionsOf(agent);
      const wrong = settingOf(agent, sessionId, { ...option, currentValue: "turnkit-no-such-value" });
      const refused = await agent.ask("session/set_config_option", wrong, "deliberate");
      if (refused.kind !== "error") skip("The agent did not refuse the value.");
      const answer = await agent.ask("session/set_config_option", settingOf(agent, sessionId, other));
      // The other option gets the value that it has.
      expectResult(answer);
      const now = optionIn(answer, option)?.currentValue;
      const reason = `the value of ${show(idOfOption(option))} is now ${show(now)}`;
      expect(now !== "turnkit-no-such-value", reason, refused.request, refused, answer.request, answer);
    },
  },
];

/** Opens a session, and returns an option with several values, and another option. Skips the check if there are none. */
async function twoOptionsOf(agent: AgentTrial) {
  const { sessionId, options } = await optionsOf(agent);
  const option = options.find((one) => one.type === "select" && valuesOf(one).length > 1);
  const other = options.find((one) => one !== option);
  if (option === undefined || other === undefined)
    skip("The agent does not have two options, one of them with several values.");
  return { sessionId, option, other };
}

/** Returns `true` if an update of one kind came for a session. */
function isTold(agent: AgentTrial, session: string, kind: string): boolean {
  return agent.talk.of("agent").some((entry) => sessionOf(entry) === session && updateKind(entry) === kind);
}

/** Returns the option of an answer that has the same id as `option`. */
function optionIn(answer: Entry | undefined, option: Frame): Frame | undefined {
  return objectsIn(resultOf(answer).configOptions).find((one) => idOfOption(one) === idOfOption(option));
}
