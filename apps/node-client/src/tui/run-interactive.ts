import { type Client, createPermissionBroker, type Session } from "@turnkit/client";
import { isInsideRoots } from "@turnkit/client/node";
import type { SessionState } from "@turnkit/session";
import { type ExitCode, exitCode } from "../exit-code.js";
import type { Interrupts } from "../interrupts.js";
import { createPaint, wantsColours } from "../render/style.js";
import { exitCodeOfError } from "../run.js";
import { oneLine } from "../sanitise.js";
import type { Judge } from "../setup/policy-file.js";
import { RestoreFailedError } from "../setup/restore-failure.js";
import type { Setup } from "../setup/setup.js";
import { Interrupted, visitAgent } from "../setup/visit.js";
import type { View } from "../view.js";
import { createHistoryFile, historyPath } from "./history-file.js";

/** A conversation at the keyboard. */
export type InteractiveOptions = {
  readonly setup: Setup;
  /** Decides before a person is asked. */
  readonly judge: Judge;
  /** The session to go on with; a new one unless given. */
  readonly sessionId?: string;
  /** Shows what there is to say before the screen is up and after it is gone, such as a login. */
  readonly view: View;
  readonly interrupts: Interrupts;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
};

/**
 * Starts the agent, opens a session or brings one back, and lets a person talk to it until they quit; then ends the agent.
 * Never rejects: what went wrong is shown and told by the exit code.
 */
export async function runInteractive(options: InteractiveOptions): Promise<ExitCode> {
  const { view, interrupts } = options;
  try {
    return await converse(options);
  } catch (error) {
    if (interrupts.quit.aborted || error instanceof Interrupted) return exitCode.cancelled;
    view.failure(error);
    return exitCodeOfError(error);
  }
}

async function converse(options: InteractiveOptions): Promise<ExitCode> {
  const { setup, view, interrupts, stdin, stdout, env } = options;
  const isCi = Object.keys(env).some((name) => /^(CI|CI_.*|CONTINUOUS_INTEGRATION)$/.test(name));
  // Else it loads while the agent starts, which must not get to see another environment.
  const screen = isCi ? Promise.resolve(await loadInspiteOfCi()) : import("./run-screen.js");
  screen.catch(() => undefined); // told where it is awaited
  let isUp = false;
  let tell = (message: string) => view.note(message);
  const visit = await visitAgent({
    ...{ setup, interrupts },
    // Questions of a session wait in its state for the screen to show them.
    permissions: createPermissionBroker({ policy: options.judge, isInside: isInsideRoots, ask: () => undefined }),
    view: {
      note: (message) => tell(message),
      ...(view.choose && { choose: view.choose }),
      elicit: async (question, signal) => (isUp ? undefined : view.elicit?.(question, signal)),
    },
  });
  try {
    const session = await visit.attempt((client) => openSession(client, options));
    const { client } = visit;
    const history = createHistoryFile(historyPath(env));
    const { runScreen } = await screen;
    isUp = true;
    const end = await runScreen({
      ...{ session, stdin, stdout, interrupts },
      ...{ agent: nameOf(client), closed: client.closed, directory: setup.directory },
      history: await history.read(),
      remember: (text) => void history.add(text),
      paint: createPaint(wantsColours(stdout, env)),
      onNote: (note) => {
        tell = note;
      },
    });
    tell = (message) => view.note(message);
    if (end === "agent gone") view.failure(new Error(`The agent has ended.\n${(await client.closed).message ?? ""}`));
    if (mayGoOn(client, session.state)) view.note(`To go on with this session: --session ${session.id}`);
    return end === "agent gone" ? exitCode.failed : interrupts.quit.aborted ? exitCode.cancelled : exitCode.ended;
  } finally {
    await visit.close();
  }
}

/** Ink draws nothing where the environment is that of a build machine, but here is a terminal with a person at it. */
async function loadInspiteOfCi() {
  const { CI } = process.env;
  process.env.CI = "false";
  try {
    return await import("./run-screen.js");
  } finally {
    if (CI === undefined) delete process.env.CI;
    else process.env.CI = CI;
  }
}

/** @throws RestoreFailedError, or the agent's refusal where a login would help */
async function openSession(client: Client, { setup, sessionId, view }: InteractiveOptions): Promise<Session> {
  const place = { cwd: setup.directory, mcpServers: setup.mcpServers };
  if (sessionId === undefined) return client.newSession(place);
  const outcome = await client.restore(sessionId, place);
  if (outcome.status === "unavailable") {
    throw outcome.why === "login" ? outcome.error : new RestoreFailedError(sessionId, outcome);
  }
  if (outcome.status === "resumed") view.note("The agent goes on with it, but does not tell what was said before.");
  return outcome.session;
}

function mayGoOn({ peer: { capabilities } }: Client, { timeline }: SessionState): boolean {
  return (capabilities.load || capabilities.resume) && timeline.length > 0;
}

function nameOf({ peer: { info } }: Client): string {
  return oneLine(info.title ?? info.name).slice(0, 30);
}
