import type { AvailableCommand, ConfigChoice, ConfigOption } from "../../settings.js";
import { readCommand } from "../command.js";
import { optionBy } from "../config-option.js";
import { compact, isObject, list, meta, text, type Wire } from "../read.js";

/** A command; version 1 has one sort of them and one sort of input. */
export function command(value: unknown): AvailableCommand | undefined {
  if (!isObject(value)) return undefined;
  const { input, ...others } = value;
  return readCommand({ ...others, type: "command", ...(isObject(input) && { input: { ...input, type: "text" } }) });
}

/** A config option with `id` and `group` under their newer names; of an unknown `type` as it came. */
export const configOption = /* @__PURE__ */ optionBy({ id: ["id"], group: ["group"], least: 0 });

/**
 * The options of a result. Modes, and the models of the year 2025, become options of category `mode` and `model` unless
 * there are such options already (V1-MODE-07); `setBy` says how they are set. `undefined` if the result has nothing.
 */
export function optionsOf(result: Wire): readonly ConfigOption[] | undefined {
  const options = Array.isArray(result.configOptions) ? list(result.configOptions, configOption) : undefined;
  const has = (category: string): boolean => options?.some((option) => option.category === category) ?? false;
  const mode = has("mode") ? undefined : modes(result.modes);
  const model = has("model") ? undefined : models(result.models);
  const own = [mode, model].filter((option) => option !== undefined);
  return options === undefined && own.length === 0 ? undefined : [...own, ...(options ?? [])];
}

function modes(value: unknown): ConfigOption | undefined {
  if (!isObject(value) || typeof value.currentModeId !== "string" || !("availableModes" in value)) return undefined;
  const options = list(value.availableModes, (item) => asChoice(item, "id"));
  const { currentModeId: currentValue } = value;
  const setBy = "session/set_mode";
  return { configId: "mode", name: "Mode", category: "mode", setBy, type: "select", currentValue, options };
}

function models(value: unknown): ConfigOption | undefined {
  if (!isObject(value) || typeof value.currentModelId !== "string") return undefined;
  const options = list(value.availableModels, (item) => asChoice(item, "modelId"));
  const { currentModelId: currentValue } = value;
  const setBy = "session/set_model";
  return { configId: "model", name: "Model", category: "model", setBy, type: "select", currentValue, options };
}

function asChoice(value: unknown, idName: string): ConfigChoice | undefined {
  if (!isObject(value)) return undefined;
  const id = value[idName];
  if (typeof id !== "string" || typeof value.name !== "string") return undefined;
  return compact({ value: id, name: value.name, description: text(value.description), _meta: meta(value._meta) });
}
