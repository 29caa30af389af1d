import type { ConfigChoice, ConfigChoiceGroup, ConfigOption } from "../settings.js";
import { compact, isObject, list, meta, text, type Wire, without } from "./read.js";
import { lenient } from "./shape.js";

/** What a dialect calls the ids of an option and of a group of values; the first that is there counts. */
export type OptionNames = {
  readonly id: readonly string[];
  readonly group: readonly string[];
  /** So many values or groups there have to be. */
  readonly least: number;
};

const OPTIONAL = { description: text, category: text, _meta: meta };

/** A config option; of an unknown `type` as it came, under the newer names. */
export function readConfigOption(value: unknown, names: OptionNames): ConfigOption | undefined {
  if (!isObject(value) || typeof value.name !== "string") return undefined;
  const configId = idOf(value, names.id);
  if (configId === undefined) return undefined;
  const base = compact({ ...lenient(without(value, names.id), OPTIONAL), configId });
  if (value.type === "boolean") {
    return typeof value.currentValue === "boolean" ? (base as unknown as ConfigOption) : undefined;
  }
  if (value.type !== "select") return typeof value.type === "string" ? (base as unknown as ConfigOption) : undefined;
  const options = choices(value.options, names);
  if (typeof value.currentValue !== "string" || options === undefined) return undefined;
  return { ...base, options } as ConfigOption;
}

function idOf(wire: Wire, names: readonly string[]): string | undefined {
  for (const name of names) if (name in wire) return text(wire[name]);
  return undefined;
}

/** Flat or grouped values; `undefined` for a mixture of both (V1-CFG-02, V2-CFG-01). */
function choices(
  value: unknown,
  names: OptionNames,
): readonly ConfigChoice[] | readonly ConfigChoiceGroup[] | undefined {
  if (!Array.isArray(value) || value.length < names.least) return undefined;
  const grouped = value.filter((item) => isObject(item) && names.group.some((name) => name in item)).length;
  if (grouped === 0) return list(value, choice);
  return grouped === value.length ? list(value, (item) => group(item, names)) : undefined;
}

function choice(value: unknown): ConfigChoice | undefined {
  return isObject(value) && typeof value.value === "string" && typeof value.name === "string"
    ? (value as ConfigChoice)
    : undefined;
}

function group(value: unknown, names: OptionNames): ConfigChoiceGroup | undefined {
  if (!isObject(value) || typeof value.name !== "string") return undefined;
  const groupId = idOf(value, names.group);
  if (groupId === undefined) return undefined;
  return { ...without(value, names.group), groupId, name: value.name, options: list(value.options, choice) };
}
