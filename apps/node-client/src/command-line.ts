import { Command, CommanderError, Option } from "commander";
import { exitCodeTable, UsageError } from "./exit-code.js";
import {
  type AgentChoice,
  type Invocation,
  type OutputFormat,
  outputFormats,
  readDuration,
  readProtocol,
} from "./invocation.js";
import { version } from "./version.js";

type Options = {
  readonly agent?: string;
  readonly cwd?: string;
  readonly protocol?: string;
  readonly mcp?: readonly string[];
  readonly trace?: string;
  readonly timeout?: string;
  readonly prompt?: string;
  readonly permissions?: string;
  readonly output?: OutputFormat;
  readonly session?: string;
  readonly json?: boolean;
  readonly full?: boolean;
  readonly turn?: boolean;
  readonly readOnly?: boolean;
  readonly terminals?: boolean;
};

/**
 * Parses the words after `turnkit`. All words after the first `--` are the command of the agent, and are not parsed.
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
  if (invocation === undefined)
    throw new UsageError("The command line has no prompt, file or command. See turnkit --help.");
  if (command === undefined) return invocation;
  if (!("dialects" in invocation))
    throw new UsageError("This command starts no agent. Leave out -- and the words after it.");
  if (invocation.agent !== undefined) throw new UsageError("Give either --agent or a command after --, not both.");
  return { ...invocation, command };
}

/** Creates the commands and options of this program. `found` gets the parsed invocation, and `print` gets the help. */
function createProgram(found: (invocation: Invocation) => void, print: (text: string) => void): Command {
  const program = new Command("turnkit")
    .description("Talks to any agent that speaks the Agent Client Protocol.")
    .version(version, "-v, --version")
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({ writeOut: print, writeErr: () => {} })
    .configureHelp({ showGlobalOptions: false })
    // Commander leaves the help command out if the first word may be a file.
    .helpCommand("help [command]", "show the help of a command")
    .argument(
      "[files...]",
      "files for the agent (- is standard input); without --prompt, the agent is asked to review the files",
    );
  const run = (own: Command, files: readonly string[], session?: string) => {
    const options = optionsOf(own);
    if (options.prompt?.trim() === "") throw new UsageError("--prompt is empty. Give the task of the agent.");
    const id = session ?? options.session;
    found({
      ...{ kind: "run", files, ...choiceOf(options) },
      ...{ permissions: options.permissions ?? "ask", output: options.output ?? "text" },
      readOnly: options.readOnly === true || options.permissions === "deny",
      noTerminals: options.terminals === false || options.permissions === "deny",
      anyVariables: options.permissions === "allow",
      ...(options.prompt !== undefined && { prompt: options.prompt }),
      ...(id !== undefined && { session: id }),
    });
  };
  withRunOptions(withAgentOptions(program))
    .option("--session <id>", "continue an earlier session; its messages are shown first")
    .usage("[options] [files...] [-- command...]\n       turnkit agents | sessions | trace | doctor …")
    .addHelpText("after", afterHelp)
    .action((files: string[], _: unknown, own: Command) => run(own, files));

  program
    .command("agents")
    .description("list the agents for --agent, and show which of them are installed")
    .option("--json", "as JSON")
    .action((_: unknown, own: Command) => found({ kind: "agents", json: optionsOf(own).json === true }));
  addSessionCommands(
    program.command("sessions").description("list, show, resume or delete sessions of an agent"),
    found,
    run,
  );
  addTraceCommands(program.command("trace").description("show or replay logs that --trace has written"), found);
  withAgentOptions(program.command("doctor"))
    .description("test an agent, and report problems with their remedies")
    .option("--json", "as JSON")
    .option("--no-turn", "send no prompts (the two short prompts cost a few tokens)")
    .usage("[options] [-- command...]")
    .action((_: unknown, own: Command) => {
      const options = optionsOf(own);
      found({ kind: "doctor", ...choiceOf(options), json: options.json === true, turn: options.turn !== false });
    });
  return program;
}

