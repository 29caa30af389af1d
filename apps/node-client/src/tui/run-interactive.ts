import { basename } from "node:path";
import type { Client } from "@turnkit/client";
import type { SessionState } from "@turnkit/session";
import { type ExitCode, exitCode } from "../exit-code.js";
import { Interrupted, unlessAborted } from "../interrupts.js";
import type { RunInvocation } from "../invocation.js";
import { openPermissionStore } from "../permission-store.js";
import { createBroker, type Judge, readPermissions } from "../permissions.js";
import type { ProgramStreams } from "../program.js";
import { createPaint, type Paint, wantsColours } from "../render/style.js";
import { exitCodeOfError } from "../run.js";
import { oneLine } from "../sanitise.js";
import { findSession } from "../sessions/find-session.js";
import { resumeCommand } from "../sessions/resume-command.js";
import { readSetup, type Setup } from "../setup/setup.js";
import { openSession, visitAgent } from "../setup/visit.js";
import { createTerminalView } from "../terminal-view.js";
import type { View } from "../view.js";
import { createAskedQuestions } from "./asked-questions.js";
import { createHistoryFile, historyPath } from "./prompt-history.js";

/**
 * Runs the interactive client: starts the agent, opens or restores a session, shows the screen until the person quits,
 * and ends the agent. Failures are shown, and the exit code says which failure it was.
 *
 * @throws UsageError, or Interrupted after Ctrl-C, before the agent is started
 */
export async function runInteractive(invocation: RunInvocation, streams: ProgramStreams): Promise<ExitCode> {
  const { interrupts, env } = streams;
  const prepare = async () => ({
    judge: await readPermissions(invocation.permissions),
    setup: await readSetup(invocation, env),
  });
  const { judge, setup } = await unlessAborted(prepare(), interrupts.cancel);
  const view = createTerminalView(streams, setup.directory);
  try {
    return await converse({ ...streams, setup, judge, view, invocation });
  } catch (error) {
    if (interrupts.quit.aborted || error instanceof Interrupted) return exitCode.cancelled;
    view.failure(error);
    return exitCodeOfError(error);
  }
}

type Conversing = ProgramStreams & {
  readonly setup: Setup;
  /** Judge that decides before a person is asked. */
  readonly judge: Judge;
  readonly invocation: RunInvocation;
  /** Output before and after the screen is shown, for example for a login. */
  readonly view: View;
};

async function converse(options: Conversing): Promise<ExitCode> {
  const { setup, view, interrupts, stdin, stdout, env } = options;
  const paint = createPaint(wantsColours(stdout, env));
  const wait = createWaitLine(stdout, paint);
  const early = inPlaceOf(wait, view);
  let isUp = false;
  let tell = early.note;
  const asked = createAskedQuestions();
  const store = await openPermissionStore(env, setup.directory);
  wait.show(`Starting ${oneLine(basename(setup.command[0]))}`);
  const visit = await visitAgent({
    ...{ setup, interrupts },
    // Questions of a session wait in its state until the screen shows them.
    permissions: createBroker({
      ...{ judge: options.judge, store: store.of(setup.command), note: (message) => tell(message) },
      ask: asked.ask,
    }),
    view: {
      note: (message) => tell(message),
      ran: (message) => tell(message),
      // The screen reads the keys itself, so a line cannot be asked there.
      ...(early.choose && {
        choose: async (title, choices, signal) => (isUp ? undefined : early.choose?.(title, choices, signal)),
      }),
      elicit: async (question, signal) => (isUp ? undefined : early.elicit?.(question, signal)),
    },
  }).finally(wait.erase);
  try {
    wait.show("Opening a session");
    const { runScreen } = await import("./run-screen.js");
    const { session: wish, settings } = options.invocation;
    const { session } = await visit
      .attempt(async (client) => {
        const found = wish && (await findSession(client, wish, setup));
        return openSession(client, { setup, sessionId: found?.sessionId, settings, note: tell });
      })
      .finally(wait.erase);
    const { client } = visit;
    const history = createHistoryFile(historyPath(env));
    let remembered = Promise.resolve();
    isUp = true;
    const end = await runScreen({
      ...{ session, asked, stdin, stdout, env, interrupts },
      ...{ agent: nameOf(client), closed: client.closed, directory: setup.directory },
      history: await history.read(),
      remember: (text) => {
        remembered = history.add(text);
      },
      paint,
      onNote: (note) => {
        tell = note;
      },
    });
    tell = (message) => view.note(message);
    await remembered;
    if (end === "agent gone") view.failure(new Error(`The agent has ended.\n${(await client.closed).message ?? ""}`));
    if (mayGoOn(client, session.state))
      view.note(`To continue this session: ${resumeCommand(options.invocation, session.id)}`);
    return end === "agent gone" ? exitCode.failed : interrupts.cancel.aborted ? exitCode.cancelled : exitCode.ended;
  } finally {
    await visit.close();
  }
}

/** Line at the cursor that shows the progress. */
type WaitLine = { readonly show: (what: string) => void; readonly erase: () => void };

function createWaitLine(stdout: NodeJS.WriteStream, paint: Paint): WaitLine {
  return {
    show: (what) => void stdout.write(paint("dim", `${what} …`)),
    erase: () => void stdout.write("\r\u001b[K"),
  };
}

/** Returns a view that erases the progress line before each output. */
function inPlaceOf({ erase }: WaitLine, { note, choose, elicit }: View): Pick<View, "note" | "choose" | "elicit"> {
  const erased =
    <Shown extends unknown[], Answer>(show: (...shown: Shown) => Answer) =>
    (...shown: Shown): Answer => {
      erase();
      return show(...shown);
    };
  return {
    note: erased(note),
    ...(choose && { choose: erased(choose) }),
    ...(elicit && { elicit: erased(elicit) }),
  };
}

function mayGoOn({ peer: { capabilities } }: Client, { timeline }: SessionState): boolean {
  return (capabilities.load || capabilities.resume) && timeline.length > 0;
}

function nameOf({ peer: { info } }: Client): string {
  return oneLine(info.title ?? info.name).slice(0, 30);
}
