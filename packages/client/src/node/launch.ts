import { type Channel, type CloseReason, closeText, redactText, SpawnError } from "@turnkit/transport";
import { type SpawnChannelOptions, spawnChannel } from "@turnkit/transport/node";
import { type Client, type ClientOptions, connect } from "../client.js";

/** How to start an agent. */
export type LaunchOptions = SpawnChannelOptions & {
  /**
   * How long the agent may take from its start until both sides have agreed on a version, in milliseconds. 30 000 unless
   * said otherwise; `Infinity` for no limit.
   */
  readonly startTimeoutMs?: number;
  /** Puts something between the client and the agent, such as `recordChannel` or `tapChannel` of `@turnkit/transport`. */
  readonly through?: (channel: Channel) => Channel;
};

/** The longest that a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Starts an agent and talks to it over its stdin and stdout. The agent never outlives the client: `close`, a failed
 * start, the end of this process, and its death by KILL all end the agent and what it started.
 *
 * When the agent exits by itself, what it wrote is delivered first; then `closed`, and the errors of everything that
 * was open, hold its exit code or signal and its last lines of stderr.
 *
 * @throws SpawnError if the program cannot be started, or does not answer in time; the message says what to do
 * @throws NegotiationError, InvalidMessageError, RpcError and ConnectionClosedError as `connect` does; the program has
 *   ended then
 *
 * @example
 * const client = await launch(["turnkit-agent"], { info: { name: "my-editor", version: "1.0.0" } });
 */
export async function launch(
  command: readonly [string, ...string[]],
  options: ClientOptions & LaunchOptions,
): Promise<Client> {
  const { startTimeoutMs = 30_000, through = (unchanged) => unchanged } = options;
  const channel = await spawnChannel(command, options);
  let isLate = false;
  const timer =
    startTimeoutMs <= MAX_TIMER_MS &&
    setTimeout(() => {
      isLate = true;
      void channel.close();
    }, startTimeoutMs);
  try {
    return await connect(through(channel), options);
  } catch (cause) {
    await channel.close();
    throw isLate ? tooLate(command, startTimeoutMs, await channel.closed, cause) : cause;
  } finally {
    if (timer) clearTimeout(timer);
  }
}

function tooLate(command: readonly string[], ms: number, { stderr }: CloseReason, cause: unknown): SpawnError {
  const message =
    `${redactText(command.join(" "))} was ended: it did not answer within ${ms / 1000} s. Check that it is an agent that speaks ` +
    "ACP over stdin and stdout (many need an argument for that), or raise startTimeoutMs.";
  return new SpawnError(closeText({ kind: "local", message, ...(stderr && { stderr }) }), { cause });
}
