import process from "node:process";
import type { CloseReason } from "@turnkit/transport";
import { createStdioChannel } from "@turnkit/transport/node";
import type { Agent, ServeOptions } from "../agent.js";
import { takeStdout } from "./take-stdout.js";

/** How long the end of the process waits for turns to be cleaned up and answers to be written. */
const SHUTDOWN_MS = 2_000;

/**
 * Serves an agent over this process's stdin and stdout. Stdout belongs to the protocol from the first line on: it is
 * taken over before `load` imports the agent, so that a stray `console.log` of any module goes to stderr.
 *
 * Ends when stdin ends, or on SIGTERM, SIGINT and SIGHUP: turns are cancelled, what waits is written, at most for two
 * seconds; then the process exits.
 *
 * @example
 * await serveStdio(() => import("./agent.js"));
 */
export async function serveStdio(
  load: () => Promise<{ readonly default: Agent }>,
  options: ServeOptions = {},
): Promise<CloseReason> {
  const output = takeStdout();
  const { default: agent } = await load();
  const channel = createStdioChannel({ input: process.stdin, output });
  const served = agent.serve(channel, options);
  const exitSoon = () => setTimeout(() => process.exit(), SHUTDOWN_MS).unref();
  const stop = () => {
    exitSoon();
    void served.close();
  };
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  for (const signal of signals) process.once(signal, stop);
  void channel.closed.then(exitSoon);
  const reason = await served.closed;
  for (const signal of signals) process.off(signal, stop);
  return reason;
}
