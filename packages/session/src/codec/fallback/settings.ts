import type { EventOf } from "../../event.js";
import type { AvailableCommand, ConfigChoice, ConfigChoiceGroup, ConfigOption } from "../../settings.js";
import type { Lost } from "../losses.js";
import { compact } from "../read.js";

/** Encodes commands for a dialect that has a single type of command. */
export function encodeCommands(event: EventOf<"available_commands_update">, lost: Lost): object {
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

/**
 * Encodes options with the older member names `id` and `group`. Options that are not selects are encoded only for a
 * peer with `booleanOptions`.
 */
export function encodeList(
  options: readonly ConfigOption[],
  lost: Lost,
  peer?: { readonly booleanOptions: boolean },
): readonly object[] {
  return options.map((option) => encodeOption(option, lost, peer)).filter((option) => option !== undefined);
}

function encodeOption(
  { setBy: _, ...option }: ConfigOption,
  lost: Lost,
  peer: { readonly booleanOptions: boolean } | undefined,
): object | undefined {
  const { configId: id, ...others } = option;
  if (option.type === "select") return { ...others, id, options: option.options.map(encodeChoice) };
  if (option.type !== "boolean") {
    lost("unknown", id);
    return undefined;
  }
  if (peer?.booleanOptions) return { ...others, id };
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
