import type { Readable, Writable } from "node:stream";
import { startProcess } from "@turnkit/transport/node";
import type { HookConfig } from "../config/project-part.js";
import { messageOf } from "../errors.js";
import type { SandboxChoice } from "../sandbox/sandbox-choice.js";
import { readCommandLine } from "../tools/command-scope.js";
import { shellFor } from "../tools/run-command.js";

const TIMEOUT_SECONDS = 60;

/** Number of characters of the output that are kept, from its beginning. */
const MAX_OUTPUT = 10_000;

/** Time between SIGTERM and SIGKILL for a hook, in milliseconds. */
const GRACE_MS = 500;

/** End of a hook. `failure` is a part of a sentence; absent if the hook ended with code 0. */
export type HookEnd = { readonly output: string; readonly failure?: string };

export type HookPlace = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sandbox: SandboxChoice;
  readonly signal: AbortSignal;
};

/**
 * Runs a hook, with a JSON text on its stdin. It runs in the sandbox of commands if there is one, and ends with all its
 * processes at its time limit, or when the signal aborts.
 *
 * @throws the reason of the signal
 */
export async function runHook(hook: HookConfig, input: object, place: HookPlace): Promise<HookEnd> {
  const { cwd, sandbox, signal } = place;
  const argv = readCommandLine(hook.run) ?? shellFor(hook.run);
  try {
    const where = await sandbox.place({ network: false });
    const entered = await sandbox.enter(where, { argv, cwd });
    const wrapped = "argv" in entered ? entered : { argv, finish: async () => [] };
    const seconds = hook.timeoutSeconds ?? TIMEOUT_SECONDS;
    const running = run(wrapped.argv, { ...place, seconds, input: `${JSON.stringify(input)}\n` });
    const end = await running.catch(async (error: unknown) => {
      await wrapped.finish(GRACE_MS).catch(() => []);
      throw error;
    });
    const notes = await wrapped.finish(GRACE_MS);
    signal.throwIfAborted();
    return { ...end, output: [end.output, ...notes].filter(Boolean).join("\n") };
  } catch (error) {
    signal.throwIfAborted();
    return { output: "", failure: `it could not be started: ${messageOf(error)}` };
  }
}

type Run = HookPlace & { readonly seconds: number; readonly input: string };

async function run(argv: readonly [string, ...string[]], { cwd, env, signal, seconds, input }: Run): Promise<HookEnd> {
  signal.throwIfAborted();
  const group = await startProcess(argv, { cwd, env, stdin: true });
  const { stdin, stdout, stderr } = group.child;
  let output = "";
  for (const stream of [stdout, stderr] as Readable[]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(0, MAX_OUTPUT);
    });
  }
  // A hook may end without reading its input.
  (stdin as Writable).on("error", () => undefined);
  (stdin as Writable).end(input);
  const deadline = AbortSignal.timeout(seconds * 1_000);
  const over = AbortSignal.any([signal, deadline]);
  const stop = () => void group.terminate(GRACE_MS);
  over.addEventListener("abort", stop, { once: true });
  if (over.aborted) stop();
  const { exitCode, signal: killedBy } = await group.exited;
  over.removeEventListener("abort", stop);
  // Ends the processes that the hook has started.
  await group.terminate(GRACE_MS);
  const text = output.trim();
  if (deadline.aborted) return { output: text, failure: `it did not end within ${seconds} s` };
  if (exitCode === 0) return { output: text };
  return { output: text, failure: killedBy ? `it was ended by ${killedBy}` : `exit code ${exitCode}` };
}
