import type { ToolCall } from "@turnkit/agent";
import * as z from "zod";
import { outside, ToolError } from "../errors.js";
import { fence } from "../markdown.js";
import type { ToolOutput } from "../model.js";
import { unlessAborted } from "../unless-aborted.js";
import { readCommandLine } from "./command-scope.js";
import { gitPlaces } from "./git-folders.js";
import { gitPrograms } from "./git-programs.js";
import { runInTerminal } from "./run-in-terminal.js";
import { defineTool, type ToolContext } from "./tool.js";

const MAX_LINE_LENGTH = 10_000;

/** Time in milliseconds in which a background command can still fail. The model gets the output up to then. */
const FIRST_LOOK_MS = 1_000;

/**
 * Tool that runs a command in a terminal that the user sees. If the client has no terminals, the agent runs the
 * command.
 */
export const runCommandTool = defineTool({
  name: "run_command",
  description:
    "Runs a command line in the session's folder and returns its output and exit code; the user sees both and may refuse " +
    "it. stdin is closed, and everything that it started ends with it. Set background for a server or a watcher: it goes " +
    "on until stop_command or the end of the session. Where there is a sandbox, it confines other commands: no network, " +
    "writes only to the session's folders, no secrets.",
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
      .describe(
        "Run it outside of the sandbox, after a limit made it fail inside, or at once for git add, commit, stash and the like; always asks the user.",
      ),
    timeout_seconds: z.int().min(1).max(1800).default(120).describe("When to give up."),
    background: z
      .boolean()
      .default(false)
      .describe("Return at once and let it run, outside of the sandbox; command_output returns what it writes."),
  }),
  parallel: false,
  open({ command: line, path, timeout_seconds: seconds, network, background, outside_sandbox }, context) {
    const { workspace, permission, sandbox, signal } = context;
    const { path: named, name, inside } = workspace.locate(path);
    // If the files are on the client's machine, the path is used as it is.
    const findFolder = () =>
      workspace.folder(path).then(
        (found) => found.path,
        (error: unknown) => {
          if (error instanceof ToolError && error.code === "unsupported") return named;
          throw error;
        },
      );
    const stopped = new AbortController();
    // Protected files that a command creates are renamed after its end. A background command may end hours later.
    const exception = background
      ? "it runs in the background"
      : outside_sandbox
        ? "the model asks to run it outside of the sandbox"
        : undefined;
    return {
      start: {
        title: `${line.replace(/\s+/g, " ").slice(0, 200)}${background ? " (in the background)" : ""}`,
        kind: "execute",
        onCancel: () => stopped.abort(),
      },
      async run(call): Promise<ToolOutput> {
        if (!inside) throw outside(name);
        const argv = readCommandLine(line);
        const cwd = await findFolder();
        const places = await gitPlaces(line, cwd);
        const programs = places === undefined ? [] : await gitPrograms(cwd, { roots: workspace.roots, signal }, places);
        await showPrograms(call, programs);
        // The search for a sandbox can take long, for example if a program hangs.
        let place = await unlessAborted(sandbox.place({ outside: exception, network }), signal);
        for (;;) {
          const action = { type: "command", line, argv, cwd, programs, place } as const;
          const decision = await permission.decide(call, action);
          signal.throwIfAborted();
          if (decision === "review_only") throw new ToolError("denied", "Nothing is run in `review` mode.");
          if (decision !== "allowed")
            throw new ToolError("denied", `The command was not run: the user ${decision} it.`);
          if ((await findFolder()) !== cwd) {
            throw new ToolError("stale", `\`${name}\` has become another folder during the question; nothing was run.`);
          }
          const entering = sandbox.enter(place, { argv: argv ?? shellFor(line), cwd });
          const entered = await unlessAborted(entering, signal).catch((error: unknown) => {
            // A command that did not start has created no files, but its plan has to be removed.
            void entering.then((late) => ("argv" in late ? late.finish() : undefined)).catch(() => undefined);
            throw error;
          });
          if ("argv" in entered && background) {
            return startInBackground(call, { line, argv: entered.argv, cwd }, context);
          }
          if ("argv" in entered) {
            const command = { line, place, wrapped: entered, cwd, seconds, stopped: stopped.signal };
            return runInTerminal(call, command, context);
          }
          // The sandbox cannot run this command. The user has to allow the new place.
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
  const text = programs.map(programLine).join("\n");
  if (text.length > MAX_PROGRAMS_LENGTH) {
    throw new ToolError("denied", "It was not run: Git would start more programs than a question can show.");
  }
  const head = "Git may also start these, by settings of this folder:";
  await call.append({ type: "content", content: { type: "text", text: `${head}\n\n${fence(text)}` } });
}

/** Returns a program on one line. Values could otherwise have Markdown that a client hides, or invisible characters. */
function programLine(program: string): string {
  const escaped = (char: string) => `\\u{${char.codePointAt(0)?.toString(16)}}`;
  return JSON.stringify(program).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
}

type Started = Parameters<ToolContext["background"]["start"]>[0];

async function startInBackground(call: ToolCall, command: Started, { background, signal }: ToolContext) {
  await call.update({ status: "in_progress" });
  const { id, terminalId } = await background.start(command);
  await call.append({ type: "terminal", terminalId });
  const first = await background.read(id, { waitMs: FIRST_LOOK_MS, until: "end", signal });
  const advice = `It is command ${id}: command_output returns what it writes, stop_command ends it.`;
  const text = background.isRunning(id) ? `${first}\n${advice}` : first;
  await call.update({ rawOutput: { id, text } });
  return { type: "text", value: text } as const;
}

/** Returns the arguments to run the line with the platform's shell. */
export function shellFor(line: string): readonly [string, ...string[]] {
  return process.platform === "win32" ? ["cmd.exe", "/d", "/s", "/c", line] : ["/bin/sh", "-c", line];
}
