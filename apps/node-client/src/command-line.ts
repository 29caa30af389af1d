import { Command, CommanderError } from "commander";
import { helpOn, helpPage } from "./command-line/help-page.js";
import { addMcpCommands } from "./command-line/mcp-commands.js";
import {
  choiceOf,
  commandLineOptions,
  settingsOf,
  withAgentOptions,
  withRunOptions,
  withSessionOptions,
} from "./command-line/options.js";
import { checkNoWords, checkPromptWords } from "./command-line/prompt-words.js";
import { addServe } from "./command-line/serve-command.js";
import { UsageError } from "./exit-code.js";
import type { Invocation, SessionWish } from "./invocation.js";
import { version } from "./version.js";

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
    // A group of commands alone shows its help.
    if (error.exitCode !== 0 && error.code !== "commander.help") throw usageErrorOf(error);
    return { kind: "print", text: printed };
  }
  if (invocation === undefined) throw new UsageError("The command line has no prompt or command. See turnkit --help.");
  if (command === undefined || invocation.kind === "print") return invocation;
  if (!("dialects" in invocation) && invocation.kind !== "mcp add")
    throw new UsageError("This command starts no agent. Leave out -- and the words after it.");
  if ("agent" in invocation && invocation.agent !== undefined)
    throw new UsageError("Give either --agent or a command after --, not both.");
  if ("url" in invocation && invocation.url !== undefined)
    throw new UsageError("Give either --url or a command after --, not both.");
  return { ...invocation, command };
}

type Found = (invocation: Invocation) => void;
type Run = (own: Command, words: readonly string[], session?: string) => void;

/** Creates the commands and options of this program. `found` gets the parsed invocation, and `print` gets the help. */
function createProgram(found: Found, print: (text: string) => void): Command {
  const program = new Command("turnkit")
    .description("Sends a prompt to an agent. Without a prompt, starts a conversation.")
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({ writeOut: print, writeErr: print, outputError: () => {} })
    .configureHelp({ showGlobalOptions: false, formatHelp: helpPage })
    .helpOption("-h, --help", "show this help")
    .argument("[prompt...]")
    .usage('[options] ["prompt"] [-- agent command]')
    .helpCommand(false);
  const run: Run = (own, words, session) => found(runInvocation(own, words, session));
  withRunOptions(withSessionOptions(withAgentOptions(program)))
    .version(version, "-v, --version", "show the version")
    .action((words: string[], _: unknown, own: Command) => {
      checkPromptWords(words, program);
      run(own, words);
    });
  program
    .command("agents")
    .description("Lists the agents for --agent, and shows which of them are installed.")
    .option("--json", "print JSON")
    .action((_: unknown, own: Command) => found({ kind: "agents", json: commandLineOptions(own).json === true }));
  program
    .command("setup")
    .description("Chooses an agent, checks it, logs in, and makes it the default.")
    .argument("[name]", "name of the agent, as in turnkit agents")
    .option("--yes", "start the agent without a question")
    .usage("[options] [name] [-- agent command]")
    .action((name: string | undefined, _: unknown, own: Command) => {
      const options = commandLineOptions(own);
      found({ kind: "setup", ...choiceOf(options), name, yes: options.yes === true });
    });
  addDoctor(program, found);
  addServe(program, found);
  addSessionCommands(program.command("sessions").description("Works with the sessions of an agent."), found, run);
  addPermissionCommands(program.command("permissions").description("Shows remembered answers to questions."), found);
  addMcpCommands(program.command("mcp").description("Works with the MCP servers that every session gets."), found);
  addTraceCommands(program.command("trace").description("Shows logs that --trace has written."), found);
  program
    .command("help", { hidden: true })
    .argument("[topic...]")
    .action((topic: string[]) => found({ kind: "print", text: helpOn(topic, program) }));
  return program;
}

function runInvocation(own: Command, words: readonly string[], id?: string): Invocation {
  const options = commandLineOptions(own);
  const { prompt, permissions = "ask", output, file: files = [] } = options;
  if (prompt?.trim() === "") throw new UsageError("--prompt is empty. Give the task of the agent.");
  if (prompt !== undefined && words.some((word) => word !== "-")) {
    const advice = "To attach files, use --file, or @path in the prompt";
    throw new UsageError(`Give the prompt once: with --prompt, or as words. ${advice}.`);
  }
  const session = sessionOf(id ?? options.session, options.continue);
  return {
    ...{ kind: "run", words, prompt, files, session, permissions, output },
    ...{ ...choiceOf(options), settings: settingsOf(options) },
    readOnly: options.readOnly === true || permissions === "deny",
    noTerminals: options.terminals === false || permissions === "deny",
    anyVariables: permissions === "allow",
  };
}

