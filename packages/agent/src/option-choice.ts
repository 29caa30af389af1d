import type { Calls } from "@turnkit/session/codec";
import { RpcError } from "@turnkit/transport";
import type { AgentHandlers } from "./agent-handlers.js";
import { findOption, type OptionName, readConfigValue } from "./config-value.js";
import type { LiveSession } from "./live-session.js";
import { unlessError } from "./thrown-error.js";

/** Client's choice of an option's value. `type` is set for a kind of value that turnkit does not support. */
export type OptionChoice = OptionName & {
  readonly sessionId: string;
  readonly value: string | boolean;
  readonly type?: unknown;
};

type ChoiceHandlers<S> = Pick<AgentHandlers<S>, "setConfigOption">;

/**
 * Makes a client's choice. Returns the options afterwards.
 *
 * @throws RpcError `-32602` for an option or a value that the session does not have
 */
export async function choose<S>(
  session: LiveSession<S>,
  choice: OptionChoice,
  handlers: ChoiceHandlers<S>,
): Promise<Calls["setConfigOption"]["result"]> {
  if (choice.type !== undefined) throw RpcError.invalidParams("options have no values of such a type");
  const option = findOption(session.state.configOptions ?? [], choice);
  const value = readConfigValue(option, choice.value, session.client.capabilities);
  await chooseValue(session, { configId: option.configId, value }, handlers);
  return { configOptions: session.state.configOptions ?? [] };
}

const UNUSED =
  "The result of setConfigOption is not used, and the value was changed. Throw to refuse the value. To change other options, call session.setConfigOptions.";

/** Runs the handler for a choice of the user, then changes the value. */
export async function chooseValue<S>(
  session: LiveSession<S>,
  { configId, value }: { readonly configId: string; readonly value: string | boolean },
  handlers: ChoiceHandlers<S>,
): Promise<void> {
  // Only handlers in JavaScript return something.
  const result: unknown = unlessError(await handlers.setConfigOption?.(session, configId, value));
  if (result != null) session.output.onFault(UNUSED, undefined, "handler_failed");
  session.setValue(configId, value);
}
