import type { ClientTerminal, TerminalExit, ToolCall, ToolCallFields } from "@turnkit/agent";
import { explainGit } from "../sandbox/explain.js";
import type { WrappedCommand } from "../sandbox/sandbox.js";
import type { Place } from "../sandbox/sandbox-choice.js";
import { unlessAborted } from "../unless-aborted.js";
import { describeExit, settledOutput } from "./command-output.js";
import type { EndedOutput } from "./run-call.js";
import type { ToolContext } from "./tool.js";

/** Size of the output that the model gets, in bytes. The oldest output is dropped first. */
const MAX_OUTPUT_BYTES = 32 * 1024;

type Command = {
  readonly line: string;
  readonly place: Place;
  readonly wrapped: WrappedCommand;
  readonly cwd: string;
  readonly seconds: number;
  /** Aborts when the user stops only this command. */
  readonly stopped: AbortSignal;
};

type Ending = "exit" | "timeout" | "stopped";

/** Runs a command in a terminal that the user sees, until its end. Returns its output for the model. */
export async function runInTerminal(call: ToolCall, command: Command, context: ToolContext): Promise<EndedOutput> {
  const { signal } = context;
  call.update({ status: "in_progress" });
  const { line, place, wrapped, cwd, seconds } = command;
  const [program, ...args] = wrapped.argv;
  // The sandbox exists only on this machine, so the client's terminals cannot use it.
  const terminals = place.sandbox === undefined ? context.terminals : context.ownTerminals(line);
  let terminal: ClientTerminal | undefined;
  let finished = false;
  const finish = async (graceMs?: number): Promise<readonly string[]> => {
    finished = true;
    return wrapped.finish(graceMs);
  };
  try {
    terminal = await terminals.create({ command: program, args, cwd, outputByteLimit: MAX_OUTPUT_BYTES });
    await call.append({ type: "terminal", terminalId: terminal.terminalId });
    const ending = await waitFor(terminal, command);
    if (ending !== "exit") await terminal.kill();
    signal.throwIfAborted();
    const exit = await terminal.waitForExit();
    const output = await terminal.output();
    const failed = ending !== "exit" || exit.exitCode !== 0;
    const limit = failed && place.sandbox ? (place.sandbox.explain(output.output) ?? explainGit(line)) : undefined;
    const notes = [...(await finish()), ...(limit === undefined ? [] : [`${limit} ${REMEDY}`])];
    for (const note of notes) await call.append({ type: "content", content: { type: "text", text: note } });
    const text = describe(output, [endOf(ending, exit, seconds), ...notes].join("\n"));
    const end: ToolCallFields = {
      status: ending === "stopped" ? "cancelled" : failed ? "failed" : "completed",
      rawOutput: { exitCode: exit.exitCode ?? null, signal: exit.signal ?? null, ending, place: place.name, text },
    };
    return { type: "text", value: text, end };
  } finally {
    // The release kills processes that the command started and left running. After a cancel, the terminal is already
    // released.
    await terminal?.release().catch(() => undefined);
    const notes = finished ? [] : await finish(GRACE_MS).catch(() => []);
    for (const text of notes) {
      await call.append({ type: "content", content: { type: "text", text } })?.catch(() => undefined);
    }
  }
}

/** Time that a failed or cancelled command waits for its cleanup, in milliseconds. The next command waits for the rest. */
const GRACE_MS = 1_000;

/** Remedy for the model. It follows the sentence about the limit. */
const REMEDY = "If it needs that, call run_command with `network` or `outside_sandbox`: the user is asked.";

async function waitFor(terminal: ClientTerminal, { seconds, stopped }: Command): Promise<Ending> {
  const deadline = AbortSignal.timeout(seconds * 1000);
  try {
    await unlessAborted(terminal.waitForExit(), AbortSignal.any([stopped, deadline]));
    return "exit";
  } catch (error) {
    if (stopped.aborted) return "stopped";
    if (deadline.aborted) return "timeout";
    throw error;
  }
}

function endOf(ending: Ending, exit: TerminalExit, seconds: number): string {
  if (ending === "timeout") return `It was ended after ${seconds} s.`;
  return ending === "stopped" ? "The user stopped it." : describeExit(exit);
}

function describe(
  { output, truncated }: { readonly output: string; readonly truncated: boolean },
  end: string,
): string {
  const shown = settledOutput(output).trimEnd() || "[no output]";
  return [...(truncated ? ["[the beginning of the output was dropped]"] : []), shown, end].join("\n");
}
