import { CommanderError } from "commander";
import { createProgram } from "./command-line.js";
import { UsageError } from "./exit-code.js";
import type { Invocation } from "./invocation.js";

/**
 * Reads the words after `turnkit`. Everything after the first `--` is the agent's command and is not parsed.
 *
 * @throws UsageError with a sentence for the user.
 */
export function parseInvocation(argv: readonly string[]): Invocation {
  const split = argv.indexOf("--");
  const own = split === -1 ? argv : argv.slice(0, split);
  const command = split === -1 ? undefined : readCommand(argv.slice(split + 1));
  let printed = "";
  let invocation: Invocation | undefined;
  const program = createProgram(
    (made) => {
      invocation = made;
    },
    (text) => {
      printed += text;
    },
  );
  try {
    program.parse([...own], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usageErrorOf(error);
    return { kind: "print", text: printed };
  }
  if (invocation === undefined) throw new UsageError("There is nothing to do: see turnkit --help.");
  if (command === undefined) return invocation;
  if (!("dialects" in invocation)) throw new UsageError("This starts no agent: leave out what follows --.");
  if (invocation.agent !== undefined) throw new UsageError("Give either --agent or a command after --, not both.");
  return { ...invocation, command };
}

function readCommand([program, ...rest]: readonly string[]): readonly [string, ...string[]] {
  if (program === undefined || program === "") {
    throw new UsageError("There is no command after --: give the agent's, as in: turnkit FILE -- my-agent --acp");
  }
  return [program, ...rest];
}

/** Returns Commander's message as one sentence. */
function usageErrorOf({ message, code }: CommanderError): UsageError {
  if (code === "commander.help") return new UsageError("A command is missing: see turnkit --help.");
  const sentence = message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  return new UsageError(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${/[.)]$/.test(sentence) ? "" : "."}`);
}
