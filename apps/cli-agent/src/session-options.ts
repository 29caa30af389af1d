import type { AgentSession, ConfigOption } from "@turnkit/agent";
import type { Settings } from "./config/settings.js";
import type { Model } from "./model.js";
import { type Mode, modeOption, readMode } from "./modes.js";

/** The effort that leaves it to the provider. */
const USUAL_EFFORT = "default";

/** What the user chose in a session. */
export type Choices = { readonly mode: Mode; readonly model: string; readonly effort?: string };

/** What a session offers to choose: mode, model, and how hard to think where the model can be told. */
export function sessionOptions({ models }: Settings, { mode, model, effort }: Choices): readonly ConfigOption[] {
  const known = models.offered.some(({ id }) => id === model);
  const offered = known ? models.offered : [models.find(model), ...models.offered];
  const modelOption: ConfigOption = {
    type: "select",
    configId: "model",
    category: "model",
    name: "Model",
    currentValue: model,
    options: offered.map(({ id, name }) => ({ value: id, name })),
  };
  const { efforts } = models.find(model);
  return [modeOption(mode), modelOption, ...(efforts ? [effortOption(efforts, effort)] : [])];
}

/** What is chosen now. */
export function choicesOf(session: Pick<AgentSession, "configValue">, settings: Settings): Choices {
  const model = session.configValue("model");
  const effort = session.configValue("effort");
  return {
    mode: readMode(session.configValue("mode")),
    model: typeof model === "string" ? model : settings.models.preferred,
    effort: typeof effort === "string" ? effort : settings.effort,
  };
}

/** The effort to ask the model for; `undefined` where it is the provider's affair. */
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
