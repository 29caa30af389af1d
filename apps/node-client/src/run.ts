import { type Client, type EventListener, type PermissionPolicy, type Session, withLogin } from "@turnkit/client";
import { createFileHost, createTerminalHost, launch } from "@turnkit/client/node";
import type { ContentBlock, Dialect, StopReason } from "@turnkit/session";
import { embedFiles } from "./embed-files.js";
import { type ExitCode, exitCode, exitCodeOf } from "./exit-code.js";
import { type Interrupts, whenAborted } from "./interrupts.js";
import { loginFor } from "./login.js";
import { version } from "./version.js";
import type { View } from "./view.js";

/** One prompt to one agent. */
export type RunOptions = {
  /** Program and arguments; no shell looks at them. */
  readonly command: readonly [string, ...string[]];
  /** Absolute. The agent starts in it, and the session works on it. */
  readonly directory: string;
  readonly prompt: readonly ContentBlock[];
  readonly permissions: PermissionPolicy;
  /** What may be spoken; everything unless said otherwise. */
  readonly dialects?: readonly Dialect[];
  readonly view: View;
  readonly interrupts: Interrupts;
};

/** How a run went. */
export type RunResult = { readonly exitCode: ExitCode; readonly stopReason?: StopReason };

/**
 * Starts the agent, opens a session, asks, shows what happens, and ends the agent. Never rejects: what went wrong is
 * shown and told by the exit code.
 */
export async function runPrompt(options: RunOptions): Promise<RunResult> {
  const { view, interrupts } = options;
  const agent: Agent = {};
  try {
    // Until there is a turn to cancel, the first Ctrl-C ends the program, and with it an agent that is still starting.
    agent.client = await unlessAborted(start(options), interrupts.cancel);
    return await unlessAborted(converse(agent, options), interrupts.quit);
  } catch (error) {
    if (!interrupts.quit.aborted && !(error instanceof Interrupted)) {
      view.failure(error);
      return { exitCode: exitCode.failed };
    }
    view.note("Ended before the agent was done.");
    return { exitCode: exitCode.cancelled };
  } finally {
    if (agent.client !== undefined) await closeSoon(agent.client, interrupts.quit);
  }
}

/** Who is talked to; after a login on the terminal that is another client. */
type Agent = { client?: Client };

function start({ command, directory, permissions, dialects, view }: RunOptions): Promise<Client> {
  return launch(command, {
    info: { name: "turnkit", title: "turnkit", version },
    cwd: directory,
    permissions,
    ...(dialects && { dialects }),
    terminalLogin: view.choose !== undefined,
    files: createFileHost({ missingAsEmpty: true }),
    terminals: createTerminalHost(),
    ...(view.elicit && { elicitations: { form: view.elicit, url: view.elicit } }),
    onDiagnostic: firstOfEachKind((message) => view.note(message)),
  });
}

async function converse(agent: Agent, options: RunOptions): Promise<RunResult> {
  const { prompt, view, interrupts } = options;
  let over = false;
  const opening = openSession(agent, options, (event, { state }) =>
    // The end of the session is no news when this program brings it about.
    over || interrupts.quit.aborted ? undefined : view.event(event, state),
  );
  const session = await unlessAborted(opening, interrupts.cancel);
  session.subscribe(() => {
    if (!over && !interrupts.quit.aborted) view.changed?.(session.state);
  });
  const embeds = agent.client?.peer.capabilities.prompt.embeddedContext === true;
  const turn = session.prompt(embeds ? await embedFiles(prompt) : prompt);
  const forget = whenAborted(interrupts.cancel, () => void turn.cancel().catch(() => undefined));
  const end = await turn.ended.finally(forget);
  over = true;
  return { exitCode: exitCodeOf(end), ...(end.stopReason === undefined ? {} : { stopReason: end.stopReason }) };
}

/** Opens a session. Where the agent wants a login first, that is run, and it is tried once more. */
async function openSession(agent: Agent, options: RunOptions, onEvent: EventListener): Promise<Session> {
  const { command, directory, view, interrupts } = options;
  const client = agent.client as Client;
  const restart = async () => {
    agent.client = await start(options);
    return agent.client;
  };
  const login = loginFor(client, { command, directory, view, signal: interrupts.cancel, restart });
  const { result } = await withLogin(client, (one) => one.newSession({ cwd: directory }, onEvent), login);
  return result;
}

/** Ends the agent. Who pressed Ctrl-C twice does not wait for it: what is left of it ends with this process. */
async function closeSoon(client: Client, quit: AbortSignal): Promise<void> {
  const patience = new Promise<void>((resolve) => {
    whenAborted(quit, () => setTimeout(resolve, 300));
  });
  await Promise.race([client.close(), patience]);
}

class Interrupted extends Error {}

/** Follows `promise`, and rejects when the signal aborts first. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => undefined); // nobody listens any more after an abort
  let forget = () => {};
  const aborted = new Promise<never>((_, reject) => {
    forget = whenAborted(signal, () => reject(new Interrupted()));
  });
  return Promise.race([promise, aborted]).finally(() => forget());
}

/** One note on a noisy agent is of use, a thousand hide the conversation. */
function firstOfEachKind(tell: (message: string) => void) {
  const told = new Set<string>();
  return ({ code, message }: { readonly code: string; readonly message: string }) => {
    if (!told.has(code)) tell(message);
    told.add(code);
  };
}
