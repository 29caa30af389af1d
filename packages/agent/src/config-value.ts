import type { ConfigChoice, ConfigChoiceGroup, ConfigOption } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";

/**
 * A value that may be given to an option.
 *
 * @throws RpcError `-32602` for an unknown option, a value it does not list, or a value of another kind (V1-CFG-09)
 */
export function readConfigValue(
  options: readonly ConfigOption[],
  configId: string,
  value: string | boolean,
): string | boolean {
  const option = options.find((candidate) => candidate.configId === configId);
  if (option === undefined) throw RpcError.invalidParams(`there is no option ${configId}`);
  if (option.type === "boolean" && typeof value === "boolean") return value;
  if (option.type === "select" && typeof value === "string" && choicesOf(option.options).includes(value)) return value;
  throw RpcError.invalidParams(`${JSON.stringify(value)} is no value of option ${configId}`);
}

function choicesOf(options: readonly (ConfigChoice | ConfigChoiceGroup)[]): string[] {
  return options.flatMap((option) => ("value" in option ? [option.value] : choicesOf(option.options)));
}
