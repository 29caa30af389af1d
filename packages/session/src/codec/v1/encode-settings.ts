import type { WireEvent } from "../../event.js";
import type { ConfigChoice, ConfigOption, SelectOption } from "../../settings.js";
import type { StatesAround } from "../codec.js";
import type { Lost } from "../lost.js";
import type { Sending } from "../older/sending.js";
import { encodeList } from "../older/settings.js";
import { compact } from "../read.js";

type OptionEvent = WireEvent & { readonly type: "config_option_update" | "current_mode_update" };

/** The whole list of options, and the mode beside it where that changed: clients read one or the other (V1-MODE-07). */
export function encodeOptions(
  event: OptionEvent,
  { before, after }: StatesAround,
  { peer, lost }: Sending,
): readonly object[] {
  const options = after.configOptions ?? [];
  const mode = modeOf(options);
  const updates: object[] = [];
  const listed = options.some((option) => option.setBy === undefined);
  if (listed || event.type === "config_option_update") {
    if (event.type === "config_option_update" || mode !== modeOf(before.configOptions ?? [])) {
      updates.push({ sessionUpdate: "config_option_update", configOptions: encodeListed(options, peer, lost) });
    }
  }
  const changed = mode !== undefined && mode !== modeOf(before.configOptions ?? []);
  if (event.type === "current_mode_update") {
    updates.push({ sessionUpdate: "current_mode_update", currentModeId: event.currentModeId });
  } else if (changed) updates.push({ sessionUpdate: "current_mode_update", currentModeId: mode });
  return updates;
}

function modeOf(options: readonly ConfigOption[]): string | undefined {
  const option = options.find(isModeSelect);
  return option?.currentValue;
}

const isModeSelect = (option: ConfigOption): option is SelectOption =>
  option.category === "mode" && option.type === "select";

/** The options without those that have a method of their own. */
export function encodeListed(
  options: readonly ConfigOption[],
  peer: { readonly booleanOptions: boolean },
  lost: Lost,
): readonly object[] {
  return encodeList(
    options.filter((option) => option.setBy === undefined),
    peer,
    lost,
  );
}

/** `modes` and `models` of a result, from the options of those categories. */
export function encodeModes(options: readonly ConfigOption[]): { modes?: object; models?: object } {
  const find = (category: string): SelectOption | undefined =>
    options.find((option): option is SelectOption => option.category === category && option.type === "select");
  const mode = find("mode");
  const model = find("model");
  return compact({
    modes: mode && { currentModeId: mode.currentValue, availableModes: choicesOf(mode).map((one) => named(one, "id")) },
    models: model && {
      currentModelId: model.currentValue,
      availableModels: choicesOf(model).map((one) => named(one, "modelId")),
    },
  });
}

function choicesOf(option: SelectOption): readonly ConfigChoice[] {
  return option.options.flatMap((choice) => ("groupId" in choice ? choice.options : [choice]));
}

const named = ({ value, ...others }: ConfigChoice, idName: string): object => ({ [idName]: value, ...others });
