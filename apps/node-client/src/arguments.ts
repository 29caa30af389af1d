import { parseArgs } from "node:util";
import type { Dialect } from "@turnkit/session";
import type { PermissionMode } from "./permission-mode.js";
import { permissionModes } from "./permission-mode.js";
import { readProtocol } from "./protocol.js";
import { UsageError } from "./usage-error.js";

/** What the command line asks for. Paths are as typed; `prompt.ts` and `main.ts` resolve them. */
export type Invocation =
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | {
      readonly kind: "run";
      readonly cwd: string;
      readonly permissions: PermissionMode;
      readonly dialects: readonly Dialect[];
      readonly prompt?: string;
      readonly files: readonly string[];
      readonly command: readonly [string, ...string[]];
    };

/** The text of `--help`. */
export const help = `Usage: turnkit [options] [FILE…] -- <agent command…>

Starts an agent that speaks the Agent Client Protocol, gives it one prompt and shows the conversation.

  --prompt TEXT        what the agent shall do
  FILE…                files to point the agent at; without --prompt it is asked to review them
                       (with neither, the prompt is read from standard input)
  --cwd DIR            the directory that the agent works in (default: the current one)
  --permissions MODE   how to answer the agent's permission questions (default: ask)
                         ask    ask you; without a terminal every question is cancelled
                         allow  allow each time; never "always"
                         deny   reject
  --protocol VERSION   what to speak: auto (default), 1, 2, or seed, the draft of version 2 of June 2026
  --help, --version

Ctrl-C cancels the turn; a second Ctrl-C ends the program at once.

Exit codes: 0 ended, 1 the agent or the protocol failed, 2 wrong usage, 3 refused or a limit reached, 130 cancelled.

Example: turnkit src/server.ts -- npx my-agent --acp
`;

/**
 * Reads the words after `turnkit`. Everything after the first `--` is the agent's command and is not looked at.
 *
 * @throws UsageError with a sentence for the user.
 */
export function parseInvocation(argv: readonly string[]): Invocation {
  const split = argv.indexOf("--");
  const own = split === -1 ? argv : argv.slice(0, split);
  const command = split === -1 ? [] : argv.slice(split + 1);
  const { values, positionals } = parseOptions(own);
  if (values.help === true) return { kind: "help" };
  if (values.version === true) return { kind: "version" };
  const [program, ...rest] = command;
  if (program === undefined || program === "") {
    throw new UsageError(
      "There is no agent to start: give its command after --, as in: turnkit FILE -- my-agent --acp",
    );
  }
  if (values.prompt?.trim() === "") throw new UsageError("--prompt is empty: say what the agent shall do.");
  return {
    kind: "run",
    cwd: values.cwd ?? ".",
    permissions: permissionMode(values.permissions),
    dialects: readProtocol(values.protocol),
    ...(values.prompt === undefined ? {} : { prompt: values.prompt }),
    files: positionals,
    command: [program, ...rest],
  };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        cwd: { type: "string" },
        permissions: { type: "string" },
        prompt: { type: "string" },
        protocol: { type: "string" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean", short: "v" },
      },
    });
  } catch (error) {
    throw UsageError.from(error);
  }
}

function permissionMode(value: string | undefined): PermissionMode {
  const mode = permissionModes.find((known) => known === (value ?? "ask"));
  if (mode === undefined) throw new UsageError(`--permissions is ${permissionModes.join(", ")}, not "${value}".`);
  return mode;
}
