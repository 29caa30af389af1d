import type { ClientTerminal, TerminalExit, ToolCall, ToolCallFields } from "@turnkit/agent";
import * as z from "zod";
import { outside, ToolError } from "../errors.js";
import type { WrappedCommand } from "../sandbox/sandbox.js";
import type { Place } from "../sandbox/sandbox-choice.js";
import { readCommandLine } from "./command-scope.js";
import { gitPlaces } from "./git-folders.js";
import { gitPrograms } from "./git-programs.js";
import type { EndedOutput } from "./run-call.js";
import { defineTool, type ToolContext } from "./tool.js";

const MAX_LINE_LENGTH = 10_000;

/** Size of the output that the model gets, in bytes. The oldest output is dropped first. */
const MAX_OUTPUT_BYTES = 32 * 1024;

/**
 * Tool that runs a command in a terminal that the user sees. If the client has no terminals, the agent runs the
 * command.
 */
export const runCommandTool = defineTool({
  name: "run_command",
  description:
    "Runs a command line in the session's folder and returns its output and exit code; the user sees both and may refuse " +
    "it. stdin is closed, and everything that it started ends with it: do not start servers in the background. Where " +
    "there is a sandbox, it confines the command: no network, writes only to the session's folders, no secrets.",
  input: z.object({
    command: z
      .string()
      .trim()
      .min(1)
      .max(MAX_LINE_LENGTH)
      .refine((line) => !line.includes("\0"), "a command holds no NUL")
      .describe("One line; goes through a shell if it needs one."),
    path: z.string().default(".").describe("The folder to run in; the session's unless said otherwise."),
    network: z.boolean().default(false).describe("Use the network in the sandbox; the user may have to allow it."),
    outside_sandbox: z
      .boolean()
      .default(false)
      .describe("Run it outside of the sandbox, after it failed inside because of a limit; always asks the user."),
    timeout_seconds: z.int().min(1).max(1800).default(120).describe("When to give up."),
  }),
  parallel: false,
  open({ command: line, path, timeout_seconds: seconds, network, outside_sandbox: outsideSandbox }, context) {
    const { workspace, permission, sandbox, signal } = context;
    const { path: cwd, name, inside } = workspace.locate(path);
    const stopped = new AbortController();
    return {
      start: {
        title: line.replace(/\s+/g, " ").slice(0, 200),
        kind: "execute",
        onCancel: () => stopped.abort(),
      },
      async run(call) {
        if (!inside) throw outside(name);
        const argv = readCommandLine(line);
        const folder = await workspace.folder(path).then(
          (found) => found.path,
          () => cwd,
        );
        const places = await gitPlaces(line, folder);
        const programs = places === undefined ? [] : await gitPrograms(folder, signal, places);
        await showPrograms(call, programs);
        // The search for a sandbox can take long, for example if a program hangs.
        let place = await unlessAborted(sandbox.place({ outside: outsideSandbox, network }), signal);
        for (;;) {
          const action = { type: "command", line, argv, cwd: folder, programs, place } as const;
          const decision = await permission.decide(call, action);
          signal.throwIfAborted();
          if (decision === "review_only") throw new ToolError("denied", "Nothing is run in `review` mode.");
          if (decision !== "allowed")
            throw new ToolError("denied", `The command was not run: the user ${decision} it.`);
          const entering = sandbox.enter(place, { argv: argv ?? shellFor(line), cwd });
          const entered = await unlessAborted(entering, signal).catch((error: unknown) => {
            // A command that does not start has nothing to rename, but its plan has to go.
            void entering.then((late) => ("argv" in late ? late.finish() : undefined)).catch(() => undefined);
            throw error;
          });
          if ("argv" in entered) {
            const command = { line, place, wrapped: entered, cwd, seconds, stopped: stopped.signal };
            return runInTerminal(call, command, context);
          }
          // The sandbox cannot run this command. The new place needs its own answer.
          place = entered;
        }
      },
    };
  },
});

/** Maximum length of the list of programs that a person has to read, in characters. */
const MAX_PROGRAMS_LENGTH = 20_000;

/**
 * Shows which programs Git may start with the command, before the question about the command.
 *
 * @throws ToolError `denied` if the list is too long for a question
 */
async function showPrograms(call: ToolCall, programs: readonly string[]): Promise<void> {
  if (programs.length === 0) return;
  const text = ["Git may also start these, by settings of this folder:", ...programs].join("\n");
  if (text.length > MAX_PROGRAMS_LENGTH) {
    throw new ToolError("denied", "It was not run: Git would start more programs than a question can show.");
  }
  await call.append({ type: "content", content: { type: "text", text } });
}

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

async function runInTerminal(call: ToolCall, command: Command, context: ToolContext): Promise<EndedOutput> {
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
    const limit = failed ? place.sandbox?.explain(output.output) : undefined;
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

/** Waits for work. Throws the reason of the signal if it aborts first; the work itself goes on. */
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Remedy for the model. It follows the sentence about the limit. */
const REMEDY = "If it needs that, call run_command with `network` or `outside_sandbox`: the user is asked.";

async function waitFor(terminal: ClientTerminal, { seconds, stopped }: Command): Promise<Ending> {
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  try {
    return await Promise.race([
      terminal.waitForExit().then(() => "exit" as const),
      new Promise<Ending>((resolve) => {
        timer = setTimeout(resolve, seconds * 1000, "timeout");
        stop = () => resolve("stopped");
        if (stopped.aborted) stop();
        else stopped.addEventListener("abort", stop, { once: true });
      }),
    ]);
  } finally {
    clearTimeout(timer);
    stopped.removeEventListener("abort", stop);
  }
}

/** Returns the arguments to run the line with the platform's shell. */
function shellFor(line: string): readonly [string, ...string[]] {
  return process.platform === "win32" ? ["cmd.exe", "/d", "/s", "/c", line] : ["/bin/sh", "-c", line];
}

function endOf(ending: Ending, { exitCode, signal }: TerminalExit, seconds: number): string {
  if (ending === "timeout") return `It was ended after ${seconds} s.`;
  if (ending === "stopped") return "The user stopped it.";
  return signal ? `It was ended by ${signal}.` : `Exit code ${exitCode ?? "unknown"}.`;
}

function describe(
  { output, truncated }: { readonly output: string; readonly truncated: boolean },
  end: string,
): string {
  const shown = output.trimEnd() || "[no output]";
  return [...(truncated ? ["[the beginning of the output was dropped]"] : []), shown, end].join("\n");
}
