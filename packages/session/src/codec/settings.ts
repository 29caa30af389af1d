import type { AvailableCommand, ConfigChoice, ConfigChoiceGroup, ConfigOption } from "../settings.js";
import { isObject, list, text } from "./read.js";
import { type Reader, record, tagged } from "./shape.js";

/** Function that adds the type to a value. */
export type Typing = (value: unknown, type: string) => unknown;

const command = /* @__PURE__ */ record({ required: { name: text, description: text } });
const input = /* @__PURE__ */ tagged({ text: /* @__PURE__ */ record({ required: { hint: text } }) });

/**
 * Returns the reader of a command and its input. `typed` adds the types of both. Commands and inputs of unknown types
 * are not changed.
 */
/* @__NO_SIDE_EFFECTS__ */
export function commandBy(typed: Typing): Reader<AvailableCommand> {
  const sorts = tagged<AvailableCommand>({
    command: record({ optional: { input: (value) => input(typed(value, "text")) } }),
  });
  return (value) => sorts(typed(command(value), "command"));
}

const option = /* @__PURE__ */ record({
  required: { configId: text, name: text },
  optional: { description: text, category: text },
  olderNames: { configId: "id" },
});
const choice = /* @__PURE__ */ record<ConfigChoice>({
  required: { value: text, name: text },
  optional: { description: text },
});
const group = /* @__PURE__ */ record<ConfigChoiceGroup>({
  required: { groupId: text, name: text, options: (value) => list(value, choice) },
  olderNames: { groupId: "group" },
});

const isGroup = (value: unknown): boolean => isObject(value) && ("groupId" in value || "group" in value);

/**
 * Returns the reader of a configuration option, also with older member names. An option whose `type` is unknown is not
 * changed. A select must have at least `least` values or groups. It cannot have both.
 */
// V1-CFG-02, V2-CFG-01
/* @__NO_SIDE_EFFECTS__ */
export function optionWith(least: number): Reader<ConfigOption> {
  const sorts = tagged<ConfigOption>({
    boolean: record({ required: { currentValue: (value) => (typeof value === "boolean" ? value : undefined) } }),
    select: record({
      required: {
        currentValue: text,
        options: (value) => {
          if (!Array.isArray(value) || value.length < least) return undefined;
          if (!value.some(isGroup)) return list(value, choice);
          return value.every(isGroup) ? list(value, group) : undefined;
        },
      },
    }),
  });
  return (value) => sorts(option(value));
}
