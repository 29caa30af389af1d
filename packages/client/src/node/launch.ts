import {
  type Channel,
  type CloseReason,
  ConnectionClosedError,
  closeText,
  isAcpError,
  MAX_TIMER_MS,
  SpawnError,
} from "@turnkit/transport";
import { childEnvironment, type SpawnChannelOptions, spawnChannel } from "@turnkit/transport/node";
import { redactText } from "@turnkit/transport/trace";
import type { Client } from "../client.js";
import type { ClientOptions } from "../client-options.js";
import { allDialects, connectWith } from "../connect.js";
import type { Dialect } from "../driver/driver.js";
import type { Environment } from "./environment.js";
import { exitAdvice } from "./exit-advice.js";

/** How to start an agent. */
export type LaunchOptions = Omit<SpawnChannelOptions, "env"> & {
  /** The whole environment. Unless given, `childEnvironment()`: where things are, and no secrets. */
  readonly env?: Environment;
  /**
   * How long the agent may take from its start until both sides have agreed on a version, in milliseconds. 30 000 unless
   * said otherwise; `Infinity` for no limit.
   */
  readonly startTimeoutMs?: number;
  /** Puts something between the client and the agent, such as `recordChannel` or `tapChannel` of
   * `@turnkit/transport/trace`. */
  readonly wrapChannel?: (channel: Channel) => Channel;
};

/**
 * Starts an agent and talks to it over its stdin and stdout. The agent never outlives the client: `close`, a failed
 * start, the end of this process, and its death by KILL all end the agent and what it started. `close` settles when
 * nobody lives in the agent's process groups: at once for an agent that ends with its stdin and leaves nothing behind,
 * `3 * graceMs + 1 s` later at most. The exit of this process is held up by 0.7 s at most; after a KILL a watchdog needs
 * up to 5 s. Only what the agent put into a group of its own, and left behind when it ended by itself, is not found.
 *
 * When the agent exits by itself, what it wrote is delivered first; then `closed`, and the errors of everything that
 * was open, hold its exit code or signal and its last lines of stderr.
 *
 * @throws SpawnError if the program cannot be started, or does not answer in time; the message says what to do
 * @throws NegotiationError, InvalidMessageError, RpcError and ConnectionClosedError as `connect` does; the program has
 *   ended then. Of one that ended by itself the message says what to try
 *
 * @example
 * const client = await launch(["turnkit-agent"], { info: { name: "my-editor", version: "1.0.0" } });
 */
export function launch(
  command: readonly [string, ...string[]],
  options: ClientOptions & LaunchOptions,
): Promise<Client> {
  return launchWith(allDialects, command, options);
}

/**
 * The same as {@link launch} in these dialects alone, as `connectWith` speaks them.
 *
 * @throws as `launch` does
 */
export async function launchWith(
  dialects: readonly Dialect[],
  command: readonly [string, ...string[]],
  options: ClientOptions & LaunchOptions,
): Promise<Client> {
  const { startTimeoutMs = 30_000, wrapChannel = (unchanged) => unchanged } = options;
  const channel = await spawnChannel(command, { ...options, env: options.env ?? childEnvironment() });
  let isLate = false;
  const timer =
    startTimeoutMs <= MAX_TIMER_MS &&
    setTimeout(() => {
      isLate = true;
      void channel.close();
    }, startTimeoutMs);
  try {
    return await connectWith(dialects, wrapChannel(channel), options);
  } catch (cause) {
    await channel.close();
    throw isLate ? tooLate(command, startTimeoutMs, await channel.closed, cause) : withAdvice(cause, command);
  } finally {
    if (timer) clearTimeout(timer);
  }
}

/** The program ended by itself: what to try stands before its last lines. */
function withAdvice(cause: unknown, command: readonly string[]): unknown {
  if (!isAcpError(cause, "connection_closed")) return cause;
  const { reason } = cause as ConnectionClosedError;
  if (reason.kind !== "exit") return cause;
  const message = `${reason.message} ${exitAdvice(reason, redactText(command.join(" ")))}`;
  return new ConnectionClosedError("initialize", { ...reason, message, cause });
}

function tooLate(command: readonly string[], ms: number, { stderr }: CloseReason, cause: unknown): SpawnError {
  const message =
    `${redactText(command.join(" "))} was ended: it did not answer within ${ms / 1000} s. Check that it is an agent that speaks ` +
    "ACP over stdin and stdout (many need an argument for that), or raise startTimeoutMs.";
  return new SpawnError(closeText({ kind: "local", message, ...(stderr && { stderr }) }), { cause });
}
