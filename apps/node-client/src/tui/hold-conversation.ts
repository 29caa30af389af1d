import { type ExitCode, exitCode } from "../exit-code.js";
import { unlessAborted, whenAborted } from "../interrupts.js";
import type { RunInvocation } from "../invocation.js";
import { withOwnServers } from "../mcp/own-servers.js";
import type { ProgramStreams } from "../program.js";
import { createPaint, wantsColours } from "../render/style.js";
import type { Spawn } from "../setup/early-agent.js";
import { readSetup, type Setup } from "../setup/setup.js";
import type { View } from "../view.js";
import { AgentLink } from "./agent-link.js";
import { createAskedQuestions } from "./asked-questions.js";
import type { ShownScreen } from "./connect-agent.js";
import { showsLinks } from "./hyperlink.js";
import { createHistoryFile, historyPath } from "./prompt-history.js";
import { Stage, type StageOptions } from "./stage.js";

export { createTerminalView } from "../terminal-view.js";

export type HoldOptions = ProgramStreams & {
  readonly invocation: RunInvocation;
  readonly setup: Setup;
  /** Process of the agent, which has been started. Absent for a remote agent. */
  readonly spawn: Spawn | undefined;
  /** Output before and after the screen is shown, and for questions of a login. */
  readonly view: View;
};

/**
 * Shows the screen, connects to the agent and opens the session of the command line, until the person quits. If a
 * project is not trusted yet, the person is asked about it before the screen is shown.
 *
 * @throws Interrupted after a signal, and every error with which no first session can be opened
 */
export async function holdConversation(options: HoldOptions): Promise<ExitCode> {
  const { invocation, view, interrupts, stdin, stdout, env } = options;
  const setup = await unlessAborted(withOwnServers(options.setup, { view, env, interrupts }), interrupts.cancel);
  let { spawn } = options;
  let screen: ShownScreen | undefined;
  const tell = (message: string) => (screen ? screen.tell(message) : view.note(message));
  const asked = createAskedQuestions();
  const link: AgentLink = new AgentLink({
    ...{ setup, settings: invocation.settings, note: tell },
    connect: async (wanted) => {
      const shown = screen as ShownScreen;
      // Only the first connection gets the process that was started early.
      const first = spawn;
      spawn = undefined;
      const { connectAgent } = await import("./late-parts.js");
      return connectAgent(wanted, {
        ...{ permissions: invocation.permissions, spawn: first, asked, env, interrupts, view, screen: shown },
        ...{ mayAsk: () => link.isOpening, isFirst: () => !link.isOpen, cut: (cut) => link.setCut(cut) },
      });
    },
    setupFor: async (cwd) => {
      const elsewhere = await readSetup({ ...invocation, cwd, trace: undefined }, env);
      // The screen has the terminal, so a project that is not trusted yet is only noted.
      const complete = await withOwnServers(elsewhere, { view: { note: tell }, env, interrupts });
      return { ...complete, trace: setup.trace };
    },
  });
  const history = createHistoryFile(historyPath(env));
  let remembered = Promise.resolve();
  try {
    const stage: StageOptions = {
      ...{ link, asked, stdin, stdout, env, interrupts, paint: createPaint(wantsColours(stdout, env)) },
      links: showsLinks(stdout, env),
      history: await history.read(),
      remember: (text) => {
        remembered = remembered.then(() => history.add(text));
      },
      openFirst: async () => {
        await link.start();
        await link.openFirst(invocation.session);
      },
    };
    await runScreen(stage, (shown) => {
      screen = shown;
    });
    screen = undefined;
    if (!link.isOpen) return exitCode.cancelled;
    const { death, session } = link;
    if (death !== undefined)
      view.failure(new Error(`${link.isRemote ? "The connection is lost" : "The agent has ended"}.\n${death}`));
    if (link.mayGoOn) {
      const cwd = session.cwd === setup.directory ? invocation.cwd : session.cwd;
      const { resumeCommand } = await import("./late-parts.js");
      view.note(`To continue this session: ${resumeCommand({ ...invocation, cwd }, session.id)}`);
    }
    return death !== undefined ? exitCode.failed : interrupts.cancel.aborted ? exitCode.cancelled : exitCode.ended;
  } finally {
    screen = undefined;
    await remembered;
    await link.close();
  }
}

/**
 * Shows the sessions of a link until the person quits or the program is interrupted. At the end, the terminal is restored.
 * Its history contains the conversations.
 *
 * @throws the error of a frame that could not be drawn, after the terminal is restored
 */
async function runScreen(options: StageOptions, onShown: (screen: ShownScreen) => void): Promise<void> {
  let finish = () => {};
  let fail: (error: unknown) => void = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  const stage = new Stage(options, { quit: finish, fail });
  onShown(stage);
  const forget = whenAborted(options.interrupts.cancel, finish);
  try {
    await ended;
  } finally {
    forget();
    await stage.end();
  }
}
