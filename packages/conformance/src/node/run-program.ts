import { rmSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenAgent } from "../agent/agent-pipe.js";
import { NOTE } from "../agent/replies.js";
import { chooseAgentChecks, runAgentChecks } from "../agent/run-agent-checks.js";
import { chooseClientChecks, runClientChecks } from "../client/run-client-checks.js";
import { checkRegistryEntry } from "../registry/check-registry-entry.js";
import { registryChecks } from "../registry/registry-checks.js";
import { renderHtml } from "../report/html.js";
import { renderJunit } from "../report/junit.js";
import { renderMarkdown } from "../report/markdown.js";
import { printable } from "../report/markup.js";
import { type CheckResult, type Report, renderJson } from "../report/report.js";
import { renderSarif } from "../report/sarif.js";
import { renderResult, renderSummary } from "../report/text.js";
import { help, type Invocation, parseInvocation, type ReportFormat } from "./arguments.js";
import { commandAgent } from "./command-agent.js";
import { commandClient } from "./command-client.js";
import { readExpectedFailures } from "./expected-failures.js";
import { installEntryPackage } from "./registry-package.js";
import { runRemoteChecks } from "./remote/run-remote-checks.js";

/** Streams of the program. */
export type ProgramStreams = { readonly stdout: (text: string) => void; readonly stderr: (text: string) => void };

/** Exit codes: 0 passed, 1 failed, 2 could not run. */
export type ExitCode = 0 | 1 | 2;

/** Runs the program with the words of a command line. Never rejects. */
export async function runProgram(words: readonly string[], streams: ProgramStreams): Promise<ExitCode> {
  try {
    return await run(parseInvocation(words), streams);
  } catch (error) {
    // The message may quote an entry of a registry, or a program.
    const message = error instanceof Error ? error.message : String(error);
    streams.stderr(`conformance: ${message.split("\n").map(printable).join("\n")}\n`);
    return 2;
  }
}

async function run(invocation: Invocation, { stdout, stderr }: ProgramStreams): Promise<ExitCode> {
  if (invocation.kind === "help") {
    stdout(help);
    return 0;
  }
  if (invocation.kind === "list" && invocation.side === "registry") {
    for (const { id, tier, title } of registryChecks) stdout(`${id}  ${tier}  ${title}\n`);
    return 0;
  }
  if (invocation.kind === "list") {
    const choose = invocation.side === "agent" ? chooseAgentChecks : chooseClientChecks;
    for (const { id, tier, title } of choose(invocation.choice)) stdout(`${id}  ${tier}  ${title}\n`);
    return 0;
  }
  const { reports } = invocation;
  // A report on stdout has no other text beside it.
  const print = reports.some(({ file }) => file === undefined) ? stderr : stdout;
  const onResult = (result: CheckResult) => print(`${renderResult(result)}\n`);
  const report = await inFolder((folder) => runChecks(invocation, folder, onResult), stderr);
  print(`\n${renderSummary(report)}\n`);
  for (const { format, file: target } of reports) {
    const text = renderers[format](report);
    if (target === undefined) stdout(text);
    else await writeFile(target, text);
  }
  return exitCodes[report.verdict];
}

type Check = Exclude<Invocation, { readonly kind: "help" | "list" }>;

async function runChecks(invocation: Check, folder: string, onResult: (result: CheckResult) => void): Promise<Report> {
  if (invocation.kind === "registry") return runRegistryChecks(invocation, folder, onResult);
  const { expected: file } = invocation;
  const expected = file === undefined ? {} : await readExpectedFailures(file);
  const common = { expected, onResult };
  switch (invocation.kind) {
    case "remote":
      return runRemoteChecks(invocation.url, {
        ...{ ...invocation.options, ...common, token: process.env.CONFORMANCE_TOKEN },
      });
    case "client":
      return runClientChecks(
        commandClient(invocation.line, {
          folder,
          ...(invocation.restore !== undefined && { restore: invocation.restore }),
        }),
        { ...invocation.options, ...common },
      );
    default:
      return runAgentChecks(withOwnFolder(invocation.command, folder), { ...invocation.options, ...common });
  }
}

async function runRegistryChecks(
  { file, command, timeoutMs }: Extract<Check, { readonly kind: "registry" }>,
  folder: string,
  onResult: (result: CheckResult) => void,
): Promise<Report> {
  const manifest: unknown = JSON.parse(await readFile(file, "utf8"));
  const found = command === undefined ? await installEntryPackage(manifest, folder) : undefined;
  const start = command ?? found?.command;
  return checkRegistryEntry(
    {
      manifest,
      ...(found && { packageFile: found.packageFile }),
      ...(start && { open: commandAgent(start) }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    },
    { onResult },
  );
}

const exitCodes = { passed: 0, failed: 1, "could not run": 2 } as const;

const renderers: Readonly<Record<ReportFormat, (report: Report) => string>> = {
  json: renderJson,
  junit: renderJunit,
  sarif: renderSarif,
  html: renderHtml,
  md: renderMarkdown,
};

/** Gives each agent a folder of its own, so that its list has only its own sessions. */
function withOwnFolder(command: readonly [string, ...string[]], parent: string): OpenAgent {
  return async () => {
    const cwd = await mkdtemp(join(parent, "sessions-"));
    await writeFile(join(cwd, "note.txt"), NOTE);
    return { ...(await commandAgent(command)()), cwd };
  };
}

/**
 * Calls a function with a new temporary folder, which is removed at the end. A program may have left something that cannot be
 * removed, or still write there. The report is not lost then.
 */
async function inFolder<T>(work: (folder: string) => Promise<T>, note: (text: string) => void): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "turnkit-conformance-")));
  const removeNow = () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // The reader of the output has ended.
    }
  };
  process.once("exit", removeNow);
  try {
    return await work(folder);
  } finally {
    process.off("exit", removeNow);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 }).catch((error: NodeJS.ErrnoException) =>
      note(`conformance: ${folder} could not be removed (${error.code}). Remove it.\n`),
    );
  }
}
