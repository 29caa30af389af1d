import { basename } from "node:path";
import { type ExitCode, exitCode } from "../exit-code.js";
import { Interrupted, unlessAborted } from "../interrupts.js";
import type { RunInvocation } from "../invocation.js";
import { withOwnServers } from "../mcp/own-servers.js";
import { openPermissionStore } from "../permission-store.js";
import { createBroker, type Judge, readPermissions } from "../permissions.js";
import type { ProgramStreams } from "../program.js";
import { createPaint, type Paint, wantsColours } from "../render/style.js";
import { exitCodeOfError } from "../run.js";
import { oneLine } from "../sanitise.js";
import { resumeCommand } from "../sessions/resume-command.js";
import { readSetup, type Setup } from "../setup/setup.js";
import { type Visit, visitAgent } from "../setup/visit.js";
import { createTerminalView } from "../terminal-view.js";
import type { View } from "../view.js";
import { AgentLink } from "./agent-link.js";
import { type AskedQuestions, createAskedQuestions } from "./asked-questions.js";
import { showsLinks } from "./hyperlink.js";
import { createHistoryFile, historyPath } from "./prompt-history.js";
import type { ShownScreen } from "./run-screen.js";

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
  const prepared = await unlessAborted(prepare(), interrupts.cancel);
  const { judge } = prepared;
  const view = createTerminalView(streams, prepared.setup.directory);
  try {
    const asking = { view, env, interrupts };
    const setup = await unlessAborted(withOwnServers(prepared.setup, asking), interrupts.cancel);
    return await converse({ ...streams, setup, judge, view, invocation });
  } catch (error) {
    if (interrupts.quit.aborted || error instanceof Interrupted) return exitCode.cancelled;
    view.failure(error);
    return exitCodeOfError(error);
  }
}

type Conversing = ProgramStreams & {
  readonly invocation: RunInvocation;
  readonly setup: Setup;
  /** Judge that decides before a person is asked. */
  readonly judge: Judge;
  /** Output before and after the screen is shown, for example for a login. */
  readonly view: View;
};

async function converse(options: Conversing): Promise<ExitCode> {
  const { invocation, setup, view, interrupts, stdin, stdout, env } = options;
  const paint = createPaint(wantsColours(stdout, env));
  const links = await showsLinks(stdout, env);
  const wait = createWaitLine(stdout, paint);
  const early = inPlaceOf(wait, view);
  let screen: ShownScreen | undefined;
  const tell = (message: string) => (screen ?? { tell: early.note }).tell(message);
  const asked = createAskedQuestions();
  const link: AgentLink = new AgentLink({
    ...{ setup, settings: invocation.settings },
    connect: (wanted) =>
      connect(wanted, { ...options, asked, early, tell, screen: () => screen, mayAsk: () => link.isOpening }),
    setupFor: async (cwd) => {
      const elsewhere = await readSetup({ ...invocation, cwd, trace: undefined }, env);
      // The screen has the terminal, so a project that is not trusted yet is only noted.
      const complete = await withOwnServers(elsewhere, { view: { note: tell }, env, interrupts });
      return { ...complete, ...(setup.trace && { trace: setup.trace }) };
    },
    note: (message) => tell(message),
  });
  try {
    wait.show(`Starting ${oneLine(basename(setup.command[0]))}`);
    await link.start().finally(wait.erase);
    wait.show("Opening a session");
    const { runScreen } = await import("./run-screen.js");
    await link.openFirst(invocation.session).finally(wait.erase);
    const history = createHistoryFile(historyPath(env));
    let remembered = Promise.resolve();
    await runScreen({
      ...{ link, asked, stdin, stdout, env, interrupts, paint, links },
      history: await history.read(),
      remember: (text) => {
        remembered = history.add(text);
      },
      onShown: (shown) => {
        screen = shown;
      },
    });
    screen = undefined;
    await remembered;
    const { death, session } = link;
    if (death !== undefined) view.failure(new Error(`The agent has ended.\n${death}`));
    if (link.mayGoOn) {
      const cwd = session.cwd === setup.directory ? invocation.cwd : session.cwd;
      view.note(`To continue this session: ${resumeCommand({ ...invocation, cwd }, session.id)}`);
    }
    return death !== undefined ? exitCode.failed : interrupts.cancel.aborted ? exitCode.cancelled : exitCode.ended;
  } finally {
    await link.close();
  }
}

type Connecting = Conversing & {
  readonly asked: AskedQuestions;
  readonly early: Pick<View, "choose" | "elicit">;
  readonly tell: (message: string) => void;
  /** Returns `true` if a line may be asked now. */
  readonly mayAsk: () => boolean;
  /** Returns the screen while it is shown. */
  readonly screen: () => ShownScreen | undefined;
};

/**
 * Starts the agent of a setup. Remembered permissions are those of its directory. While the screen is shown, a login has
 * the terminal for itself.
 */
async function connect(setup: Setup, connecting: Connecting): Promise<Visit> {
  const { judge, asked, env, interrupts, early, tell, screen, mayAsk } = connecting;
  const lend = <T>(work: () => Promise<T>) => screen()?.lend(work) ?? work();
  const { choose, elicit } = early;
  const store = await openPermissionStore(env, setup.directory);
  return visitAgent({
    ...{ setup, interrupts },
    // Questions of a session wait in its state until the screen shows them.
    permissions: createBroker({ judge, store: store.of(setup.command), note: tell, ask: asked.ask }),
    view: {
      ...{ note: tell, ran: tell, lend },
      // A login may ask while a session is opened. Later, the keys are for the screen.
      ...(choose && { choose: async (...wanted) => (mayAsk() ? lend(() => choose(...wanted)) : undefined) }),
      elicit: async (question, signal) => (screen() === undefined ? elicit?.(question, signal) : undefined),
    },
  });
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
