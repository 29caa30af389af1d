import type { ConfigOption } from "../../settings.js";
import { commandBy } from "../command.js";
import { optionWith } from "../config-option.js";
import { isObject, list, type Wire } from "../read.js";
import { type Reader, record } from "../shape.js";

/** A command; version 1 has one sort of them and one sort of input. */
export const command = /* @__PURE__ */ commandBy((value, type) => (isObject(value) ? { ...value, type } : value));

/** A config option with `id` and `group` under their newer names; of an unknown `type` as it came. */
export const configOption = /* @__PURE__ */ optionWith(0);

/** What is no list is as good as an empty one, but left out it does not read. */
/* @__NO_SIDE_EFFECTS__ */
export function anyListOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) => (value === undefined ? undefined : list(value, read));
}

/**
 * What stood beside the options in 2025, as an option: what there is to choose from, and which one is chosen. `setBy` says
 * how it is set.
 */
/* @__NO_SIDE_EFFECTS__ */
function olderOption(name: string, idName: string): Reader<ConfigOption> {
  const category = name.toLowerCase();
  const [current, available] = [`current${name}Id`, `available${name}s`];
  const choices = anyListOf(record(`value/${idName} name description?`));
  const read = record(`${current} ${available}`, { [available]: choices });
  return (value) => {
    const wire = read(value);
    if (wire === undefined) return undefined;
    const { [current]: currentValue, [available]: options } = wire;
    const setBy = `session/set_${category}`;
    return { configId: category, name, category, setBy, type: "select", currentValue, options } as ConfigOption;
  };
}

const modes = /* @__PURE__ */ olderOption("Mode", "id");
const models = /* @__PURE__ */ olderOption("Model", "modelId");

/**
 * The options of a result. Modes, and the models of the year 2025, become options of category `mode` and `model` unless
 * there are such options already (V1-MODE-07). `undefined` if the result has nothing.
 */
export function optionsOf(result: Wire): readonly ConfigOption[] | undefined {
  const options = Array.isArray(result.configOptions) ? list(result.configOptions, configOption) : undefined;
  const has = (category: string): boolean => options?.some((option) => option.category === category) ?? false;
  const mode = has("mode") ? undefined : modes(result.modes);
  const model = has("model") ? undefined : models(result.models);
  const own = [mode, model].filter((option) => option !== undefined);
  return options === undefined && own.length === 0 ? undefined : [...own, ...(options ?? [])];
}
