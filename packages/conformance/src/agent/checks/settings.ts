import type { AgentCheck } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, type Frame, membersOf, objectsIn, resultOf, show, textOf, updateOf } from "../../entry.js";
import { sessionOf } from "../../talk.js";
import { expect, expectError, expectResult, fail, skip } from "../../verdict.js";
import type { AgentTrial } from "../agent-trial.js";

/** Checks of modes and options. */
export const settingChecks: readonly AgentCheck[] = [
  {
    id: "ACP-MODES-001",
    title: "The current mode is one of the available modes.",
    tier: "capability",
    dialects: ["v1"],
    requirements: ["V1-MODE-01"],
    async run(agent) {
      const { modes, currentModeId } = await modesOf(agent);
      expect(modes.includes(currentModeId), `the mode ${show(currentModeId)} is not available`);
    },
  },
  {
    id: "ACP-MODES-002",
    title: "session/set_mode to another mode succeeds.",
    tier: "capability",
    dialects: ["v1"],
    requirements: ["V1-MODE-02"],
    async run(agent) {
      const { sessionId, modes, currentModeId } = await modesOf(agent);
      const modeId = modes.find((mode) => mode !== currentModeId);
      if (modeId === undefined) skip("The agent has only one mode.");
      expectResult(await agent.ask("session/set_mode", { sessionId, modeId }));
    },
  },
  {
    id: "TK-MODES-03",
    title: "A mode that is not available is refused.",
    tier: "advisory",
    dialects: ["v1"],
    requirements: ["V1-MODE-05"],
    async run(agent) {
      const { sessionId } = await modesOf(agent);
      expectError(await agent.ask("session/set_mode", { sessionId, modeId: "turnkit-no-such-mode" }));
    },
  },
  {
    id: "TK-MODES-04",
    title: "An update of the mode names an available mode.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-MODE-04", "V1-UPD-24"],
    watch(talk) {
      const available = new Map<unknown, readonly unknown[]>();
      for (const answer of talk.results("session/new")) {
        const { sessionId, modes } = resultOf(answer);
        available.set(
          sessionId,
          objectsIn(membersOf(modes).availableModes).map(({ id }) => id),
        );
      }
      const updates = talk.updates("current_mode_update");
      if (updates.length === 0) skip("No update of the mode came.");
      for (const update of updates) {
        const { currentModeId } = updateOf(update) ?? {};
        const known = available.get(sessionOf(update));
        if (currentModeId === undefined) fail("the update has no currentModeId", update);
        if (known) expect(known.includes(currentModeId), `the mode ${show(currentModeId)} is not available`, update);
      }
    },
  },
  values("ACP-CONFIG-001", ["v1", "seed"], ["V1-CFG-02", "V1-CFG-03", "V1-CFG-05"]),
  values("ACP-CONFIG-204", ["v2"], ["V2-CFG-01", "V2-CFG-02"]),
  {
    id: "TK-CONFIG-05",
    title: "The ids of the options are unique.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-CFG-01", "V2-CFG-01"],
    async run(agent) {
      const { options } = await optionsOf(agent);
      const ids = options.map(idOfOption);
      expect(new Set(ids).size === ids.length, `an id occurs twice in ${show(ids)}`);
    },
  },
  complete("ACP-CONFIG-002", ["v1", "seed"], ["V1-CFG-09"]),
  complete("ACP-CONFIG-202", ["v2"], ["V2-CFG-04"]),
  {
    id: "ACP-CONFIG-003",
    title: "Boolean options are sent only to a client that offers them.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-CFG-04"],
    async run(agent) {
      const { answer, options } = await optionsOf(agent);
      const option = options.find(({ type }) => type === "boolean");
      if (option) fail(`the client does not offer options such as ${show(option)}`, answer);
    },
  },
  {
    id: "TK-CONFIG-06",
    title: "An option or a value that does not exist is refused.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-CFG-09", "V2-CFG-04"],
    async run(agent) {
      const { sessionId, options } = await optionsOf(agent);
      const typed = agent.dialect.name === "v2" ? { type: "id" } : {};
      const set = (configId: unknown, value: string) =>
        agent.ask("session/set_config_option", { sessionId, configId, ...typed, value }, "deliberate");
      expectError(await set("turnkit-no-such-option", "x"));
      const select = options.find(({ type }) => type === "select");
      if (select !== undefined) expectError(await set(idOfOption(select), "turnkit-no-such-value"));
    },
  },
  {
    id: "TK-CONFIG-07",
    title: "A boolean value without its type is answered with the error -32602.",
    tier: "mandatory",
    dialects: ["v1", "v2"],
    requirements: ["V1-CFG-08", "V2-CFG-03"],
    async run(agent) {
      const { sessionId, options } = await optionsOf(agent);
      const [option] = options;
      const params = { sessionId, configId: idOfOption(option as Frame), value: true };
      expectError(await agent.ask("session/set_config_option", params, "deliberate"), -32602);
    },
  },
  {
    id: "ACP-CONFIG-206",
    title: "An update of the options has all of them.",
    tier: "capability",
    dialects: everyDialect,
    requirements: ["V1-UPD-25", "V1-CFG-10", "V2-UPD-19"],
    watch(talk) {
      const known = new Map<unknown, readonly unknown[]>();
      for (const answer of talk.results("session/new")) {
        const { sessionId, configOptions } = resultOf(answer);
        known.set(sessionId, objectsIn(configOptions).map(idOfOption));
      }
      const updates = talk.updates("config_option_update");
      if (updates.length === 0) skip("No update of the options came.");
      for (const update of updates) {
        const ids = objectsIn(updateOf(update)?.configOptions).map(idOfOption);
        const missing = known.get(sessionOf(update))?.find((id) => !ids.includes(id));
        expect(missing === undefined, `the option ${show(missing)} is missing`, update);
      }
    },
  },
  {
    id: "TK-COMMANDS-01",
    title: "Names of commands have no slash before them.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-SLASH-02", "V2-CMD-01"],
    watch(talk) {
      const lists = [...talk.updates("available_commands_update").map((entry) => [entry, updateOf(entry)] as const)];
      for (const answer of [...talk.results("session/new"), ...talk.results("session/resume")])
        lists.push([answer, resultOf(answer)]);
      for (const [entry, list] of lists)
        for (const { name } of objectsIn(list?.availableCommands))
          expect(!textOf(name).startsWith("/"), `the name is ${show(name)}`, entry);
    },
  },
];

