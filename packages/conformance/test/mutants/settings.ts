import type { ModelAgent } from "../model/model-agent.js";
import type { Loose } from "../model/model-session.js";
import type { Mutant } from "./mutant.js";
import { before, refuse } from "./sessions.js";

const opening = (agent: ModelAgent, change: (result: Loose) => object) =>
  agent.result("session/new", (result) => ({ ...result, ...change(result) }));

const lastOnly = (agent: ModelAgent) =>
  agent.result("session/set_config_option", ({ configOptions }) => ({ configOptions: configOptions.slice(0, 1) }));

const another = {
  id: "second",
  configId: "second",
  name: "Second",
  type: "select",
  currentValue: "a",
  options: [{ value: "a", name: "A" }],
};
/** Adds a second option, and keeps the values in one place for all sessions, or in one for each. */
export const twoOptions = (agent: ModelAgent, place: "shared" | "own") => {
  const more = agent.dialect.name === "v2" ? (({ id, ...option }) => option)(another) : withoutConfigId(another);
  const values: Loose = {};
  const all = ({ configOptions }: Loose) => ({
    configOptions: [
      ...configOptions.map((one: Loose) => ({
        ...one,
        currentValue: values[one.id ?? one.configId] ?? one.currentValue,
      })),
      more,
    ],
  });
  opening(agent, all);
  const handler = agent.handlers.get("session/set_config_option");
  agent.handlers.set("session/set_config_option", async (params, call) => {
    const isSecond = params.configId === "second" && params.value === "a";
    const { values: own } = agent.sessions.get(params.sessionId) ?? {};
    const asked = isSecond ? { ...params, configId: "effort", value: own?.effort ?? "low" } : params;
    const result = (await handler?.(asked, call)) as Loose;
    if (place === "shared" && !isSecond) values[params.configId] = params.value;
    return all(result);
  });
};
const withoutConfigId = ({ configId, ...option }: Loose) => option;

export const settingMutants: readonly Mutant[] = [
  {
    check: "ACP-MODES-001",
    what: "has a current mode that is not available",
    // Its real mode is the one that is set in another session.
    also: ["TK-MODES-05"],
    alter: (agent) => opening(agent, ({ modes }) => ({ modes: { ...modes, currentModeId: "plan" } })),
  },
  {
    check: "ACP-MODES-002",
    what: "cannot change its mode",
    alter: (agent) => refuse(agent, "session/set_mode", ({ modeId }) => modeId === "code"),
  },
  {
    check: "TK-MODES-03",
    what: "accepts every mode",
    alter: (agent) =>
      before(agent, "session/set_mode", ({ modeId }) => (modeId === "turnkit-no-such-mode" ? {} : undefined)),
  },
  {
    check: "TK-MODES-04",
    what: "changes to a mode that is not available",
    alter: (agent) => agent.update("current_mode_update", (update) => ({ ...update, currentModeId: "plan" })),
  },
  {
    check: "ACP-CONFIG-001",
    what: "has an option with a value that it does not list",
    alter: (agent) =>
      opening(agent, ({ configOptions }) => ({
        configOptions: configOptions.map((one: Loose) => ({ ...one, currentValue: "max" })),
      })),
  },
  {
    check: "ACP-CONFIG-204",
    dialect: "v2",
    what: "has an option with a value that it does not list",
    // Its real value is the one that is set in another session.
    also: ["TK-CONFIG-08"],
    alter: (agent) =>
      opening(agent, ({ configOptions }) => ({
        configOptions: configOptions.map((one: Loose) =>
          one.type === "select" ? { ...one, currentValue: "max" } : one,
        ),
      })),
  },
  {
    check: "TK-CONFIG-05",
    what: "has two options with the same id",
    alter: (agent) => opening(agent, ({ configOptions }) => ({ configOptions: [...configOptions, ...configOptions] })),
  },
  {
    check: "ACP-CONFIG-002",
    what: "answers with one option",
    also: ["ACP-CONFIG-206"],
    alter: (agent) => {
      twoOptions(agent, "own");
      lastOnly(agent);
    },
  },
  { check: "ACP-CONFIG-202", dialect: "v2", what: "answers with one option", alter: lastOnly },
  {
    check: "ACP-CONFIG-003",
    what: "sends an option that is on or off to every client",
    also: ["ACP-CONFIG-002", "ACP-CONFIG-206"],
    alter: (agent) =>
      opening(agent, ({ configOptions }) => ({
        configOptions: [...configOptions, { id: "fast", name: "Fast", type: "boolean", currentValue: false }],
      })),
  },
  {
    check: "TK-CONFIG-06",
    what: "ignores an option that does not exist",
    alter: (agent) =>
      before(agent, "session/set_config_option", ({ configId }) =>
        configId === "turnkit-no-such-option" ? { configOptions: [] } : undefined,
      ),
  },
  {
    check: "TK-CONFIG-07",
    what: "takes true without its type",
    alter: (agent) =>
      before(agent, "session/set_config_option", ({ value }) => (value === true ? { configOptions: [] } : undefined)),
  },
  {
    check: "TK-CONFIG-08",
    what: "has the same options for all sessions",
    // The updates of a turn have only the options of the model agent.
    also: ["ACP-CONFIG-206"],
    alter: (agent) => twoOptions(agent, "shared"),
  },
  {
    check: "TK-CONFIG-09",
    what: "stores a value before it is checked",
    // The updates of a turn have only the options of the model agent.
    also: ["ACP-CONFIG-206"],
    alter(agent) {
      twoOptions(agent, "own");
      const stored = new Map<unknown, unknown>();
      before(agent, "session/set_config_option", ({ sessionId, configId, value }) => {
        if (configId === "effort") stored.set(sessionId, value);
      });
      agent.result("session/set_config_option", ({ configOptions }, { sessionId }) => ({
        configOptions: configOptions.map((one: Loose) => {
          const isEffort = (one.id ?? one.configId) === "effort" && stored.has(sessionId);
          return isEffort ? { ...one, currentValue: stored.get(sessionId) } : one;
        }),
      }));
    },
  },
  {
    check: "TK-CONFIG-09",
    what: "refuses the value that an option has",
    // The updates of a turn have only the options of the model agent.
    also: ["ACP-CONFIG-206"],
    alter(agent) {
      twoOptions(agent, "own");
      refuse(agent, "session/set_config_option", ({ configId }) => configId === "second");
    },
  },
  {
    check: "TK-MODES-05",
    what: "has the same mode for all sessions",
    alter: (agent) =>
      before(agent, "session/set_mode", ({ modeId }) => {
        if (modeId === "ask" || modeId === "code") for (const session of agent.sessions.values()) session.mode = modeId;
      }),
  },
  {
    check: "ACP-CONFIG-206",
    dialect: "v2",
    what: "sends only the changed option",
    alter: (agent) =>
      agent.update("config_option_update", (update) => ({
        ...update,
        configOptions: update.configOptions.slice(0, 1),
      })),
  },
  {
    check: "TK-COMMANDS-01",
    what: "names commands with a slash",
    alter: (agent) =>
      agent.update("available_commands_update", (update) => ({
        ...update,
        availableCommands: update.availableCommands.map((one: Loose) => ({ ...one, name: `/${one.name}` })),
      })),
  },
];
