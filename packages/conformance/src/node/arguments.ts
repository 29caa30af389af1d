import { parseArgs } from "node:util";
import type { AgentCheckOptions } from "../agent/agent-check-options.js";
import type { CheckChoice } from "../check-choice.js";
import type { ClientCheckOptions } from "../client/run-client-checks.js";
import { defaultPrompts, type PromptName } from "../prompts.js";

/** Form of a report. */
export type ReportFormat = (typeof formats)[number];

const formats = ["json", "junit", "sarif", "html", "md"] as const;

/** Form of a report, and the file that gets it. Without a file, the report goes to stdout. */
export type ReportTarget = { readonly format: ReportFormat; readonly file?: string };

/** Command line of the program. */
export type Invocation =
  | { readonly kind: "help" }
  | { readonly kind: "list"; readonly side: "agent" | "client" | "registry"; readonly choice: CheckChoice }
  | {
      readonly kind: "client";
      /** Command line with `{agent}`. */
      readonly line: string;
      /** Command line with `{agent}` and `{session}` that restores a session. */
      readonly restore?: string;
      readonly options: ClientCheckOptions;
      readonly reports: readonly ReportTarget[];
      readonly expected?: string;
    }
  | {
      readonly kind: "remote";
      readonly url: string;
      readonly options: AgentCheckOptions;
      readonly reports: readonly ReportTarget[];
      readonly expected?: string;
    }
  | {
      readonly kind: "registry";
      /** Path of `agent.json`. */
      readonly file: string;
      /** Command of the agent, in place of its npm package. */
      readonly command?: readonly [string, ...string[]];
      readonly reports: readonly ReportTarget[];
      readonly timeoutMs?: number;
    }
  | {
      readonly kind: "agent";
      readonly command: readonly [string, ...string[]];
      readonly options: AgentCheckOptions;
      readonly reports: readonly ReportTarget[];
      /** File of expected failures. */
      readonly expected?: string;
    };

/** Text of `--help`. */
export const help = `conformance agent [options] -- COMMAND   checks an agent over stdin and stdout
conformance agent --url URL              checks a remote agent: http, https, ws or wss. The token is the
                                         variable CONFORMANCE_TOKEN
conformance client --command "COMMAND"   checks a client that runs one prompt and ends. {agent} in COMMAND
                                         stands for the command of its agent, as in
                                         "my-client 'hello' -- {agent}"
conformance registry FILE [-- COMMAND]   checks an entry for a registry, agent.json. Without COMMAND, its npm
                                         package is installed into a temporary folder and started
conformance list [agent|client|registry] lists the checks

  --command COMMAND        command line of a client
  --restore COMMAND        command line of a client that brings the session {session} back before its prompt

  --protocol 1|2|seed      version of the protocol (1)
  --suite quick|full       the checks to run (full)
  --only ID                runs this check; may be repeated
  --timeout SECONDS        longest wait for one answer or turn (30)
  --prompt NAME=TEXT       prompt that makes this agent do something; may be repeated. Names:
                           ${Object.keys(defaultPrompts).join(", ")}
  --profile PROFILE        steered (the default), plain: the agent does not follow prompts, silent: no prompt is sent
  --jobs NUMBER            conversations at the same time (4)
  --seed NUMBER            repeats random choices (1)
  --expected FILE          YAML with expected failures: a map from ids of checks to reasons, or a list of ids
  --report FORM[=FILE]     writes a report; may be repeated. Without a file, to stdout.
                           Forms: ${formats.join(", ")}

Exit codes: 0 passed, 1 failed, 2 could not run.
`;

/** Mistake in the command line. */
class UsageMistake extends Error {}

