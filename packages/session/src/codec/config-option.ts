import type { ConfigChoice, ConfigChoiceGroup, ConfigOption } from "../settings.js";
import { identified, isObject, list, meta, text } from "./read.js";
import { type Reader, record, tagged } from "./shape.js";

/** What a dialect calls the ids of an option and of a group of values; the first that is there counts. */
export type OptionNames = {
  readonly id: readonly string[];
  readonly group: readonly string[];
  /** So many values or groups there have to be. */
  readonly least: number;
};

const named = /* @__PURE__ */ record({ name: text }, { description: text, category: text, _meta: meta });
const choice = /* @__PURE__ */ record<ConfigChoice>({ value: text, name: text });
const isOn: Reader = (value) => (typeof value === "boolean" ? value : undefined);

/** A config option; of an unknown `type` as it came, under the newer names. */
/* @__NO_SIDE_EFFECTS__ */
export function optionBy(names: OptionNames): Reader<ConfigOption> {
  const option = tagged<ConfigOption>("type", {
    boolean: record({ currentValue: isOn }),
    select: record({ currentValue: text, options: (value) => choices(value, names) }),
  });
  return (value) => {
    const read = named(value);
    return read && option(identified(read, names.id, "configId"));
  };
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

function group(value: unknown, names: OptionNames): ConfigChoiceGroup | undefined {
  const read = record({ name: text })(value);
  const sound = read && identified(read, names.group, "groupId");
  return sound && ({ ...sound, options: list(sound.options, choice) } as unknown as ConfigChoiceGroup);
}
