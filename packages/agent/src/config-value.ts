import type { ClientCapabilities, ConfigChoice, ConfigChoiceGroup, ConfigOption } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";

/** Name of an option: its id or, for modes and models of version 1, its category. */
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
 * Returns the value that a client chose, after a check against the option.
 *
 * @throws RpcError `-32602` for a value of another type, and for a value that the option does not list
 */
export function readConfigValue(
  option: ConfigOption,
  value: string | boolean,
  { booleanOptions }: Pick<ClientCapabilities, "booleanOptions">,
): string | boolean {
  if (option.type === "boolean") {
    if (typeof value === "boolean") return value;
    // A client without boolean options gets a select of these two values.
    if (!booleanOptions && (value === "on" || value === "off")) return value === "on";
  }
  if (option.type === "select" && typeof value === "string" && choicesOf(option.options).includes(value)) return value;
  throw RpcError.invalidParams(`${JSON.stringify(value)} is not a value of option ${option.configId}`);
}

/** @throws TypeError for an option that does not exist, and for a value that the option does not list */
export function checkOwnValue(options: readonly ConfigOption[], configId: string, value: string | boolean): void {
  const option = options.find((candidate) => candidate.configId === configId);
  if (option === undefined) {
    const known = options.map((candidate) => candidate.configId).join(", ") || "none";
    throw new TypeError(`setConfigValue: there is no option ${configId}. The session has: ${known}.`);
  }
  if (option.type === "boolean" && typeof value === "boolean") return;
  const values = option.type === "select" ? choicesOf(option.options) : [];
  if (values.includes(value as string)) return;
  throw noSuchValue("setConfigValue", {
    configId,
    value,
    known: option.type === "boolean" ? ["true", "false"] : values,
  });
}

/** @throws TypeError for a session without modes, and for a mode that it does not list */
export function checkOwnMode(call: string, options: readonly ConfigOption[], value: string): void {
  const option = options.find(({ category, type }) => category === "mode" && type === "select");
  if (option?.type !== "select") {
    const advice = "Return configOptions with a select of the category mode from newSession.";
    throw new TypeError(`${call}: the session has no modes. ${advice}`);
  }
  const known = choicesOf(option.options);
  if (!known.includes(value)) throw noSuchValue(call, { configId: option.configId, value, known });
}

/** Returns the error for a value that an option does not list. */
export function noSuchValue(
  call: string,
  { configId, value, known }: { readonly configId: string; readonly value: unknown; readonly known: readonly string[] },
): TypeError {
  const values = known.join(", ") || "none that can be set";
  return new TypeError(`${call}: option ${configId} has no value ${JSON.stringify(value)}. It has: ${values}.`);
}

/** Returns the options after a change of one value. */
export function optionsWith(
  options: readonly ConfigOption[],
  configId: string,
  value: string | boolean,
): readonly ConfigOption[] {
  const change = (option: ConfigOption): ConfigOption =>
    option.configId === configId ? ({ ...option, currentValue: value } as ConfigOption) : option;
  return options.map(change);
}

/** Returns the values of a select, including those in groups. */
export function choicesOf(options: readonly (ConfigChoice | ConfigChoiceGroup)[]): string[] {
  return options.flatMap((option) => ("value" in option ? [option.value] : choicesOf(option.options)));
}
