import {
  type Channel,
  type CloseReason,
  ConnectionClosedError,
  checkArgument,
  checkTypes,
  closeText,
  isAcpError,
  type OptionTypes,
  reporter,
  SpawnError,
  withinGrace,
} from "@turnkit/transport";
import { type ChildChannel, childEnvironment, type SpawnChannelOptions, spawnChannel } from "@turnkit/transport/node";
import { redactText } from "@turnkit/transport/trace";
import type { Client } from "../client.js";
import type { ClientOptions } from "../client-options.js";
import { allDialects, connectWith } from "../connect.js";
import type { Dialect } from "../driver/driver.js";
import { LAUNCH } from "../unused-options.js";
import { agentReports } from "./agent-reports.js";
import type { Environment } from "./environment.js";
import { grantAdvice, watchVariables } from "./withheld-variables.js";

/** Options of a launch. */
export type LaunchOptions = Omit<SpawnChannelOptions, "env"> & {
  /**
   * Complete environment of the agent.
   * @defaultValue `childEnvironment()`, which contains paths and locale and no secrets
   */
  readonly env?: Environment;
  /**
   * Time from the start of the agent until client and agent agreed on a version, in milliseconds. `Infinity` sets no limit.
   * @defaultValue 30 000
   */
  readonly startTimeoutMs?: number;
  /**
   * Wraps the channel between client and agent, for example with `recordChannel` or `tapChannel` of
   * `@turnkit/transport/trace`.
   */
  readonly wrapChannel?: (channel: Channel) => Channel;
  /**
   * Starts the process. Another function can return the channel of a process that was started before.
   * @defaultValue `spawnChannel` of `@turnkit/transport/node`
   */
  readonly spawn?: (command: readonly [string, ...string[]], options: SpawnChannelOptions) => Promise<ChildChannel>;
};

/** Client of an agent that this process started. */
export type LaunchedClient = Client & {
  /** Process id of the started program. A runner such as `npx` starts the agent as its own child. */
  readonly pid: number;
};

/**
 * Starts an agent and connects to it over its stdin and stdout.
 *
 * The agent and its child processes end with the client: after `close`, after a failed start, at the exit of this process,
 * and after its death by SIGKILL.
 *
 * - `close` settles when no process of the agent's process groups is left. That takes at most `3 * graceMs + 1 s`.
 *   `close` settles immediately if the agent exits at the end of its stdin and no process of its groups remains.
 * - The exit of this process is delayed by at most 0.7 s.
 * - After a SIGKILL of this process, a watchdog ends the agent within 5 s.
 * - One kind of process is not found: a process in its own process group that still runs after the agent's own exit.
 *
 * - A launched client keeps this process alive until `close`, or until the agent exits.
 *
 * Without `onStderr`, mistakes that an agent built with turnkit prints are reported as `agent_report`, at most 20 lines. The
 * first other line on stderr is reported as `agent_stderr`, without its text.
 *
 * After the exit of the agent, the agent's last messages are delivered first. Then `closed`, and the errors of all open
 * calls, contain the exit code or signal and the last lines of stderr.
 *
 * @throws SpawnError if the program cannot be started, or does not answer in time; the message contains advice
 * @throws NegotiationError, InvalidMessageError, RpcError and ConnectionClosedError as `connect` does; the program has
 *   ended by then. For a program that ended without a request of the client, the message contains advice
 *
 * @example
 * const client = await launch(["turnkit-agent"], { info: { name: "my-editor", version: "1.0.0" } });
 */
export function launch(
  command: readonly [string, ...string[]],
  options: ClientOptions & LaunchOptions,
): Promise<LaunchedClient> {
  return launchWith(allDialects, command, options);
}

/**
 * Launches like {@link launch}, with these dialects only.
 *
 * @throws the errors of `launch`
 */