/** @throws UsageMistake for an invalid command line */
export function parseInvocation(words: readonly string[]): Invocation {
  const end = words.indexOf("--");
  const own = end < 0 ? words : words.slice(0, end);
  const { values, positionals } = parse(own);
  const [kind, ...more] = positionals;
  if (values.help || kind === undefined) return { kind: "help" };
  const side =
    kind === "list" && more[0] !== undefined
      ? oneOf("list", more.shift() as string, ["agent", "client", "registry"])
      : "agent";
  const file = kind === "registry" ? more.shift() : undefined;
  if (more.length > 0) throw new UsageMistake(`Unexpected argument ${more[0]}. Put the agent's command after --.`);
  const choice: CheckChoice = {
    protocol: protocolOf(values.protocol),
    suite: oneOf("--suite", values.suite, ["quick", "full"]),
    ...(values.only && { only: values.only.flatMap((ids) => ids.split(",")) }),
  };
  if (kind === "list") return { kind: "list", side, choice };
  const run = {
    ...choice,
    timeoutMs: 1000 * positive("--timeout", values.timeout ?? "30"),
    jobs: Math.ceil(positive("--jobs", values.jobs)),
    seed: positive("--seed", values.seed),
  };
  const outcome = {
    reports: (values.report ?? []).map(reportOf),
    ...(values.expected !== undefined && { expected: values.expected }),
  };
  if (kind === "client") {
    const { command: line, restore } = values;
    if (line === undefined) throw new UsageMistake("No client was given. Use --command.");
    return { kind: "client", line, ...(restore !== undefined && { restore }), options: run, ...outcome };
  }
  const [program, ...args] = end < 0 ? [] : words.slice(end + 1);
  const command = program === undefined ? undefined : ([program, ...args] as const);
  if (kind === "registry") {
    if (file === undefined) throw new UsageMistake("No entry was given, as in: conformance registry agent.json");
    // Registries wait longer than one answer takes.
    const patience = values.timeout === undefined ? {} : { timeoutMs: run.timeoutMs };
    return { kind: "registry", file, reports: outcome.reports, ...patience, ...(command && { command }) };
  }
  if (kind !== "agent") throw new UsageMistake(`Unknown command ${kind}. Use agent, client, registry or list.`);
  const steering = {
    prompts: Object.fromEntries((values.prompt ?? []).map(promptOf)),
    profile: oneOf("--profile", values.profile, ["steered", "plain", "silent"]),
  } as const;
  if (values.url !== undefined) {
    if (end >= 0) throw new UsageMistake("--url and a command were given. Use one of them.");
    if (!URL.canParse(values.url)) throw new UsageMistake(`--url ${values.url} is not an address.`);
    return { kind: "remote", url: values.url, options: { ...run, ...steering }, ...outcome };
  }
  if (command === undefined) throw new UsageMistake("No agent was given. Put its command after --.");
  return {
    kind: "agent",
    command,
    options: { ...run, ...steering },
    ...outcome,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        command: { type: "string" },
        restore: { type: "string" },
        url: { type: "string" },
        protocol: { type: "string", default: "1" },
        suite: { type: "string", default: "full" },
        only: { type: "string", multiple: true },
        timeout: { type: "string" },
        prompt: { type: "string", multiple: true },
        profile: { type: "string", default: "steered" },
        jobs: { type: "string", default: "4" },
        seed: { type: "string", default: "1" },
        expected: { type: "string" },
        report: { type: "string", multiple: true },
      },
    });
  } catch (error) {
    throw new UsageMistake((error as Error).message);
  }
}

function protocolOf(text: string): 1 | 2 | "seed" {
  const name = oneOf("--protocol", text, ["1", "2", "seed"]);
  return name === "seed" ? name : name === "1" ? 1 : 2;
}

function promptOf(text: string): readonly [PromptName, string] {
  const at = text.indexOf("=");
  const name = oneOf("--prompt", at < 0 ? text : text.slice(0, at), Object.keys(defaultPrompts) as PromptName[]);
  if (at < 0) throw new UsageMistake(`--prompt ${name} needs a text: --prompt ${name}=TEXT`);
  return [name, text.slice(at + 1)];
}

function reportOf(text: string): ReportTarget {
  const at = text.indexOf("=");
  const format = oneOf("--report", at < 0 ? text : text.slice(0, at), formats);
  return at < 0 ? { format } : { format, file: text.slice(at + 1) };
}

function oneOf<const T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new UsageMistake(`${option} ${value} is not known. Use ${known.join(", ")}.`);
  return found;
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new UsageMistake(`${option} needs a number above 0, not ${text}.`);
  return value;
}
