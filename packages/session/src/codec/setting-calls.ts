import type { CallCodec, Calls, ClientCapabilities } from "../call.js";
import type { ConfigOption } from "../settings.js";
import type { DialectName } from "./losses.js";
import { type Lost, lostIn } from "./losses.js";
import { list, type Wire } from "./read.js";
import type { Reader } from "./shape.js";
import type { NamedCall } from "./wire-handlers.js";

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
  writeOptions(options: readonly ConfigOption[], peer: ClientCapabilities | undefined, lost: Lost): unknown;
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
        configOptions: writeOptions(configOptions, peer, lostIn(dialect, "setConfigOption", onLoss)),
      }),
      decodeResult: (wire) => ({ configOptions: list((wire as Wire).configOptions, readOption) }),
    },
  };
}
