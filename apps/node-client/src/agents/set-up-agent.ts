import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { meetAgent, seconds } from "../doctor/first-contact.js";
import { createReport, type Report } from "../doctor/report.js";
import { showCheck } from "../doctor/show-report.js";
import { type ExitCode, exitCode, UsageError } from "../exit-code.js";
import { Interrupted, unlessAborted } from "../interrupts.js";
import type { Invocation } from "../invocation.js";
import type { ProgramStreams } from "../program.js";
import { asTyped } from "../render/tool-input.js";
import { exitCodeOfError } from "../setup/exit-code-of-error.js";
import { commandOrAddress, readSetup, type Setup } from "../setup/setup.js";
import { LoginNeededError, visitAgent } from "../setup/visit.js";
import { createTerminalView, type TerminalView } from "../terminal-view.js";
import { writeDefaultAgent } from "./agent-table.js";
import { findAgents } from "./list-agents.js";

type SetupInvocation = Extract<Invocation, { kind: "setup" }>;

/**
 * Chooses an agent, shows its command, runs the checks of the doctor, logs in if the agent requires a login, and stores
 * the agent as the default. The agent runs in an empty folder, so it finds no settings of a project.
 *
 * @throws UsageError before the agent starts
 */
export async function setUpAgent(invocation: SetupInvocation, streams: ProgramStreams): Promise<ExitCode> {
  if (invocation.url !== undefined) {
    throw new UsageError("setup: an agent behind an address cannot be the default. Leave out --url.");
  }
  const { env, interrupts } = streams;
  const view = createTerminalView(streams, process.cwd());
  const { page } = view;
  const name = invocation.name ?? (await unlessAborted(pick(invocation, view, streams), interrupts.cancel));
  if (name === undefined) return exitCode.cancelled;
  const { command } = invocation;
  const choice = { ...invocation, ...(command === undefined && { agent: name }) };
  const chosen = await unlessAborted(readSetup(choice, env), interrupts.cancel);
  page.block(`This command is started now, and by turnkit from now on:\n  ${asLine(commandOrAddress(chosen))}`, {
    gutter: "",
    sequences: "show",
  });
  if (!invocation.yes) {
    if (view.choose === undefined) throw new UsageError("setup: there is no terminal for the question. Add --yes.");
    const answer = await view.choose("Start it and check it?", [{ name: "yes" }], interrupts.cancel);
    if (answer === undefined) return exitCode.cancelled;
  }
  const directory = await realpath(await mkdtemp(join(tmpdir(), "turnkit-setup-")));
  try {
    const setup = { ...chosen, directory };
    const onStep = (text: string) => page.line(["dim", text]);
    const contact = await meetAgent(setup, { directory, signal: interrupts.cancel, onStep });
    const report = createReport(commandOrAddress(setup), contact);
    if (interrupts.cancel.aborted) return exitCode.cancelled;
    if (!showResult(view, report)) return exitCode.complaints;
    if (report.login === "needed") await logIn(setup, view, streams);
    const file = await writeDefaultAgent(env, name, command && chosen.command);
    page.section("result");
    page.line(["green", `${name} is the default now`], `, in ${file}. To begin: turnkit`);
    return exitCode.ended;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof Interrupted) return exitCode.cancelled;
    view.failure(error);
    return exitCodeOfError(error);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Lets the person choose one of the agents that can be started on this machine. */
async function pick({ command }: SetupInvocation, view: TerminalView, streams: ProgramStreams) {
  if (command !== undefined) {
    throw new UsageError(`setup: give the agent a name, as in: turnkit setup mine -- ${asLine(command)}`);
  }
  const { agents } = await findAgents(streams.env);
  const usable = agents.filter(({ status }) => status !== "missing");
  if (usable.length === 0) {
    throw new UsageError("setup: no known agent is installed. turnkit agents shows how to install one.");
  }
  if (view.choose === undefined) {
    const names = usable.map(({ name }) => name).join(", ");
    throw new UsageError(`setup: name an agent, as in: turnkit setup ${usable[0]?.name} --yes. Found: ${names}.`);
  }
  const choices = usable.map(({ name, title, command: words, status }) => ({
    name: `${name} (${title})`,
    description: `${asLine(words)}${status === "fetched" ? ", which downloads the agent" : ""}`,
  }));
  const chosen = await view.choose("Which agent is the default?", choices, streams.interrupts.cancel);
  return usable[chosen ?? -1]?.name;
}

/** Shows the result of the checks. Returns `false` if the agent cannot be used. */
function showResult({ page }: TerminalView, report: Report): boolean {
  const { agent, protocol, startMs = 0, checks } = report;
  page.section("checks");
  if (agent !== undefined) {
    page.line(["green", "✓ "], `${agent.name} ${agent.version}, protocol ${protocol}, started in ${seconds(startMs)}`);
  }
  for (const check of checks) if (check.result === "finding" && check.severity === "problem") showCheck(page, check);
  const isUsable = report.problems === 0;
  if (!isUsable) page.line(["red", "The agent cannot be used yet, so the default stays as it is."]);
  return isUsable;
}

/** Opens a session in the empty folder, which starts the login of the agent. */
async function logIn(setup: Setup, view: TerminalView, { interrupts }: ProgramStreams): Promise<void> {
  const visit = await visitAgent({ setup, view, interrupts });
  try {
    await visit.attempt((client) => client.newSession({ cwd: setup.directory }));
  } catch (error) {
    if (!(error instanceof LoginNeededError) || view.choose !== undefined) throw error;
    view.note("The default stays as it is. To log in, run turnkit setup on a terminal.");
    throw error;
  } finally {
    await visit.close();
  }
}

function asLine(command: readonly string[]): string {
  const { line, shell } = asTyped(command);
  return shell === undefined ? line : `${shell} ${JSON.stringify(line)}`;
}