function sessionOf(id: string | undefined, isLatest = false): SessionWish | undefined {
  if (id === undefined) return isLatest ? "latest" : undefined;
  if (isLatest) throw new UsageError("Give either --continue or the id of a session, not both.");
  if (id.trim() === "") throw new UsageError("The id of the session is empty. turnkit sessions list shows the ids.");
  return { id };
}

function addDoctor(program: Command, found: Found): void {
  withAgentOptions(program.command("doctor"))
    .description("Tests an agent, and reports problems with their remedies.")
    .option("--json", "print JSON")
    .option("--no-turn", "send no prompts, which cost tokens")
    .option("--only <ids>", "run these checks, separated by commas")
    .usage("[options] [-- agent command]")
    .action((_: unknown, own: Command) => {
      const options = commandLineOptions(own);
      const choice = { ...choiceOf(options), json: options.json === true, turn: options.turn !== false };
      found({ kind: "doctor", ...choice, only: options.only?.split(",") });
    });
}

function addSessionCommands(sessions: Command, found: Found, run: Run): void {
  withAgentOptions(sessions.command("list", { isDefault: true }))
    .description("Lists the sessions of this folder, the latest first.")
    .option("--all", "list the sessions of all folders")
    .option("--json", "print JSON")
    .allowExcessArguments()
    .action((_: unknown, own: Command) => {
      checkNoWords(own.args, sessions);
      const { all = false, json = false, ...options } = commandLineOptions(own);
      if (all && options.cwd !== undefined) throw new UsageError("Give either --all or --cwd, not both.");
      found({ kind: "sessions list", ...choiceOf(options), all, json });
    });
  for (const [name, description] of [
    ["show", "Prints the conversation as Markdown."],
    ["delete", "Deletes the session."],
  ] as const) {
    withAgentOptions(sessions.command(name))
      .description(`${description} The start of the id is enough.`)
      .argument("<id>")
      .action((session: string, _: unknown, own: Command) =>
        found({ kind: `sessions ${name}`, ...choiceOf(commandLineOptions(own)), session }),
      );
  }
  withRunOptions(withAgentOptions(sessions.command("resume")))
    .description("Continues a session, like turnkit --session <id>.")
    .argument("<id>")
    .argument("[prompt...]")
    .action((session: string, words: string[], _: unknown, own: Command) => run(own, words, session));
}

function addPermissionCommands(permissions: Command, found: Found): void {
  const add = (name: string, description: string) =>
    permissions
      .command(name, { isDefault: name === "list" })
      .description(description)
      .option("--cwd <dir>", "use the answers of this folder");
  add("list", "Lists the remembered answers, and what they cover.")
    .option("--json", "print JSON")
    .allowExcessArguments()
    .action((_: unknown, own: Command) => {
      checkNoWords(own.args, permissions);
      const { cwd, json = false } = commandLineOptions(own);
      found({ kind: "permissions list", cwd, json });
    });
  add("revoke", "Forgets remembered answers.")
    .argument("<ids...>", "ids of the list, or their beginnings")
    .action((ids: string[], _: unknown, own: Command) =>
      found({ kind: "permissions revoke", cwd: commandLineOptions(own).cwd, ids }),
    );
  add("clear", "Forgets all remembered answers of the folder.").action((_: unknown, own: Command) =>
    found({ kind: "permissions clear", cwd: commandLineOptions(own).cwd }),
  );
}

function addTraceCommands(trace: Command, found: Found): void {
  trace
    .command("show")
    .description("Prints the messages as a timeline.")
    .argument("<file>")
    .option("--full", "print every member of each message")
    .action((file: string, _: unknown, own: Command) =>
      found({ kind: "trace show", file, full: commandLineOptions(own).full === true }),
    );
  trace
    .command("replay")
    .description("Shows the recorded conversation. Starts no program, changes no file.")
    .argument("<file>")
    .action((file: string) => found({ kind: "trace replay", file }));
}

function readCommand([program, ...rest]: readonly string[]): readonly [string, ...string[]] {
  if (program === undefined || program === "") {
    throw new UsageError(
      'The command after -- is missing. Give the command of the agent, for example: turnkit "Hello" -- my-agent --acp',
    );
  }
  return [program, ...rest];
}

/** Converts Commander's message to one sentence. */
function usageErrorOf({ message, code }: CommanderError): UsageError {
  const sentence = message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  const isPrompt = code === "commander.unknownOption" && /^unknown option '[^']*\s/.test(sentence);
  const advice = isPrompt ? " To send a prompt that begins with -, use --prompt." : "";
  const whole = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${/[.)]$/.test(sentence) ? "" : "."}`;
  return new UsageError(`${whole}${advice}`);
}
