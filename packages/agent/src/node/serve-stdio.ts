import { basename } from "node:path";
import process from "node:process";
import { Writable } from "node:stream";
import type { CloseReason } from "@turnkit/transport";
import { createStdioChannel } from "@turnkit/transport/node";
import type { Agent } from "../agent.js";
import type { ServeOptions } from "../serve-options.js";

/** Longest time of the shutdown, in ms. The shutdown cleans up the turns and writes the answers. */
const SHUTDOWN_MS = 2_000;

/** Longest time for turns within the shutdown, in ms. The remaining time is for their answers. */
const TURNS_MS = 1_000;

const USAGE = 'Call serveStdio(() => import("./agent.js")), where agent.js says export default createAgent(…).';

/**
 * Serves an agent over this process's stdin and stdout.
 *
 * - Before `load` imports the agent, writes of other code to `process.stdout` are redirected to stderr. A `console.log` in
 *   a module therefore cannot damage the protocol.
 * - Child processes must not inherit stdout. No code may write directly to file descriptor 1.
 * - The connection ends when stdin ends, or on SIGTERM, SIGINT and SIGHUP. Turns are then cancelled, prompts answered,
 *   sessions closed, and waiting messages written.
 * - The process exits at most two seconds after that end.
 * - If stdin is a terminal, a person has started the program. A line on stderr then says what it waits for.
 *
 * @returns the reason for the end of the connection
 * @throws the error of `load`
 * @throws TypeError if `load` is not a function, or its module has no agent as default export
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
  const agent = (await load())?.default;
  if (typeof agent?.serve !== "function") throw new TypeError(`serveStdio got a module without an agent. ${USAGE}`);
  if (process.stdin.isTTY) printHint();
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

function printHint(): void {
  const command = ["node", ...process.argv.slice(1, 2).map((path) => basename(path))].join(" ");
  const wait = "This program is an agent, and waits for the messages of a client on stdin. Ctrl-C ends it.";
  process.stderr.write(`turnkit: ${wait} To talk to it, start it from a client, as in: turnkit -- ${command}\n`);
}

/**
 * Takes stdout for the protocol and returns a stream that writes to stdout. From then on, all other writes to
 * `process.stdout` go to stderr.
 */
function takeStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const end = stdout.end.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  // A client may close stderr. Without a listener, the next redirected line would end the process.
  stderr.on("error", () => {});
  // Another stream may be piped to stdout. Its end must not end the protocol's output.
  stdout.end = () => stdout;
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => void write(chunk, encoding, done),
    final: (done) => void end(done),
  });
  stdout.on("error", (error) => output.destroy(error));
  return output;
}
