import type { AuthMethod } from "@turnkit/session";
import { AcpError, CapabilityError, checkArgument, checkTypes, RequestAbortedError } from "@turnkit/transport";
import { childEnvironment, type ForegroundOptions, runInForeground } from "@turnkit/transport/node";
import type { TerminalExit } from "../host/terminals.js";
import { type Environment, overlay } from "./environment.js";
import { terminalLoginFault } from "./terminal-login-fault.js";

/** Options of a login on a terminal. */
export type TerminalLoginOptions = Omit<ForegroundOptions, "env"> & {
  /** Method of `peer.authMethods`, of type `terminal`. */
  readonly method: AuthMethod;
  /**
   * Environment of the launched agent.
   * @defaultValue `childEnvironment()`, like `launch`
   */
  readonly env?: Environment;
  /**
   * Runs the command on a terminal that the person can use, such as a panel of an editor. Returns the exit of the command.
   * @defaultValue the terminal of this process
   */
  readonly run?: (command: readonly [string, ...string[]], place: ForegroundOptions) => Promise<TerminalExit>;
};

/**
 * Lets the person log in on a terminal. The function starts the agent's program again and waits for its exit. Exit code 0
 * means success.
 *
 * - Pass the command and the options that you pass to `launch`, because the agent cannot choose the program.
 * - The arguments of the method follow the arguments of the command.
 * - The variables of the method override the environment.
 * - Show the person the whole command before it runs.
 * - The running agent does not know about the login. Close it, launch it again, and repeat the request that failed.
 *
 * @throws CapabilityError for a method that is not a login on a terminal
 * @throws SpawnError if the program cannot be started
 * @throws AcpError `login` for a method that `terminalLoginFault` refuses, and for any other exit than code 0
 * @throws RequestAbortedError after `signal` fired
 *
 * @example
 * const [method] = client.peer.authMethods;
 * if (method?.type === "terminal") await loginOnTerminal(["some-agent", "--acp"], { method });
 */
export async function loginOnTerminal(
  command: readonly [string, ...string[]],
  options: TerminalLoginOptions,
): Promise<void> {
  const remedy = "pass { method }, one of client.peer.authMethods";
  checkArgument(typeof options?.method?.type === "string", "loginOnTerminal options", { got: options, remedy });
  checkTypes("loginOnTerminal", options, { run: "function" });
  const { method, run = runInForeground, env = childEnvironment(), ...place } = options;
  if (method.type !== "terminal") throw new CapabilityError(`${method.name} is not a login on a terminal.`);
  const fault = terminalLoginFault(method);
  if (fault !== undefined) throw new AcpError("login", `The login "${method.name}" is refused: ${fault}.`);
  const exit = await run([...command, ...method.args], {
    ...place,
    env: overlay(env, method.env, (name) => failed(method, `the variable ${JSON.stringify(name)} cannot be set`)),
  });
  if (place.signal?.aborted) throw new RequestAbortedError("loginOnTerminal", place.signal.reason);
  if (exit.exitCode === 0) return;
  const how = exit.exitCode === null ? `ended by ${exit.signal ?? "an unknown cause"}` : `exit code ${exit.exitCode}`;
  throw failed(method, how);
}

function failed({ name }: AuthMethod, how: string): AcpError {
  return new AcpError("login", `The login "${name}" failed: ${how}. Try again, or choose another method.`);
}
