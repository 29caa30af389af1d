import type { EventOf } from "../../event.js";
import { type ConfigChoice, type ConfigOption, choicesOf, selectOf } from "../../settings.js";
import type { StatesAround } from "../codec.js";
import type { Sending } from "../fallback/sending.js";
import { encodeList } from "../fallback/settings.js";
import type { Lost } from "../losses.js";
import { compact, isObject, list, text, type Wire } from "../read.js";
import { commandBy, optionWith } from "../settings.js";
import { type Reader, record } from "../shape.js";

/** A command; version 1 has one sort of them and one sort of input. */
export const command = /* @__PURE__ */ commandBy((value, type) => (isObject(value) ? { ...value, type } : value));

/**
 * Reader of a config option, also under the older names `id` and `group`. An option of an unknown `type` stays
 * unchanged.
 */
export const configOption = /* @__PURE__ */ optionWith(0);

/** Returns the reader of a list. Any other value reads as an empty list; an absent value does not read. */
/* @__NO_SIDE_EFFECTS__ */
export function anyListOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) => (value === undefined ? undefined : list(value, read));
}

/** Returns the reader of the modes or models of 2025, as an option. `setBy` names the method that sets it. */
/* @__NO_SIDE_EFFECTS__ */
function olderOption(name: string, idName: string): Reader<ConfigOption> {
  const category = name.toLowerCase();
  const [current, available] = [`current${name}Id`, `available${name}s`];
  const choice = record({
    required: { value: text, name: text },
    optional: { description: text },
    older: { value: idName },
  });
  const read = record({ required: { [current]: text, [available]: anyListOf(choice) } });
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
 * Returns the options of a result, or `undefined` if it has none. Modes, and the models of 2025, become options of
 * category `mode` and `model` unless there are such options already.
 */
// V1-MODE-07
export function optionsOf(result: Wire): readonly ConfigOption[] | undefined {
  const options = Array.isArray(result.configOptions) ? list(result.configOptions, configOption) : undefined;
  const has = (category: string): boolean => options?.some((option) => option.category === category) ?? false;
  const mode = has("mode") ? undefined : modes(result.modes);
  const model = has("model") ? undefined : models(result.models);
  const own = [mode, model].filter((option) => option !== undefined);
  return options === undefined && own.length === 0 ? undefined : [...own, ...(options ?? [])];
}

type OptionEvent = EventOf<"config_option_update" | "current_mode_update">;

/** Writes the whole list of options, and the mode beside it if that changed. Clients read one or the other. */
// V1-MODE-07
export function encodeOptions(
  event: OptionEvent,
  { before, after }: StatesAround,
  { peer, lost }: Sending,
): readonly object[] {
  const options = after.configOptions ?? [];
  const mode = modeOf(options);
  const isNewMode = mode !== modeOf(before.configOptions ?? []);
  const updates: object[] = [];
  const listed = options.some((option) => option.setBy === undefined);
  if (event.type === "config_option_update" || (listed && isNewMode)) {
    updates.push({ sessionUpdate: "config_option_update", configOptions: encodeListed(options, lost, peer) });
  }
  const told = event.type === "current_mode_update" ? event.currentModeId : isNewMode ? mode : undefined;
  if (told !== undefined) updates.push({ sessionUpdate: "current_mode_update", currentModeId: told });
  return updates;
}

const modeOf = (options: readonly ConfigOption[]): string | undefined => selectOf(options, "mode")?.currentValue;

/** Writes the options that have no method of their own. */
export function encodeListed(
  options: readonly ConfigOption[],
  lost: Lost,
  peer?: { readonly booleanOptions: boolean },
): readonly object[] {
  const listed = options.filter((option) => option.setBy === undefined);
  return encodeList(listed, lost, peer);
}

/** Writes `modes` and `models` of a result, from the options of those categories. */
export function encodeModes(options: readonly ConfigOption[]): { modes?: object; models?: object } {
  const mode = selectOf(options, "mode");
  const model = selectOf(options, "model");
  return compact({
    modes: mode && { currentModeId: mode.currentValue, availableModes: choicesOf(mode).map((one) => named(one, "id")) },
    models: model && {
      currentModelId: model.currentValue,
      availableModels: choicesOf(model).map((one) => named(one, "modelId")),
    },
  });
}

const named = ({ value, ...others }: ConfigChoice, idName: string): object => ({ [idName]: value, ...others });
