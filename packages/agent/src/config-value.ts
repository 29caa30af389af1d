import type { ClientCapabilities, ConfigChoice, ConfigChoiceGroup, ConfigOption } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";

/** Name of an option: its id, or for modes and models of version 1 its category. */
export type OptionName = { readonly configId: string } | { readonly category: string };

/** @throws RpcError `-32602` if there is no such option */
export function findOption(options: readonly ConfigOption[], name: OptionName): ConfigOption {
  const option =
    "configId" in name
      ? options.find(({ configId }) => configId === name.configId)
      : options.find(({ category, type }) => category === name.category && type === "select");
  if (option !== undefined) return option;
  throw RpcError.invalidParams(
    "configId" in name ? `there is no option ${name.configId}` : `the session has no ${name.category} to choose`,
  );
}

// V1-CFG-09
/**
 * Returns the value that a client chose, checked against the option.
 *
 * @throws RpcError `-32602` for a value of another type, or one that the option does not list
 */
export function readConfigValue(
  option: ConfigOption,
  value: string | boolean,
  { booleanOptions }: Pick<ClientCapabilities, "booleanOptions">,
): string | boolean {
  if (option.type === "boolean") {
    if (typeof value === "boolean") return value;
    // Such a client gets a select of these two values.
    if (!booleanOptions && (value === "on" || value === "off")) return value === "on";
  }
  if (option.type === "select" && typeof value === "string" && choicesOf(option.options).includes(value)) return value;
  throw RpcError.invalidParams(`${JSON.stringify(value)} is no value of option ${option.configId}`);
}

/** Returns the options with another value for one of them. */
export function optionsWith(
  options: readonly ConfigOption[],
  configId: string,
  value: string | boolean,
): readonly ConfigOption[] {
  const change = (option: ConfigOption): ConfigOption =>
    option.configId === configId ? ({ ...option, currentValue: value } as ConfigOption) : option;
  return options.map(change);
}

function choicesOf(options: readonly (ConfigChoice | ConfigChoiceGroup)[]): string[] {
  return options.flatMap((option) => ("value" in option ? [option.value] : choicesOf(option.options)));
}
