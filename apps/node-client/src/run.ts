import {
  type Client,
  type EventListener,
  type Peer,
  type PermissionPolicy,
  RpcError,
  rpcErrorCode,
  type Session,
  type TurnEnd,
} from "@turnkit/client";
import type { ErrorObject } from "@turnkit/session";
import { followChildren } from "./child-sessions.js";
import { exitCode, exitCodeOf } from "./exit-code.js";
import { type Deadline, deadlineNote, Interrupted, type Interrupts, unlessAborted, whenAborted } from "./interrupts.js";
import type { SessionWish, SettingWish } from "./invocation.js";
import { createPermissionCounter } from "./permission-count.js";
import { promptBlocks } from "./prompt/prompt-blocks.js";
import type { PromptDraft } from "./prompt/prompt-draft.js";
import { findSession } from "./sessions/find-session.js";
import { lostError } from "./setup/connection-cuts.js";
import type { Spawn } from "./setup/early-agent.js";
import { exitCodeOfError } from "./setup/exit-code-of-error.js";
import type { Setup } from "./setup/setup.js";
import { openSession, type Visit, visitAgent } from "./setup/visit.js";
import type { RunResult, View } from "./view.js";

export type RunOptions = {
  readonly setup: Setup;
  /** Prompt to send. If absent, the session is only restored and shown. */
  readonly prompt?: PromptDraft;
  /** Session to continue. If absent, a new session is opened. */
  readonly wish?: SessionWish;
  /** Options of the agent to set before the prompt. */
  readonly settings?: readonly SettingWish[];
  readonly permissions: PermissionPolicy;
  /** Process of the agent that was started before. */
  readonly spawn?: Spawn;
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
  let result = await converse(talk, options).catch((cause: unknown): RunResult => {
    const error = lostError(cause, options.setup.remote?.url, talk.session?.id);
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

type Talk = { -readonly [Name in "peer" | "session" | "restored" | "promptId" | "permissions"]?: RunResult[Name] };

async function converse(talk: Talk, options: RunOptions): Promise<RunResult> {
  const { setup, wish, settings, prompt, view, interrupts } = options;
  const visit = await visitAgent(options);
  const permissions = createPermissionCounter();
  talk.permissions = permissions.count;
  let over = false;
  const listener: EventListener = (event, { id, state }) => {
    permissions.add(event, id);
    // If this program ends the session, the end is not shown.
    return over || interrupts.quit.aborted ? undefined : view.event(event, state);
  };
  const open = async (client: Client): Promise<Session> => {
    over = false;
    talk.peer = client.peer;
    const sessionId = wish && (await findSession(client, wish, setup)).sessionId;
    const opened = await openSession(client, { setup, sessionId, settings, listener, note: view.note });
    const { session } = opened;
    Object.assign(talk, opened);
    followChildren(session, (event, child) => {
      permissions.add(event, child.id);
      return over || interrupts.quit.aborted ? undefined : view.child?.(event, child);
    });
    session.subscribe(() => {
      if (!over && !interrupts.quit.aborted) view.changed?.(session.state);
    });
    return session;
  };
  const asked = async (session: Session): Promise<TurnEnd | undefined> =>
    prompt && unlessAborted(ask(session, prompt, { peer: visit.client.peer, talk, interrupts, view }), interrupts.quit);
  try {
    const session = await visit.attempt(open);
    let end = await asked(session);
    if (end?.error?.code === rpcErrorCode.authRequired) {
      over = true;
      const again = await loggedIn(visit, end.error, open);
      over = false;
      end = await asked(again ?? session);
    }
    const code = end === undefined ? exitCode.ended : exitCodeOf(end);
    const isDenied = code === exitCode.ended && permissions.count.denied > 0;
    return { exitCode: isDenied ? exitCode.denied : code, ...end, ...talk };
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

type Asking = { readonly peer: Peer; readonly talk: Talk; readonly interrupts: Interrupts; readonly view: View };

async function ask(session: Session, prompt: PromptDraft, { peer, talk, interrupts, view }: Asking): Promise<TurnEnd> {
  const { info, capabilities } = peer;
  const reader = { agent: info.title ?? info.name, capabilities: capabilities.prompt, note: view.note };
  const turn = session.prompt(await promptBlocks(prompt, reader));
  talk.promptId = turn.promptId;
  const forget = whenAborted(interrupts.cancel, () => void turn.cancel().catch(() => undefined));
  return turn.ended.finally(forget);
}