type Dialects = AgentCheck["dialects"];

export function idOfOption(option: Frame): unknown {
  return option.configId ?? option.id;
}

export const isOpening = ({ method, kind }: Entry): boolean => method === "session/new" && kind === "result";

async function opened(agent: AgentTrial): Promise<Entry> {
  await agent.open();
  return agent.talk.of("agent").find(isOpening) as Entry;
}

/** Opens a session, and returns its modes. Skips the check if it has none. */
export async function modesOf(agent: AgentTrial) {
  const { sessionId, modes } = resultOf(await opened(agent));
  const { currentModeId, availableModes } = membersOf(modes);
  const ids = objectsIn(availableModes).map(({ id }) => id);
  if (ids.length === 0) skip("The agent has no modes.");
  return { sessionId, modes: ids, currentModeId };
}

/** Opens a session, and returns its options. Skips the check if it has none. */
export async function optionsOf(agent: AgentTrial) {
  const answer = await opened(agent);
  const { sessionId, configOptions } = resultOf(answer);
  const options = objectsIn(configOptions);
  if (options.length === 0) skip("The agent has no options.");
  return { answer, sessionId, options };
}

/** Returns the values that a select option lists, in any group. */
export function valuesOf(option: Frame): readonly unknown[] {
  return objectsIn(option.options).flatMap((one) => ("options" in one ? valuesOf(one) : [one.value]));
}

function values(id: string, dialects: Dialects, requirements: readonly string[]): AgentCheck {
  return {
    ...{
      id,
      title: "The current value of each option is one of its values.",
      tier: "capability",
      dialects,
      requirements,
    },
    async run(agent) {
      const { answer, options } = await optionsOf(agent);
      for (const option of options) {
        const { type, currentValue } = option;
        const fits =
          type === "boolean"
            ? typeof currentValue === "boolean"
            : type !== "select" || valuesOf(option).includes(currentValue);
        expect(fits, `the value of ${show(idOfOption(option))} is ${show(currentValue)}`, answer);
      }
    },
  };
}

function complete(id: string, dialects: Dialects, requirements: readonly string[]): AgentCheck {
  return {
    ...{ id, title: "session/set_config_option changes the option, and answers with all options.", tier: "capability" },
    ...{ dialects, requirements },
    async run(agent) {
      const { sessionId, options } = await optionsOf(agent);
      const option = options.find((one) => one.type === "select" && valuesOf(one).length > 1);
      if (option === undefined) skip("No option has two values.");
      const value = valuesOf(option).find((one) => one !== option.currentValue);
      const answer = await agent.ask(
        "session/set_config_option",
        settingOf(agent, sessionId, { ...option, currentValue: value }),
      );
      expectResult(answer);
      const after = objectsIn(resultOf(answer).configOptions);
      const missing = options.map(idOfOption).find((known) => !after.some((one) => idOfOption(one) === known));
      expect(missing === undefined, `the option ${show(missing)} is missing`, answer.request, answer);
      const changed = after.find((one) => idOfOption(one) === idOfOption(option));
      expect(changed?.currentValue === value, `the value is ${show(changed?.currentValue)}`, answer.request, answer);
    },
  };
}

/** Returns the params that set an option to its value. */
export function settingOf(agent: AgentTrial, sessionId: unknown, option: Frame): Frame {
  const type = option.type === "boolean" ? "boolean" : agent.dialect.name === "v2" ? "id" : undefined;
  return { sessionId, configId: idOfOption(option), ...(type && { type }), value: option.currentValue };
}