export async function launchWith(
  dialects: readonly Dialect[],
  command: readonly [string, ...string[]],
  options: ClientOptions & LaunchOptions,
): Promise<LaunchedClient> {
  const remedy = 'pass { info: { name: "my-editor", version: "1.0.0" } }';
  checkArgument(typeof options?.info?.name === "string", "launch options", { got: options, remedy });
  const { startTimeoutMs = 30_000, wrapChannel = (unchanged) => unchanged } = options;
  const { env = childEnvironment(), spawn = spawnChannel } = options;
  checkTypes("launch", options, LAUNCH);
  const isVariables = typeof env === "object" && env !== null && !Array.isArray(env);
  const granted = 'pass an object of variables, such as childEnvironment({ names: ["SOME_KEY"] })';
  checkArgument(isVariables, "launch env", { got: env, remedy: granted });
  const report = reporter(options.onDiagnostic);
  const variables = watchVariables(env, report);
  const read = options.onStderr ?? agentReports(report);
  const onStderr = (text: string): void => {
    read(text);
    variables.stderr(text);
  };
  const { cwd, stderrBytes, graceMs, limits = {} } = options;
  const { highWater, unsent, message, frame } = limits;
  const bounds = { highWater, unsent, message, frame };
  const channel = await spawn(command, { cwd, env, stderrBytes, onStderr, graceMs, limits: bounds });
  let isLate = false;
  try {
    const connecting = connectWith(dialects, wrapChannel(variables.wrap(channel)), ofConnect(options));
    isLate = !(await withinGrace(connecting, startTimeoutMs));
    if (isLate) void channel.close();
    return Object.assign(await connecting, { pid: channel.pid });
  } catch (cause) {
    await channel.close();
    throw isLate
      ? tooLate(command, startTimeoutMs, { ...(await channel.closed), cause, env })
      : withAdvice(cause, command, env);
  }
}

const OWN: OptionTypes<Omit<LaunchOptions, "limits">> = LAUNCH;

/** Returns the options without those of the launch, which `connect` would report as unknown. */
function ofConnect(options: ClientOptions & LaunchOptions): ClientOptions {
  if (Object.getPrototypeOf(options) !== Object.prototype) return options;
  const others = { ...options };
  for (const name of Object.keys(OWN) as (keyof typeof OWN)[]) delete others[name];
  return others;
}

/** Adds advice to the error of an agent that ended without a request of the client. */
function withAdvice(failure: unknown, command: readonly string[], env: Environment): unknown {
  if (!isAcpError(failure, "connection_closed")) return failure;
  const { reason } = failure as ConnectionClosedError;
  if (reason.kind !== "exit") return failure;
  const advice = [exitAdvice(reason, redactText(command.join(" "))), ...grantAdvice(env)];
  return new ConnectionClosedError("initialize", { ...reason, message: [reason.message, ...advice].join(" ") });
}

type LateEnd = Pick<CloseReason, "stderr"> & { readonly cause: unknown; readonly env: Environment };

function tooLate(command: readonly string[], ms: number, { stderr, cause, env }: LateEnd): SpawnError {
  const message =
    `${redactText(command.join(" "))} was ended, because it did not answer within ${ms / 1000} s. Check that the program is an agent that uses ` +
    "ACP over stdin and stdout (many agents need an argument for that), or raise startTimeoutMs.";
  const advised = [message, ...grantAdvice(env)].join(" ");
  return new SpawnError(closeText({ kind: "local", message: advised, ...(stderr && { stderr }) }), { cause });
}

const byCode: Readonly<Record<number, string>> = {
  0: "The agent ended without an error. Many agents need an argument such as --acp to use ACP.",
  126: "The agent or a program that it starts may not be executed. Check the permissions of both.",
  127: "The agent or a program that it starts was not found. Install it, or pass a PATH that contains it.",
  // Exit code of cmd.exe for an unknown command.
  9009: "The agent or a program that it starts was not found. Install it, or pass a PATH that contains it.",
};

const bySignal: Readonly<Record<string, string>> = {
  SIGKILL: "Another process or the system killed the agent. Systems do this when memory runs out.",
  SIGSEGV: "The agent crashed. Reinstall it, or try another version.",
  SIGABRT: "The agent crashed. Its last lines may show the reason, such as too little memory.",
  SIGILL: "The agent was built for another processor. Install the build for this processor.",
};

/**
 * Returns advice for an agent that ended before client and agent agreed on a version. The advice may contain `command`, so
 * pass it without secrets.
 */
function exitAdvice({ exitCode, signal }: CloseReason, command: string): string {
  const known = signal == null ? byCode[exitCode ?? -1] : bySignal[signal];
  return (
    known ?? `Run the agent in a terminal to find what it needs, such as a login or an environment variable: ${command}`
  );
}
