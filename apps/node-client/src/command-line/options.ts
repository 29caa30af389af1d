import { type Command, Option } from "commander";
import { UsageError } from "../exit-code.js";
import {
  type AgentChoice,
  type OutputFormat,
  outputFormats,
  readDuration,
  readProtocol,
  readSetting,
  type SettingWish,
} from "../invocation.js";

/** Values of all options, as Commander returns them. */
export type Options = {
  readonly agent?: string;
  readonly cwd?: string;
  readonly protocol?: string;
  readonly mcp?: readonly string[];
  readonly trace?: string;
  readonly timeout?: string;
  readonly prompt?: string;
  readonly file?: readonly string[];
  readonly permissions?: string;
  readonly output?: OutputFormat;
  readonly session?: string;
  readonly continue?: boolean;
  readonly model?: string;
  readonly mode?: string;
  readonly set?: readonly string[];
  readonly json?: boolean;
  readonly full?: boolean;
  readonly all?: boolean;
  readonly turn?: boolean;
  readonly only?: string;
  readonly readOnly?: boolean;
  readonly terminals?: boolean;
  readonly yes?: boolean;
  readonly url?: string;
  readonly tokenFile?: string;
  readonly share?: boolean;
  readonly listen?: string;
  readonly nats?: string;
  readonly natsCreds?: string;
  readonly natsCa?: string;
  readonly natsCert?: string;
  readonly natsKey?: string;
  readonly streamCount?: string;
  readonly replicas?: string;
  readonly takeover?: string;
  readonly sse?: boolean;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
};

export function withAgentOptions(command: Command): Command {
  return command
    .option("--agent <name>", "start this agent; turnkit agents lists them")
    .option("--url <url>", "use the agent at this address (ws, wss, http, https)")
    .option("--token-file <file>", "read its token from this file, not from TURNKIT_TOKEN")
    .option("--cwd <dir>", "folder in which the agent works (default: this folder)")
    .option("--mcp <file>", "give the agent the MCP servers of a file; repeatable", collected)
    .option("--timeout <time>", "stop after this time, such as 90s or 5m")
    .option("--protocol <version>", "auto (default), 1, 2, or seed (draft of June 2026)")
    .option("--trace <file>", "log all messages in a file, without secrets");
}

/** Adds the options of a run with a prompt, except the options that choose a session. */
export function withRunOptions(command: Command): Command {
  return command
    .option("-f, --file <path>", "attach a file or a folder; repeatable", collected)
    .option("-m, --model <name>", "use this model of the agent")
    .option("--mode <name>", "use this mode of the agent")
    .option("--set <option=value>", "set another option of the agent; repeatable", collected)
    .option("--permissions <mode>", "ask, allow, allow-reads, deny, or a policy file")
    .addOption(new Option("--output <format>", "text, quiet, json or ndjson").choices(outputFormats))
    .option("-p, --prompt <text>", "send this text, even if it looks like a command")
    .option("--share", "let the agent of --url use files and commands here")
    .option("--read-only", "write no files for the agent; implied by deny")
    .option("--no-terminals", "run no commands for the agent; implied by deny");
}

export function withSessionOptions(command: Command): Command {
  return command
    .option("-c, --continue", "continue the latest session of this folder")
    .option("-s, --session <id>", "continue a session; the start of its id is enough");
}

/** Adds a value of an option that may be repeated. */
export const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/**
 * Returns the options of a command. Options that stand before the command's name are included if the command has them.
 *
 * @throws UsageError for an option that the command does not have, and for an empty value
 */
export function commandLineOptions(command: Command): Options {
  const known = new Set(command.options.map((option) => option.attributeName()));
  for (let parent = command.parent; parent !== null; parent = parent.parent) {
    const above = parent;
    const stray = Object.keys(above.opts()).find(
      (name) => !known.has(name) && above.getOptionValueSource(name) !== "default",
    );
    if (stray !== undefined) throw new UsageError(`--${stray} is not an option of turnkit ${command.name()}.`);
  }
  const options = command.optsWithGlobals<Options>();
  // A variable that is not set gives an empty value, as in --model=$MODEL. It must not choose something else in silence.
  const empty = Object.entries(options).find(
    ([name, value]) =>
      !["prompt", "session"].includes(name) && [value].flat().some((one) => one?.toString().trim() === ""),
  );
  if (empty !== undefined) throw new UsageError(`${optionOf(empty[0])} is empty. Give it a value, or leave it out.`);
  return options;
}

/** Returns the name on the command line of an option, such as `--token-file` for `tokenFile`. */
function optionOf(attribute: string): string {
  return `--${attribute.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Returns the choice of the agent.
 *
 * @throws UsageError for options that contradict each other
 */
export function choiceOf(options: Options): AgentChoice {
  const { agent, url, tokenFile, share, cwd, protocol, mcp = [], trace, timeout } = options;
  if (url !== undefined && agent !== undefined) throw new UsageError("Give either --url or --agent, not both.");
  if (url === undefined && (tokenFile !== undefined || share === true)) {
    throw new UsageError(`${share === true ? "--share" : "--token-file"} is for an agent of --url, which is missing.`);
  }
  return {
    ...{ agent, url, tokenFile, share, cwd, dialects: readProtocol(protocol), mcp, trace },
    timeoutMs: timeout === undefined ? undefined : readDuration("--timeout", timeout),
  };
}

/** Returns the options of the agent to set: the model, then the mode, because other options may depend on them. */
export function settingsOf({ model, mode, set = [] }: Options): readonly SettingWish[] {
  return [
    ...(model === undefined ? [] : [{ by: "--model", option: "model", value: model } as const]),
    ...(mode === undefined ? [] : [{ by: "--mode", option: "mode", value: mode } as const]),
    ...set.map(readSetting),
  ];
}
