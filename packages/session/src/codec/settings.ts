import type { AvailableCommand, ConfigChoice, ConfigChoiceGroup, ConfigOption } from "../settings.js";
import { isObject, list, text } from "./read.js";
import { type Reader, record, tagged } from "./shape.js";

const SETTERS = { "session/set_mode": "setMode", "session/set_model": "setModel" } as const;

/** The call by which an option is set: version 1 has calls of their own for modes and models. */
export function settingCall({ setBy }: ConfigOption): "setConfigOption" | "setMode" | "setModel" {
  return setBy === undefined ? "setConfigOption" : SETTERS[setBy];
}

/** Says what type something is of. */
export type Typing = (value: unknown, type: string) => unknown;

const command = /* @__PURE__ */ record({ required: { name: text, description: text } });
const input = /* @__PURE__ */ tagged({ text: /* @__PURE__ */ record({ required: { hint: text } }) });

/** A command and its input, whose types `typed` says. Unknown sorts stay as they came. */
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
  older: { configId: "id" },
});
const choice = /* @__PURE__ */ record<ConfigChoice>({
  required: { value: text, name: text },
  optional: { description: text },
});
const group = /* @__PURE__ */ record<ConfigChoiceGroup>({
  required: { groupId: text, name: text, options: (value) => list(value, choice) },
  older: { groupId: "group" },
});

const isGroup = (value: unknown): boolean => isObject(value) && ("groupId" in value || "group" in value);

/**
 * A config option, with ids under their newer names; of an unknown `type` as it came. A select has at least so many values
 * or groups, never a mixture of both (V1-CFG-02, V2-CFG-01).
 */
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
