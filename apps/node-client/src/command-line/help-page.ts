import type { Command, Help, Option } from "commander";
import { closestWords } from "../closest-words.js";
import { exitCodeTable, UsageError } from "../exit-code.js";

/** Options that each page of a run shows. The page `options` shows all. */
const FREQUENT = new Set(["agent", "continue", "session", "file", "model", "permissions", "output", "help"]);

const examples: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "turnkit",
    [
      'turnkit "Fix the failing test in @src/sum.test.ts"',
      'git diff | turnkit --agent gemini "Review this change"',
      "turnkit --continue",
    ],
  ],
  ["turnkit agents", ["turnkit agents --json"]],
  ["turnkit setup", ["turnkit setup", "turnkit setup opencode --yes", "turnkit setup mine -- my-agent --acp"]],
  ["turnkit doctor", ["turnkit doctor --agent gemini", "turnkit doctor --no-turn -- npx my-agent --acp"]],
  [
    "turnkit serve",
    ["turnkit serve --listen 0.0.0.0:8040 -- my-agent --acp", "turnkit serve --agent opencode --nats tls://nats:4222"],
  ],
  ["turnkit sessions", ["turnkit sessions list --all", "turnkit sessions show 4f1c"]],
  ["turnkit sessions list", ["turnkit sessions list --agent opencode", "turnkit sessions list --all --json"]],
  ["turnkit sessions show", ["turnkit sessions show 4f1c > conversation.md"]],
  ["turnkit sessions delete", ["turnkit sessions delete 4f1c"]],
  ["turnkit sessions resume", ['turnkit sessions resume 4f1c "Now fix it"']],
  ["turnkit permissions", ["turnkit permissions list", "turnkit permissions revoke 3f2a"]],
  ["turnkit permissions list", ["turnkit permissions list --cwd ../other"]],
  ["turnkit permissions revoke", ["turnkit permissions revoke 3f2a 91bc"]],
  ["turnkit permissions clear", ["turnkit permissions clear"]],
  [
    "turnkit mcp",
    ["turnkit mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes", "turnkit mcp list"],
  ],
  ["turnkit mcp list", ["turnkit mcp list --json"]],
  [
    "turnkit mcp add",
    [
      "turnkit mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes",
      "turnkit mcp add issues --url https://mcp.example.org \\",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the client replaces the variable
      "  --header 'Authorization=Bearer ${ISSUES_TOKEN}'",
    ],
  ],
  ["turnkit mcp remove", ["turnkit mcp remove files"]],
  ["turnkit mcp trust", ["turnkit mcp trust", "turnkit mcp trust --yes"]],
  ["turnkit mcp distrust", ["turnkit mcp distrust"]],
  ["turnkit trace", ['turnkit --trace wire.jsonl "Hello"', "turnkit trace show wire.jsonl"]],
  ["turnkit trace show", ["turnkit trace show wire.jsonl", "turnkit trace show --full wire.jsonl"]],
  ["turnkit trace replay", ["turnkit trace replay wire.jsonl"]],
]);

/** Returns the help of a command. It has at most 23 lines of 79 characters, so a small terminal shows all of it. */
export function helpPage(command: Command, help: Help): string {
  const name = nameOf(command);
  const isRun = command.options.some(({ long }) => long === "--prompt");
  const options = help.visibleOptions(command).filter((option) => !isRun || FREQUENT.has(option.attributeName()));
  const commands = command.commands.map((one) => one.name()).filter((one) => one !== "help");
  return [
    `Usage: ${help.commandUsage(command)}`,
    "",
    command.description(),
    ...(options.length === 0 ? [] : ["", "Options:", ...rows(options)]),
    ...(commands.length === 0 ? [] : ["", ...commandRows(command, commands)]),
    ...(isRun ? ["", "More: turnkit help COMMAND, turnkit help options, turnkit help exit-codes"] : []),
    "",
    "Examples:",
    ...(examples.get(name) ?? []).map((example) => `  ${example}`),
    "",
  ].join("\n");
}

/** The main page names its commands in one line, because it has many options. */
function commandRows(command: Command, names: readonly string[]): readonly string[] {
  if (command.parent === null) return [`Commands: ${names.join(", ")}`];
  const width = Math.max(...names.map((name) => name.length));
  const row = (one: Command) => `  ${one.name().padEnd(width)}  ${one.description()}`;
  return ["Commands:", ...command.commands.map(row)];
}

/**
 * Returns the help for a topic: the name of a command, `options` or `exit-codes`. Without a topic, returns the main page.
 *
 * @throws UsageError for an unknown topic
 */
export function helpOn(topic: readonly string[], program: Command): string {
  const [first, ...rest] = topic;
  if (first === "options" && rest.length === 0) return optionsPage(program);
  if (first === "exit-codes" && rest.length === 0) return exitCodesPage();
  let command = program;
  for (const word of topic) {
    const next = command.commands.find((one) => one.name() === word && word !== "help");
    if (next === undefined) throw unknownTopic(topic, program);
    command = next;
  }
  return command.helpInformation();
}

function unknownTopic(topic: readonly string[], program: Command): UsageError {
  const topics = [
    ...program.commands.map((one) => one.name()).filter((name) => name !== "help"),
    "options",
    "exit-codes",
  ];
  const [near] = closestWords(topic[0] ?? "", topics);
  const prompt = JSON.stringify(["help", ...topic].join(" "));
  const advice = near === undefined ? `Topics are ${topics.join(", ")}.` : `Do you mean turnkit help ${near}?`;
  return new UsageError(`There is no help on ${topic.join(" ")}. ${advice} To send a prompt: turnkit -p ${prompt}`);
}

function optionsPage(program: Command): string {
  return ["Options of turnkit, and of turnkit sessions resume:", "", ...rows(program.options), ""].join("\n");
}

function exitCodesPage(): string {
  return [
    "Exit codes:",
    "",
    ...exitCodeTable.map(({ code, short }) => `  ${String(code).padEnd(3)}  ${short}`),
    "",
  ].join("\n");
}

function rows(options: readonly Option[]): readonly string[] {
  const width = Math.max(...options.map(({ flags }) => flags.length));
  return options.map(({ flags, description }) => `  ${flags.padEnd(width)}  ${description}`);
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}
