import type { CallCodec, Calls, ClientCapabilities } from "../call.js";
import type { AvailableCommand, ConfigChoice, ConfigChoiceGroup, ConfigOption } from "../settings.js";
import { type DialectName, type Lost, lostIn } from "./losses.js";
import { isObject, list, text, type Wire } from "./read.js";
import { type Reader, record, tagged } from "./shape.js";
import type { NamedCall } from "./wire-handlers.js";

/** Function that adds the type to a value. */
export type Typing = (value: unknown, type: string) => unknown;

const command = /* @__PURE__ */ record({ required: { name: text, description: text } });
const input = /* @__PURE__ */ tagged({ text: /* @__PURE__ */ record({ required: { hint: text } }) });

/** Returns the reader of a command and its input, whose types `typed` adds. Unknown types stay unchanged. */
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
 * Returns the reader of a config option, also under older names. An option of an unknown `type` stays unchanged. A
 * select requires at least `least` values or groups, and never has both.
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

const CATEGORIES = { setMode: "mode", setModel: "model" } as const;

/** Call that sets an option. */
export type SettingCall = NamedCall<"setConfigOption" | keyof typeof CATEGORIES>;

/** Returns the call that sets an option. Version 1 has calls of its own for modes and models. */
export function settingCall(
  { configId, setBy }: ConfigOption,
  { sessionId, value }: { readonly sessionId: string; readonly value: string | boolean },
): SettingCall {
  if (setBy === undefined) return { name: "setConfigOption", params: { sessionId, configId, value } };
  const name = setBy === "session/set_mode" ? "setMode" : "setModel";
  return { name, params: { sessionId, value: String(value) } };
}

/** Returns true for a call that sets an option. */
export function isSettingCall(call: NamedCall): call is SettingCall {
  return call.name === "setConfigOption" || call.name in CATEGORIES;
}

/** Returns the option that a call sets, if there is one. */
export function optionOf(call: SettingCall, options: readonly ConfigOption[] = []): ConfigOption | undefined {
  return options.find((option) =>
    call.name === "setConfigOption"
      ? option.configId === call.params.configId
      : option.category === CATEGORIES[call.name],
  );
}

type Choosing = Pick<CallCodec<Calls["setConfigOption"]>, "encodeParams" | "decodeParams">;

/** Options and values of one dialect. */
export type SettingParts = Choosing & {
  readonly dialect: DialectName;
  readonly readOption: Reader<ConfigOption>;
  writeOptions(options: readonly ConfigOption[], lost: Lost, peer: ClientCapabilities | undefined): unknown;
};

/** Returns the call that sets an option by its id, with the options and values of a dialect. */
/* @__NO_SIDE_EFFECTS__ */
export function settingCalls({ dialect, encodeParams, decodeParams, readOption, writeOptions }: SettingParts): {
  readonly setConfigOption: CallCodec<Calls["setConfigOption"]>;
} {
  return {
    setConfigOption: {
      method: "session/set_config_option",
      encodeParams,
      decodeParams,
      encodeResult: ({ configOptions }, peer, onLoss) => ({
        configOptions: writeOptions(configOptions, lostIn(dialect, "setConfigOption", onLoss), peer),
      }),
      decodeResult: (wire) => ({ configOptions: list((wire as Wire).configOptions, readOption) }),
    },
  };
}
