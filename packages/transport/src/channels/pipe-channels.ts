import type { Channel, CloseReason } from "../channel.js";
import { checkChannel } from "../check-argument.js";
import { checkOptions, type OptionTypes } from "../check-options.js";
import { textOf } from "../errors.js";
import { reporter } from "../reporter.js";
import { PipeDirection, SWAPPED } from "./pipe-direction.js";
import type { PipeOptions } from "./pipe-options.js";
import { PipeSource } from "./pipe-source.js";

/**
 * Runs a proxy, which passes messages between a client and an agent. Order, ids, cancels and errors are not changed.
 *
 * - If one side has no room, the other side is paused. A side that does not read therefore uses no memory for waiting
 *   messages.
 * - If one side ends, its messages are read to the end, and then the other side is closed. The reason of the other side
 *   contains the reason of the first side as its `cause`.
 * - The end of a paused side is noticed too. After a pause of 1 s, the pipe reads up to 8 MiB more from this side. If
 *   the pause then lasts 10 min longer, the side is closed as `overflow`.
 * - A function that is still pending 5 s after the end of its side counts as failed. One that is pending for 10 s is
 *   reported.
 * - If the agent ends before the client, and did not close its connection, its end is reported with the last lines of
 *   its stderr.
 * - Lines that are not JSON, and batches of older peers, are dropped.
 * - If the first `initialize` arrives on the second channel, the two channels are swapped. No function is called, and
 *   both channels are closed.
 *
 * @returns the reasons for the end of the client and of the agent, in this order
 * @throws TypeError for values that are not channels, and for channels in the wrong order
 *
 * @example
 * const ended = pipeChannels(client, agent, {
 *   notification: (message) => (message.method === "_log" ? null : message),
 * });
 */
export async function pipeChannels(
  client: Channel,
  agent: Channel,
  given: PipeOptions = {},
): Promise<[client: CloseReason, agent: CloseReason]> {
  const options = { onError: printer(), ...given };
  const remedy = "pass two channels, such as those of createWebSocketChannel and spawnChannel";
  for (const channel of [client, agent]) checkChannel("pipeChannels", channel, remedy);
  checkOptions("pipeChannels", given, NAMES);
  const clientSource = new PipeSource(client);
  const agentSource = new PipeSource(agent);
  let isSwapped = false;
  const swapped = () => {
    isSwapped = true;
    for (const channel of [client, agent]) void channel.close({ kind: "local", message: SWAPPED });
  };
  const common = { options, swapped };
  const toAgent = new PipeDirection({ ...common, from: "client", source: clientSource, target: agentSource });
  const toClient = new PipeDirection({ ...common, from: "agent", source: agentSource, target: clientSource });
  const [first, second] = await Promise.all([toAgent.run(toClient), toClient.run(toAgent)]);
  if (isSwapped) throw new TypeError(SWAPPED);
  return [first, second];
}

const NAMES: OptionTypes<PipeOptions> = {
  ...{ request: "function", response: "function", notification: "function", onError: "function" },
};

/** Returns a function that prints errors. Each message is printed once. */
function printer(): NonNullable<PipeOptions["onError"]> {
  const report = reporter(undefined);
  return (error, passed, from) => {
    if (passed === undefined) return report({ code: "listener_failed", message: textOf(error) });
    const { method } = passed as { readonly method?: unknown };
    const what = typeof method === "string" ? `The message ${method}` : "An answer";
    const message = `${what} of the ${from} did not pass the pipe: ${textOf(error)}`;
    report({ code: "listener_failed", message, error });
  };
}
