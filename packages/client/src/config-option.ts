import type { ConfigChoice, ConfigChoiceGroup, ConfigOption, SessionState } from "@turnkit/session";
import { optionChange, settingCall } from "@turnkit/session/codec";
import { AcpError, checkArgument } from "@turnkit/transport";
import type { Call, TurnSession } from "./driver/dialect-rules.js";

/**
 * Sets an option with the call that the dialect has for this option. The state gets the new value at receipt of the answer.
 * If an update has brought that value, listeners get no second event.
 *
 * @throws TypeError for an id that is not a text
 * @throws AcpError `state` for an option or a value that the session does not have
 * @throws RpcError if the agent refuses
 */
export async function setOption(
  call: Call,
  session: TurnSession,
  { configId, value }: { readonly configId: string; readonly value: string | boolean },
): Promise<void> {
  const remedy = 'pass the id and the value, such as setConfigOption("mode", "ask")';
  checkArgument(typeof configId === "string", "setConfigOption", { got: configId, remedy });
  const { sessionId, state } = session;
  const { name, params } = settingCall(optionFor(state, configId, value), { sessionId, value });
  await call(name, params, {
    received(result) {
      const answer =
        "configId" in params
          ? ({ type: "config_option_update", ...(result as Options) } as const)
          : ({ type: "config_option_set", configId, value } as const);
      const change = optionChange(session.state, answer);
      if (change !== undefined) session.publish(change);
    },
  });
}

type Options = { readonly configOptions: readonly ConfigOption[] };

/** Returns the option, if it lists the value. */
// V1-CFG-14, V1-MODE-02
function optionFor(state: SessionState, configId: string, value: string | boolean): ConfigOption {
  const option = state.configOptions?.find((candidate) => candidate.configId === configId);
  if (option === undefined) {
    const known = state.configOptions?.map((candidate) => candidate.configId).join(", ") || "none";
    throw new AcpError("state", `The session has no option ${configId}. It has: ${known}.`);
  }
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
