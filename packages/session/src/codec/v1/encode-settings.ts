import type { WireEvent } from "../../event.js";
import type { AvailableCommand, ConfigChoice, ConfigChoiceGroup, ConfigOption, SelectOption } from "../../settings.js";
import type { SessionState } from "../../state.js";
import type { Sending } from "./encode.js";
import { compact } from "./read.js";

type Lost = Sending["lost"];
type OptionEvent = WireEvent & { readonly type: "config_option_update" | "current_mode_update" };

/** The list of commands; version 1 has one sort. */
export function encodeCommands(event: WireEvent & { type: "available_commands_update" }, lost: Lost): object {
  const availableCommands = event.availableCommands.map((command) => encodeCommand(command, lost));
  return compact({
    sessionUpdate: event.type,
    availableCommands: availableCommands.filter((command) => command !== undefined),
    _meta: event._meta ?? undefined,
  });
}

function encodeCommand({ type, input, ...command }: AvailableCommand, lost: Lost): object | undefined {
  if (type !== "command") {
    lost("unknown", command.name);
    return undefined;
  }
  if (input && input.type !== "text") lost("unknown", command.name);
  if (input?.type !== "text") return command;
  const { type: _, hint, ...others } = input;
  return { ...command, input: { ...others, hint: hint ?? "" } };
}

/** The whole list of options, and the mode beside it where that changed: clients read one or the other (V1-MODE-07). */
export function encodeOptions(
  event: OptionEvent,
  before: SessionState,
  after: SessionState,
  { peer, lost }: Sending,
): readonly object[] {
  const options = after.configOptions ?? [];
  const mode = modeOf(options);
  const updates: object[] = [];
  const listed = options.some((option) => option.setBy === undefined);
  if (listed || event.type === "config_option_update") {
    if (event.type === "config_option_update" || mode !== modeOf(before.configOptions ?? [])) {
      updates.push({ sessionUpdate: "config_option_update", configOptions: encodeList(options, peer, lost) });
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

/** Options under version 1's names, without those that have a method of their own. */
export function encodeList(
  options: readonly ConfigOption[],
  peer: { readonly booleanOptions: boolean },
  lost: Lost,
): readonly object[] {
  const listed = options.filter((option) => option.setBy === undefined);
  return listed.map((option) => encodeOption(option, peer, lost)).filter((option) => option !== undefined);
}

function encodeOption(
  option: ConfigOption,
  peer: { readonly booleanOptions: boolean },
  lost: Lost,
): object | undefined {
  const { configId: id, ...others } = option;
  if (option.type === "select") return { ...others, id, options: option.options.map(encodeChoice) };
  if (option.type !== "boolean") {
    lost("unknown", id);
    return undefined;
  }
  if (peer.booleanOptions) return { ...others, id };
  lost("boolean-option", id);
  const options = [
    { value: "on", name: "On" },
    { value: "off", name: "Off" },
  ];
  return { ...others, id, type: "select", currentValue: option.currentValue ? "on" : "off", options };
}

function encodeChoice(choice: ConfigChoice | ConfigChoiceGroup): object {
  if (!("groupId" in choice)) return choice;
  const { groupId: group, ...others } = choice;
  return { ...others, group };
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
