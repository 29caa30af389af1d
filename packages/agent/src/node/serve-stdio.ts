import process from "node:process";
import { Writable } from "node:stream";
import type { CloseReason } from "@turnkit/transport";
import { createStdioChannel } from "@turnkit/transport/node";
import type { Agent } from "../agent.js";
import type { ServeOptions } from "../serve-options.js";

/** Longest time for the shutdown, in ms: the clean-up of turns and the writing of answers. */
const SHUTDOWN_MS = 2_000;

/** Part of the shutdown for turns, in ms. The rest is for their answers. */
const TURNS_MS = 1_000;

const USAGE = 'Call serveStdio(() => import("./agent.js")), where agent.js says export default createAgent(…).';

/**
 * Serves an agent over this process's stdin and stdout. Stdout is taken over before `load` imports the agent: a stray
 * `console.log` of any module goes to stderr. Child processes must not inherit stdout, and no code may write to file
 * descriptor 1 by number.
 *
 * Ends when stdin ends, or on SIGTERM, SIGINT and SIGHUP. Turns are cancelled, prompts answered, sessions closed, and waiting
 * messages written. The process exits at most two seconds later.
 *
 * @returns the reason for the end of the connection
 * @throws the error of `load`; TypeError if `load` is no function, or its module has no agent as default export
 *
 * @example
 * await serveStdio(() => import("./agent.js"));
 */
export async function serveStdio(
  load: () => Promise<{ readonly default: Agent }>,
  options: ServeOptions = {},
): Promise<CloseReason> {
  if (typeof load !== "function") throw new TypeError(`serveStdio got no function. ${USAGE}`);
  const output = takeStdout();
  const { default: agent } = await load();
  if (typeof agent?.serve !== "function") throw new TypeError(`serveStdio got a module without an agent. ${USAGE}`);
  const channel = createStdioChannel({ input: process.stdin, output });
  const served = agent.serve(channel, options);
  const exitSoon = () => setTimeout(() => process.exit(), SHUTDOWN_MS).unref();
  const stop = () => {
    exitSoon();
    void served.close(TURNS_MS);
  };
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  for (const signal of signals) process.once(signal, stop);
  void channel.closed.then(exitSoon);
  const reason = await served.closed;
  for (const signal of signals) process.off(signal, stop);
  return reason;
}

/**
 * Takes stdout for the protocol and returns a stream that writes to it. All other writes to `process.stdout` go to stderr from
 * then on.
 */
function takeStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const end = stdout.end.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  // A client may close stderr. Without a listener the next stray line would end the process.
  stderr.on("error", () => {});
  // Another stream that is piped to stdout must not end the protocol's.
  stdout.end = () => stdout;
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => void write(chunk, encoding, done),
    final: (done) => void end(done),
  });
  stdout.on("error", (error) => output.destroy(error));
  return output;
}