function addSessionCommands(
  sessions: Command,
  found: (invocation: Invocation) => void,
  run: (own: Command, files: readonly string[], session: string) => void,
): void {
  withAgentOptions(sessions.command("list", { isDefault: true }))
    .description("list the sessions; with --cwd only those of that directory")
    .option("--json", "as JSON")
    .action((_: unknown, own: Command) => {
      const options = optionsOf(own);
      found({ kind: "sessions list", ...choiceOf(options), json: options.json === true });
    });
  for (const [name, description] of [
    ["show", "print the conversation as Markdown"],
    ["delete", "delete the session"],
  ] as const) {
    withAgentOptions(sessions.command(name))
      .description(description)
      .argument("<id>")
      .action((session: string, _: unknown, own: Command) =>
        found({ kind: `sessions ${name}`, ...choiceOf(optionsOf(own)), session }),
      );
  }
  withRunOptions(withAgentOptions(sessions.command("resume")))
    .description("the same as turnkit --session <id>")
    .argument("<id>")
    .argument("[files...]")
    .action((session: string, files: string[], _: unknown, own: Command) => run(own, files, session));
}

function addTraceCommands(trace: Command, found: (invocation: Invocation) => void): void {
  trace
    .command("show")
    .description("print the messages as a timeline")
    .argument("<file>")
    .option("--full", "every message with all of its members")
    .action((file: string, _: unknown, own: Command) =>
      found({ kind: "trace show", file, full: optionsOf(own).full === true }),
    );
  trace
    .command("replay")
    .description("show the recorded conversation again; no program is started and no file is changed")
    .argument("<file>")
    .action((file: string) => found({ kind: "trace replay", file }));
}

function withAgentOptions(command: Command): Command {
  return command
    .option("--agent <name>", "one of `turnkit agents`; or give a command after --")
    .option("--cwd <dir>", "the directory that the agent works in (default: the current one)")
    .option("--protocol <version>", "what to speak: auto (default), 1, 2, or seed, the draft of June 2026")
    .option("--mcp <file>", "JSON file with MCP servers for the agent; may be repeated", collected)
    .option("--trace <file>", "write the wire down as JSON lines, without secrets")
    .option("--timeout <time>", "give up after that long: 90, 90s, 5m");
}

function withRunOptions(command: Command): Command {
  return command
    .option("-p, --prompt <text>", "what the agent shall do (default: files, else standard input)")
    .option("--permissions <mode>", "ask (default), allow, allow-reads, deny, or a policy file (.json)")
    .option("--read-only", "write no files for the agent (so with --permissions deny)")
    .option("--no-terminals", "run no commands for the agent (so with --permissions deny)")
    .addOption(new Option("--output <format>", "what is printed (default: text)").choices(outputFormats));
}

const afterHelp = `
Without --agent and without a command, the default of agents.json is started, else turnkit-agent. On a terminal and
without a prompt the conversation is interactive; else it is one prompt. Ctrl-C cancels the turn; a second one ends
the program.
A file that is called like a command is given with its path: ./agents

Exit codes: ${exitCodeTable.map(({ code, short }) => `${code} ${short}`).join(", ")}.

Examples:
  turnkit --agent opencode -p "Why is the build slow?"
  turnkit src/server.ts -- npx my-agent --acp
  git diff | turnkit --permissions allow-reads --output json | jq -r .text
`;

const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/**
 * Returns the options of a command. Options that stand before the command's name are included if the command has them.
 */
function optionsOf(command: Command): Options {
  const known = new Set(command.options.map((option) => option.attributeName()));
  for (let parent = command.parent; parent !== null; parent = parent.parent) {
    const above = parent;
    const stray = Object.keys(above.opts()).find(
      (name) => !known.has(name) && above.getOptionValueSource(name) !== "default",
    );
    if (stray !== undefined) throw new UsageError(`--${stray} is not an option of turnkit ${command.name()}.`);
  }
  return command.optsWithGlobals<Options>();
}

function choiceOf({ agent, cwd, protocol, mcp = [], trace, timeout }: Options): AgentChoice {
  return {
    ...(agent !== undefined && { agent }),
    ...(cwd !== undefined && { cwd }),
    ...{ dialects: readProtocol(protocol), mcp },
    ...(trace !== undefined && { trace }),
    ...(timeout !== undefined && { timeoutMs: readDuration("--timeout", timeout) }),
  };
}

function readCommand([program, ...rest]: readonly string[]): readonly [string, ...string[]] {
  if (program === undefined || program === "") {
    throw new UsageError(
      "The command after -- is missing. Give the command of the agent, for example: turnkit FILE -- my-agent --acp",
    );
  }
  return [program, ...rest];
}

/** Converts Commander's message to one sentence. */
function usageErrorOf({ message, code }: CommanderError): UsageError {
  if (code === "commander.help") return new UsageError("A command is missing: see turnkit --help.");
  const sentence = message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  return new UsageError(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${/[.)]$/.test(sentence) ? "" : "."}`);
}
