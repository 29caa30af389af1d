import type { ConfigChoice, ConfigChoiceGroup, ConfigOption, SessionState } from "@turnkit/session";
import { AcpError } from "@turnkit/transport";

/**
 * The option to which a value is to be given, after a look at whether it has that value (V1-CFG-14, V1-MODE-02).
 *
 * @throws AcpError `state` for an option or a value that the session does not have
 */
export function optionFor(state: SessionState, configId: string, value: string | boolean): ConfigOption {
  const option = state.configOptions?.find((candidate) => candidate.configId === configId);
  if (option === undefined) throw new AcpError("state", `The session has no option ${configId}.`);
  const values = valuesOf(option);
  if (!values.includes(value)) {
    const offered = values.length > 0 ? values.join(", ") : "nothing that this client understands";
    throw new AcpError("state", `The option ${configId} cannot be ${JSON.stringify(value)}; it offers ${offered}.`);
  }
  return option;
}

function valuesOf(option: ConfigOption): readonly (string | boolean)[] {
  const known = option as Extract<ConfigOption, { type: "select" | "boolean" }>;
  if (known.type === "boolean") return [true, false];
  if (known.type !== "select") return [];
  const choices: readonly (ConfigChoice | ConfigChoiceGroup)[] = known.options;
  return choices.flatMap((one) => ("options" in one ? one.options : [one])).map(({ value }) => value);
}
