import { basename } from "node:path";
import type { Client, Session } from "@turnkit/client";
import { createPermissionBroker } from "@turnkit/client/broker";
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
  const paint = createPaint(wantsColours(stdout, env));
  const eraseLine = () => stdout.write("\r\u001b[K");
  let isUp = false;
  let tell = (message: string) => {
    eraseLine();
    view.note(message);
  };
  stdout.write(paint("dim", `Starting ${oneLine(basename(setup.command[0]))} …`));
  const visit = await visitAgent({
    ...{ setup, interrupts },
    // Questions of a session wait in its state for the screen to show them.
    permissions: createPermissionBroker({ policy: options.judge, isInside: isInsideRoots, ask: () => undefined }),
    view: {
      note: (message) => tell(message),
      ...(view.choose && { choose: view.choose }),
      elicit: async (question, signal) => (isUp ? undefined : view.elicit?.(question, signal)),
    },
  }).finally(eraseLine);
  try {
    const { runScreen } = await loadScreen();
    const session = await visit.attempt((client) => openSession(client, options));
    const { client } = visit;
    const history = createHistoryFile(historyPath(env));
    let remembered = Promise.resolve();
    isUp = true;
    const end = await runScreen({
      ...{ session, stdin, stdout, interrupts },
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
    if (mayGoOn(client, session.state)) view.note(`To go on with this session: --session ${session.id}`);
    return end === "agent gone" ? exitCode.failed : interrupts.cancel.aborted ? exitCode.cancelled : exitCode.ended;
  } finally {
    await visit.close();
  }
}

/**
 * Loads React as it is meant for production, whose other form keeps times of every frame, and ink as it is for people: it
 * draws nothing where the environment is that of a build machine. Both look at the environment once, when they load; no
 * agent is started meanwhile that could see it.
 */
async function loadScreen() {
  const { CI, NODE_ENV } = process.env;
  Object.assign(process.env, { CI: "false", NODE_ENV: "production" });
  try {
    return await import("./run-screen.js");
  } finally {
    for (const [name, value] of Object.entries({ CI, NODE_ENV })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
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
