import type { Client, SessionInfo } from "@turnkit/client";
import { transcriptMarkdown } from "@turnkit/session";
import { type ExitCode, exitCode } from "../exit-code.js";
import { deadlineNote, Interrupted, startDeadline, unlessAborted } from "../interrupts.js";
import type { AgentChoice, Invocation } from "../invocation.js";
import { createRemarks } from "../output/remarks.js";
import { safeJson } from "../output/safe-json.js";
import type { ProgramStreams } from "../program.js";
import { type Page, pageOn } from "../render/page.js";
import { exitCodeOfError } from "../run.js";
import { readSetup, type Setup } from "../setup/setup.js";
import { restored, type Visit, visitAgent } from "../setup/visit.js";
import { createTerminalView } from "../terminal-view.js";

type SessionsInvocation = Extract<Invocation, { kind: `sessions ${string}` }>;

/** Maximum number of listed sessions. The pages of a faulty agent may never end. */
const MAX_SESSIONS = 10_000;

/** Runs `turnkit sessions list | show | delete` with the methods of the agent. */
export function manageSessions(invocation: SessionsInvocation, streams: ProgramStreams): Promise<ExitCode> {
  const page = pageOn(streams.stdout, streams.env);
  return withAgent(invocation, streams, async (visit, setup) => {
    switch (invocation.kind) {
      case "sessions list": {
        const filter = invocation.cwd === undefined ? {} : { cwd: setup.directory };
        const listed = await visit.attempt((client) => listSessions(client, filter));
        if (invocation.json) streams.stdout.write(`${safeJson({ sessions: listed }, 2)}\n`);
        else showList(page, listed);
        return exitCode.ended;
      }
      case "sessions show":
        page.block(await visit.attempt((client) => transcriptOf(client, invocation.session, setup)), { gutter: "" });
        return exitCode.ended;
      case "sessions delete":
        await visit.attempt((client) => client.deleteSession(invocation.session));
        page.line(`Session ${invocation.session} is deleted.`);
        return exitCode.ended;
    }
  });
}

async function listSessions(client: Client, filter: { readonly cwd?: string }): Promise<readonly SessionInfo[]> {
  const listed: SessionInfo[] = [];
  for await (const info of client.listSessions(filter)) {
    listed.push(info);
    if (listed.length >= MAX_SESSIONS) break;
  }
  return listed;
}

function showList(page: Page, sessions: readonly SessionInfo[]): void {
  if (sessions.length === 0) return page.line(["dim", "The agent has no sessions."]);
  for (const { sessionId, title, cwd, updatedAt } of sessions) {
    page.line(["bold", sessionId], `  ${title ?? "(no title)"}`, ["dim", `  ${updatedAt ?? ""}  ${cwd}`]);
  }
}

/**
 * Returns the conversation as Markdown. Throws Error if the agent cannot restore the session or does not send its
 * conversation.
 */
async function transcriptOf(client: Client, sessionId: string, { directory }: Setup): Promise<string> {
  const cwd = (await directoryOf(client, sessionId)) ?? directory;
  const outcome = restored(sessionId, await client.restore(sessionId, { cwd }));
  if (outcome.status === "resumed") {
    throw new Error(
      `Session ${sessionId} cannot be shown: this agent continues sessions, but does not send their messages.`,
    );
  }
  return transcriptMarkdown(outcome.session.state);
}

/** Returns the directory of a listed session. Some agents find a session only in its own directory. */
async function directoryOf(client: Client, sessionId: string): Promise<string | undefined> {
  if (!client.peer.capabilities.list) return undefined;
  const info = (await listSessions(client, {})).find((one) => one.sessionId === sessionId);
  return info?.cwd;
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
    const visit = await visitAgent({ setup, view: { ...remarks, ...(choose && { choose }) }, interrupts });
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
