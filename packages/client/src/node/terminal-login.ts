import type { AuthMethod } from "@turnkit/session";
import { AcpError, CapabilityError, RequestAbortedError } from "@turnkit/transport";
import { childEnvironment, type ForegroundOptions, runInForeground } from "@turnkit/transport/node";
import type { TerminalExit } from "../host/terminals.js";
import { type Environment, overlay } from "./environment.js";

/** How the login of an agent is shown to the person. */
export type TerminalLoginOptions = Omit<ForegroundOptions, "env"> & {
  /** One of `peer.authMethods`, of the type `terminal`. */
  readonly method: AuthMethod;
  /** The environment that the agent is launched with; unless given, `childEnvironment()`, as `launch` has it. */
  readonly env?: Environment;
  /**
   * Runs the command where the person sees it and can type, such as a terminal panel of an editor, and tells its exit.
   * Unless given, it runs on the terminal of this process.
   */
  readonly run?: (command: readonly [string, ...string[]], place: ForegroundOptions) => Promise<TerminalExit>;
};

/**
 * Lets the person log in on a terminal: starts the agent once more, as `launch` started it, with the arguments of the
 * method behind its own and the method's variables over its environment, and waits for its exit. Pass `launch`'s command
 * and options; which program runs is never up to the agent. Exit code 0 is the success, whatever it printed.
 *
 * The agent that said `-32000` does not know of it: close it, launch again, and try again what failed.
 *
 * @throws CapabilityError for a method that is no login on a terminal
 * @throws SpawnError if the program cannot be started
 * @throws AcpError `login` for any other exit than code 0
 * @throws RequestAbortedError after its signal fired
 *
 * @example
 * const [method] = client.peer.authMethods;
 * if (method?.type === "terminal") await loginOnTerminal(["some-agent", "--acp"], { method });
 */
export async function loginOnTerminal(
  command: readonly [string, ...string[]],
  options: TerminalLoginOptions,
): Promise<void> {
  const { method, run = runInForeground, env = childEnvironment(), cwd, stdio, signal, graceMs } = options;
  if (method.type !== "terminal") throw new CapabilityError(`${method.name} is no login on a terminal.`);
  const place: ForegroundOptions = {
    env: overlay(env, method.env, (name) => failed(method, `the variable ${JSON.stringify(name)} cannot be set`)),
    ...(cwd !== undefined && { cwd }),
    ...(stdio && { stdio }),
    ...(signal && { signal }),
    ...(graceMs !== undefined && { graceMs }),
  };
  const exit = await run([...command, ...method.args], place);
  if (signal?.aborted) throw new RequestAbortedError("loginOnTerminal", signal.reason);
  if (exit.exitCode === 0) return;
  const how = exit.exitCode === null ? `ended by ${exit.signal ?? "an unknown cause"}` : `exit code ${exit.exitCode}`;
  throw failed(method, how);
}

function failed({ name }: AuthMethod, how: string): AcpError {
  return new AcpError("login", `The login "${name}" failed: ${how}. Try again, or choose another method.`);
}
