import type { AvailableCommand, ContentBlock } from "@turnkit/agent";
import { expandOwnCommand, type OwnCommand, toOffer } from "./own-commands/own-command.js";
import { reviewer } from "./reviewer/reviewer.js";

const LOGIN_HELP =
  "To use a model of another provider, store its key with `turnkit-agent login`. A new session offers its models.";

const command = (name: string, description: string, hint?: string): AvailableCommand => ({
  type: "command",
  name,
  description,
  ...(hint !== undefined && { input: { type: "text", hint } }),
});

const help = command("help", "What this agent can do");

const review = command("review", "Review files, or what has changed", "files, or nothing for what is not committed");
const changes = [
  command("diff", "Show the files that the last prompt changed", "`all` for the whole session"),
  command("undo", "Take back the last prompt and its changes of files"),
];

const offlineCommands = [review, ...changes, help];
const modelCommands = [
  review,
  command("plan", "Make a plan and change nothing", "what is to be done"),
  command("compact", "Replace the conversation by a summary, to make room", "what the summary should dwell on"),
  command("init", "Write an AGENTS.md that explains the project to agents"),
  ...changes,
  help,
];

/**
 * Returns the slash commands for a model: the built-in commands, and the commands of the user and the project. If
 * another command has the name of a built-in command, only the built-in command is returned. The offline reviewer has
 * fewer commands.
 */
export function commandsFor(modelId: string, own: readonly OwnCommand[] = []): readonly AvailableCommand[] {
  if (modelId === reviewer.id) return offlineCommands;
  const offered = own.filter(({ name, isForUser }) => isForUser && !isBuiltIn(name));
  return [...modelCommands, ...offered.map(toOffer)];
}

const isBuiltIn = (name: string): boolean => modelCommands.some((one) => "name" in one && one.name === name);

/** Functions that return the prompt of a slash command. Their parameter is the text after the command. */
const PROMPTS: Readonly<Record<string, (what: string) => string>> = {
  review: (what) =>
    [
      what === ""
        ? "Review what has changed in this project and is not committed (read it with git_diff, and earlier commits with git_log). If nothing has changed, say so, and what to name instead."
        : `Review this: ${what}`,
      "Look for mistakes first: wrong behaviour, missing cases, broken contracts, security, races; then for what is hard " +
        "to read or to change. Use lint_file on JavaScript and TypeScript. Change nothing.",
      "List the findings, the most serious first, each with its file and line, what is wrong, and what to do about it. " +
        "Say so when there is nothing to find.",
    ].join("\n\n"),
  plan: (what) =>
    [
      what === "" ? "Plan what we talked about." : `Plan this: ${what}`,
      "Read what you need to know, and change nothing. Show the plan with update_plan, in steps that can each be checked. " +
        "Then say in a few sentences what the plan rests on, what could go wrong, and what you need to know from me.",
    ].join("\n\n"),
  init: (what) =>
    [
      "Write a file AGENTS.md in the session's folder that tells coding agents what they must know of this project; " +
        "improve the file if there is one.",
      "Find out first: read the README and the manifests, look at the layout and at the tests. Put in how to build, test, " +
        "check and run it (commands that you saw, not ones that you guess), how the code is laid out, which conventions it " +
        "follows, and what is easily done wrong. Leave out what any agent sees at once. At most 150 lines.",
      ...(what === "" ? [] : [what]),
    ].join("\n\n"),
};

/** Returns `true` for a command that must not change anything, in every mode. */
export function changesNothing(command: string | undefined): boolean {
  return command === "plan" || command === "review";
}

/**
 * Replaces a slash command at the start of a prompt with the instructions for the model. Other prompts stay as they
 * are.
 */
export function expandCommand(
  prompt: readonly ContentBlock[],
  own: readonly OwnCommand[] = [],
): readonly ContentBlock[] {
  const found = readCommand(prompt);
  if (found === undefined) return prompt;
  const mine = own.find(({ name, isForUser }) => isForUser && name === found.name);
  const expand = isBuiltIn(found.name)
    ? PROMPTS[found.name]
    : mine && ((input: string) => expandOwnCommand(mine, input));
  if (expand === undefined) return prompt;
  return prompt.map((block, index) => (index === found.index ? { type: "text", text: expand(found.input) } : block));
}

export function isCompactCommand(prompt: readonly ContentBlock[]): boolean {
  return readCommand(prompt)?.name === "compact";
}

export function helpText(modelName: string): string {
  return [
    `I work on this project with **${modelName}**. Tell me what you want done, and attach or name the files that matter.`,
    ...modelCommands.map(({ name, description }) => `- \`/${name}\`: ${description}`),
    "The mode says how far I may go: `ask` before every edit and command, `accept-edits` and ask before commands, " +
      "`review` and change nothing, `auto` and ask nothing. Choosing it again forgets what you answered “always”.",
    LOGIN_HELP,
  ].join("\n");
}

function readCommand(
  prompt: readonly ContentBlock[],
): { readonly name: string; readonly input: string; readonly index: number } | undefined {
  const index = prompt.findIndex(({ type }) => type === "text");
  const block = prompt[index];
  const [, name, input = ""] = (block?.type === "text" && /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(block.text)) || [];
  return name === undefined ? undefined : { name, input: input.trim(), index };
}
