import type { AgentSession, ConfigOption, ContentBlock } from "@turnkit/agent";
import type { Settings } from "./config/settings.js";
import type { Model } from "./model.js";
import { type Mode, modeOption, readMode } from "./modes.js";

/** Value of the option "effort" with which the provider chooses the effort. */
const USUAL_EFFORT = "default";

export type Choices = {
  readonly mode: Mode;
  readonly model: string;
  readonly effort?: string;
  readonly webSearch: boolean;
};

/**
 * Returns the configuration options of a session: mode and model. Options for effort and web search follow if the model
 * supports them.
 */
export function sessionOptions(
  { models }: Settings,
  { mode, model, effort, webSearch }: Choices,
): readonly ConfigOption[] {
  const known = models.offered.some(({ id }) => id === model);
  const offered = known ? models.offered : [models.find(model), ...models.offered];
  const modelOption: ConfigOption = {
    type: "select",
    configId: "model",
    category: "model",
    name: "Model",
    description: "`turnkit-agent login` stores a key, which adds the models of its provider to new sessions",
    currentValue: model,
    options: offered.map(({ id, name }) => ({ value: id, name })),
  };
  const { efforts, searches } = models.find(model);
  return [
    modeOption(mode),
    modelOption,
    ...(efforts ? [effortOption(efforts, effort)] : []),
    ...(searches ? [webSearchOption(webSearch)] : []),
  ];
}

export function choicesOf(session: Pick<AgentSession, "configValue">, settings: Settings): Choices {
  const model = session.configValue("model");
  const effort = session.configValue("effort");
  const webSearch = session.configValue(WEB_SEARCH);
  return {
    mode: readMode(session.configValue("mode")),
    model: typeof model === "string" ? model : settings.models.preferred,
    effort: typeof effort === "string" ? effort : settings.effort,
    webSearch: typeof webSearch === "string" ? webSearch === "on" : settings.webSearch,
  };
}

/** Returns the level of effort for a request; `undefined` if the provider chooses it. */
export function effortFor({ efforts }: Model, { effort }: Choices): string | undefined {
  return effort !== undefined && efforts?.includes(effort) ? effort : undefined;
}

function effortOption(efforts: readonly string[], effort: string | undefined): ConfigOption {
  const values = [USUAL_EFFORT, ...efforts];
  return {
    type: "select",
    configId: "effort",
    category: "thought_level",
    name: "Reasoning effort",
    description: "How long the model thinks before it answers",
    currentValue: effort !== undefined && values.includes(effort) ? effort : USUAL_EFFORT,
    options: values.map((value) => ({ value, name: `${value[0]?.toUpperCase()}${value.slice(1)}` })),
  };
}

const WEB_SEARCH = "web_search";

// A select, because older clients do not know options of the type `boolean`.
const webSearchOption = (isOn: boolean): ConfigOption => ({
  type: "select",
  configId: WEB_SEARCH,
  category: "model_config",
  name: "Web search",
  description: "The provider of the model may search the web, without asking. Never in the mode Review",
  currentValue: isOn ? "on" : "off",
  options: [
    { value: "off", name: "Off" },
    { value: "on", name: "On" },
  ],
});

const MAX_LENGTH = 80;

/** Returns a title for a session: the first line of its first prompt, or the name of an attached link. */
export function titleOf(prompt: readonly ContentBlock[]): string | undefined {
  for (const block of prompt) {
    if (block.type === "text") {
      const line = block.text.trim().split(/\r?\n/, 1)[0]?.replace(/\s+/g, " ").trim() ?? "";
      if (line !== "") return line.length > MAX_LENGTH ? `${[...line].slice(0, MAX_LENGTH - 1).join("")}…` : line;
    }
  }
  const link = prompt.find((block) => block.type === "resource_link");
  return link?.type === "resource_link" ? link.name.slice(0, MAX_LENGTH) : undefined;
}
