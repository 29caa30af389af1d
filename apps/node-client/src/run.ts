import {
  type Client,
  type EventListener,
  isRpcError,
  type PermissionPolicy,
  RpcError,
  rpcErrorCode,
  type Session,
  type TurnEnd,
} from "@turnkit/client";
import type { ContentBlock, ErrorObject } from "@turnkit/session";
import { followChildren } from "./child-sessions.js";
import { type ExitCode, exitCode, exitCodeOf } from "./exit-code.js";
import { type Deadline, deadlineNote, Interrupted, type Interrupts, unlessAborted, whenAborted } from "./interrupts.js";
import { embedFiles } from "./prompt.js";
import type { Setup } from "./setup/setup.js";
import { LoginNeededError, openSession, type Visit, visitAgent } from "./setup/visit.js";
import type { RunResult, View } from "./view.js";

export type RunOptions = {
  readonly setup: Setup;
  /** Prompt to send. If absent, the session is only restored and shown. */
  readonly prompt?: readonly ContentBlock[];
  /** Id of the session to continue. If absent, a new session is opened. */
  readonly sessionId?: string;
  readonly permissions: PermissionPolicy;
  readonly view: View;
  readonly interrupts: Interrupts;
  readonly deadline?: Deadline;
};

/**
 * Runs one prompt: starts the agent, opens or restores a session, sends the prompt, shows the turn, and ends the agent.
 * The promise never rejects. Failures are shown, and the exit code says which failure it was.
 */
export async function runPrompt(options: RunOptions): Promise<RunResult> {
  const { view, interrupts, deadline } = options;
  const talk: Talk = {};
  let result = await converse(talk, options).catch((error: unknown): RunResult => {
    if (!interrupts.quit.aborted && !(error instanceof Interrupted)) {
      view.failure(error);
      return { exitCode: exitCodeOfError(error), error, ...talk };
    }
    if (!deadline?.isOver) view.note("Ended before the agent was done.");
    return { exitCode: exitCode.cancelled, ...talk };
  });
  if (deadline?.isOver) {
    view.note(deadlineNote);
    result = { ...result, exitCode: exitCode.timeout };
  }
  await view.ended?.(result);
  return result;
}

/** Part of the result that is already known. */
type Talk = { -readonly [Name in "peer" | "session" | "restored" | "promptId"]?: RunResult[Name] };

async function converse(talk: Talk, options: RunOptions): Promise<RunResult> {
  const { setup, sessionId, prompt, view, interrupts } = options;
  const visit = await visitAgent(options);
  let over = false;
  const listener: EventListener = (event, { state }) =>
    // If this program ends the session, the end is not shown.
    over || interrupts.quit.aborted ? undefined : view.event(event, state);
  const open = async (client: Client): Promise<Session> => {
    over = false;
    talk.peer = client.peer;
    const opened = await openSession(client, { setup, sessionId, listener, note: (text) => view.note(text) });
    const { session } = opened;
    Object.assign(talk, opened);
    followChildren(session, (event, child) =>
      over || interrupts.quit.aborted ? undefined : view.child?.(event, child),
    );
    session.subscribe(() => {
      if (!over && !interrupts.quit.aborted) view.changed?.(session.state);
    });
    return session;
  };
  const asked = async (session: Session): Promise<TurnEnd | undefined> =>
    prompt && unlessAborted(ask(session, prompt, { talk, interrupts }), interrupts.quit);
  try {
    const session = await visit.attempt(open);
    let end = await asked(session);
    if (end?.error?.code === rpcErrorCode.authRequired) {
      over = true;
      const again = await loggedIn(visit, end.error, open);
      over = false;
      end = await asked(again ?? session);
    }
    return { exitCode: end === undefined ? exitCode.ended : exitCodeOf(end), ...end, ...talk };
  } finally {
    over = true;
    await visit.close();
  }
}

/**
 * Logs in at an agent that requires a login only for prompts. If the login started a new agent, the result is a session
 * of that agent, otherwise `undefined`.
 */
async function loggedIn(visit: Visit, refusal: ErrorObject, open: (client: Client) => Promise<Session>) {
  const refused = visit.client;
  let isFirst = true;
  return visit.attempt(async (client) => {
    if (isFirst) {
      isFirst = false;
      throw new RpcError(refusal.code, refusal.message, refusal.data);
    }
    return client === refused ? undefined : open(client);
  });
}

type Asking = { readonly talk: Talk; readonly interrupts: Interrupts };

async function ask(session: Session, prompt: readonly ContentBlock[], { talk, interrupts }: Asking): Promise<TurnEnd> {
  const embeds = talk.peer?.capabilities.prompt.embeddedContext === true;
  const turn = session.prompt(embeds ? await embedFiles(prompt) : prompt);
  talk.promptId = turn.promptId;
  const forget = whenAborted(interrupts.cancel, () => void turn.cancel().catch(() => undefined));
  return turn.ended.finally(forget);
}

/** Returns the exit code for an error outside of a turn. */
export function exitCodeOfError(error: unknown): ExitCode {
  const isLogin = error instanceof LoginNeededError || isRpcError(error, rpcErrorCode.authRequired);
  return isLogin ? exitCode.login : exitCode.failed;
}
