import type { Client, SessionInfo } from "@turnkit/client";
import { transcriptMarkdown } from "@turnkit/session";
import { ageText } from "@turnkit/web/age";
import { type ExitCode, exitCode } from "../exit-code.js";
import { deadlineNote, Interrupted, startDeadline, unlessAborted } from "../interrupts.js";
import type { AgentChoice, Invocation } from "../invocation.js";
import { createRemarks } from "../output/remarks.js";
import { safeJson } from "../output/safe-json.js";
import type { ProgramStreams } from "../program.js";
import { type Page, pageOn } from "../render/page.js";
import { exitCodeOfError } from "../setup/exit-code-of-error.js";
import { readSetup, type Setup } from "../setup/setup.js";
import { restored, type Visit, visitAgent } from "../setup/visit.js";
import { createTerminalView } from "../terminal-view.js";
import { findSession, listSessions } from "./find-session.js";

type SessionsInvocation = Extract<Invocation, { kind: `sessions ${string}` }>;

const MAX_SHOWN = 50;
const MAX_TITLE = 60;

/** Runs `turnkit sessions list | show | delete` with the methods of the agent. */
export function manageSessions(invocation: SessionsInvocation, streams: ProgramStreams): Promise<ExitCode> {
  const page = pageOn(streams.stdout, streams.env);
  return withAgent(invocation, streams, async (visit, { directory }) => {
    switch (invocation.kind) {
      case "sessions list": {
        const { all, json } = invocation;
        const listed = await visit.attempt((client) => listSessions(client, all ? undefined : directory));
        if (json) streams.stdout.write(`${safeJson({ sessions: listed }, 2)}\n`);
        else showList(page, listed, all ? undefined : directory);
        return exitCode.ended;
      }
      case "sessions show":
        page.block(await visit.attempt((client) => transcriptOf(client, invocation.session, directory)), {
          gutter: "",
        });
        return exitCode.ended;
      case "sessions delete": {
        const { sessionId, info } = await visit.attempt(async (client) => {
          // Many agents report success for the deletion of any id.
          const found = await findSession(client, { id: invocation.session }, { directory, mustBeListed: true });
          await client.deleteSession(found.sessionId);
          return found;
        });
        page.line(`Session ${sessionId}${info?.title ? ` (${info.title})` : ""} is deleted.`);
        return exitCode.ended;
      }
    }
  });
}

/** Shows a session in each line: its id, age and title. Without `directory`, also shows the directories. */
function showList(page: Page, sessions: readonly SessionInfo[], directory: string | undefined): void {
  if (sessions.length === 0) {
    const which =
      directory === undefined ? "" : ` of ${directory}. turnkit sessions list --all shows those of all folders`;
    return page.line(["dim", `The agent has no sessions${which}.`]);
  }
  const shown = sessions.slice(0, MAX_SHOWN);
  const ages = shown.map(({ updatedAt }) => ageText(updatedAt, Date.now()));
  const idWidth = Math.max(...shown.map(({ sessionId }) => sessionId.length));
  const ageWidth = Math.max(...ages.map((age) => age.length));
  for (const [index, { sessionId, title, cwd }] of shown.entries()) {
    const age = (ages[index] ?? "").padStart(ageWidth);
    const where = directory === undefined ? `  ${cwd}` : "";
    page.line(["bold", sessionId.padEnd(idWidth)], ["dim", `  ${age}`], `  ${shortTitle(title)}`, ["dim", where]);
  }
  const left = sessions.length - shown.length;
  if (left > 0) page.line(["dim", `… ${left} older. turnkit sessions list --json prints all of them.`]);
}

function shortTitle(title: string | null | undefined): string {
  const characters = [...(title ?? "(no title)")];
  return characters.length > MAX_TITLE ? `${characters.slice(0, MAX_TITLE - 1).join("")}…` : characters.join("");
}

/**
 * Returns the conversation as Markdown. Throws Error if the agent cannot restore the session or does not send its
 * conversation.
 */
async function transcriptOf(client: Client, id: string, directory: string): Promise<string> {
  const { sessionId, info } = await findSession(client, { id }, { directory });
  // Some agents find a session only in its own directory.
  const cwd = info?.cwd ?? directory;
  const place = { cwd, _meta: { "turnkit.readOnly": true } };
  const outcome = restored(sessionId, await client.restore(sessionId, place));
  if (outcome.status === "resumed") {
    throw new Error(
      `Session ${sessionId} cannot be shown: this agent continues sessions, but does not send their messages.`,
    );
  }
  return transcriptMarkdown(outcome.session.state);
}

/**
 * Starts the agent of the command line, runs `work`, and ends the agent. Returns the exit code. Failures go to stderr.
 * On a terminal a person can log in.
 *
 * @throws UsageError before the agent starts
 */
async function withAgent(
  choice: AgentChoice,
  streams: ProgramStreams,
  work: (visit: Visit, setup: Setup) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { env, interrupts } = streams;
  const setup = await unlessAborted(readSetup(choice, env), interrupts.cancel);
  const deadline = startDeadline(choice.timeoutMs, interrupts);
  const remarks = createRemarks(streams);
  const { choose } = createTerminalView(streams, setup.directory);
  try {
    const visit = await visitAgent({ setup, view: { ...remarks, choose }, interrupts });
    return await work(visit, setup).finally(() => visit.close());
  } catch (error) {
    if (deadline.isOver) {
      remarks.note(deadlineNote);
      return exitCode.timeout;
    }
    if (error instanceof Interrupted) return exitCode.cancelled;
    remarks.failure(error);
    return exitCodeOfError(error);
  } finally {
    deadline.release();
  }
}
