import type { AvailableCommand, ConfigOption } from "../../settings.js";
import { readConfigOption } from "../config-option.js";
import { isObject, list, meta, without } from "../read.js";
import type { Variant } from "../shape.js";

/** An option, also under the names of older drafts. */
export const configOption = (value: unknown): ConfigOption | undefined =>
  readConfigOption(value, { id: ["configId", "id"], group: ["groupId", "group"], least: 1 });

/** A command; one without a type is the sort that older drafts had (V2-CMD-04). Unknown sorts stay as they came. */
export function command(value: unknown): AvailableCommand | undefined {
  if (!isObject(value) || typeof value.name !== "string" || typeof value.description !== "string") return undefined;
  const { type = "command", input } = value;
  if (typeof type !== "string") return undefined;
  if (type !== "command") return value as unknown as AvailableCommand;
  const read = commandInput(input);
  if (read === undefined) return { ...without(value, ["input"]), type } as AvailableCommand;
  if (read === input && value.type === type) return value as unknown as AvailableCommand;
  return { ...value, type, input: read } as unknown as AvailableCommand;
}

function commandInput(value: unknown): AvailableCommand["input"] {
  if (value === null) return null;
  if (!isObject(value)) return undefined;
  if (value.type === undefined || value.type === "text") {
    if (typeof value.hint !== "string") return undefined;
    return (value.type === "text" ? value : { ...value, type: "text" }) as AvailableCommand["input"];
  }
  return typeof value.type === "string" ? (value as AvailableCommand["input"]) : undefined;
}

/** The whole list of commands. */
export const commandsUpdate: Variant = {
  type: "available_commands_update",
  needs: { availableCommands: (value) => (Array.isArray(value) ? list(value, command) : undefined) },
  may: { _meta: meta },
};

/** The whole list of options. */
export const optionsUpdate: Variant = {
  type: "config_option_update",
  needs: { configOptions: (value) => (Array.isArray(value) ? list(value, configOption) : undefined) },
  may: { _meta: meta },
};
