import type { ContentBlock, MessageEntry, SessionWorkspace } from "@turnkit/session";
import { checkArgument, isAcpError } from "@turnkit/transport";
import type { Client } from "./client.js";
import { createKeyEvidence, type KeyEvidence } from "./key-evidence.js";
import { isOutcomeUnknown, type OutcomeUnknownError } from "./outcome-unknown.js";
import type { Session } from "./session.js";
import type { Turn } from "./turn.js";

/** Options of {@link retryPrompt}. */
export type RetryPromptOptions = {
  /** Opens a new connection to the agent, once for each attempt. */
  readonly connect: () => Promise<Client>;
  /** Workspace of the session. @defaultValue the folders of the session, without MCP servers */
  readonly workspace?: SessionWorkspace;
  /** Agents that are known to use keys. Without it, no prompt is sent again. */
  readonly evidence?: KeyEvidence;
  /**
   * Sending of the prompt:
   *
   * - `auto`: the prompt is sent again if `evidence` has the agent, and the new connection sends keys.
   * - `ask`: the prompt is only searched in the replay.
   * - `never`: nothing is done.
   *
   * @defaultValue `"auto"`
   */
  readonly promptRetry?: "auto" | "ask" | "never";
  /** Ends the attempts. A prompt that was sent again, and that the agent has not answered, is cancelled. */
  readonly signal?: AbortSignal;
};

/**
 * Outcome of {@link retryPrompt}:
 *
 * - `sent`: the prompt was sent again with its key, and the agent has answered.
 * - `inserted`: the prompt was not sent again, because the replay contains it.
 * - `unknown`: nobody knows whether the agent has the prompt. Without a session, no connection could be opened. `cause` is the
 *   error of the last connection, restore or sending that failed.
 */
export type RetriedPrompt =
  | { readonly status: "sent"; readonly client: Client; readonly session: Session; readonly turn: Turn }
  | { readonly status: "inserted"; readonly client: Client; readonly session: Session; readonly messageId: string }
  | {
      readonly status: "unknown";
      readonly client?: Client;
      readonly session?: Session;
      readonly error: OutcomeUnknownError;
      readonly cause?: unknown;
    };

/** Times before the attempts, in milliseconds. */
// P-RETRY-07
const WAITS_MS = [500, 2_000, 8_000] as const;

/**
 * Finds out what became of a prompt whose answer was lost. It connects again and restores the session with a replay. It then
 * sends the prompt again with its key if the agent is known to use keys. Without keys, as in version 1, it only searches the replay. There are at most three attempts, after 0.5, 2 and 8 s.
 * Nothing is sent after a cancel.
 *
 * @param session session of the lost connection
 * @param error error of the prompt's turn
 */
// P-RETRY-06
export async function retryPrompt(
  session: Session,
  error: OutcomeUnknownError,
  options: RetryPromptOptions,
): Promise<RetriedPrompt> {
  const remedy = "pass { connect } with a function that opens a new connection, such as () => launch(command, options)";
  checkArgument(typeof options?.connect === "function", "retryPrompt connect", { got: options?.connect, remedy });
  const unknown = { status: "unknown", error } as const;
  const prompt = lostPrompt(session, error.idempotencyKey);
  const isWanted = options.promptRetry !== "never" && error.retry === "with-key";
  if (prompt === undefined || !isWanted) return unknown;
  let outcome: RetriedPrompt = unknown;
  for (const ms of WAITS_MS) {
    if (!(await waited(ms, options.signal))) return outcome;
    const last = await attempt(session, { prompt, error }, options);
    if (!("lost" in last)) return last;
    outcome = { ...unknown, cause: last.lost };
  }
  return outcome;
}

type Lost = { readonly prompt: MessageEntry; readonly error: OutcomeUnknownError };

/** Makes one attempt. Returns `lost` with an error if the connection was not opened, or was lost again. */
async function attempt(
  session: Session,
  { prompt, error }: Lost,
  { connect, workspace, evidence = createKeyEvidence(), promptRetry, signal }: RetryPromptOptions,
): Promise<RetriedPrompt | { readonly lost: unknown }> {
  const opened = await connect().then(
    (client) => ({ client }),
    (lost: unknown) => ({ lost }),
  );
  if ("lost" in opened) return opened;
  const { client } = opened;
  const [cwd = session.cwd, ...additionalDirectories] = session.roots;
  const restored = await client.restore(session.id, workspace ?? { cwd, additionalDirectories });
  if (restored.status === "unavailable") {
    await client.close();
    const { error: cause } = restored;
    return isAcpError(cause, "connection_closed") ? { lost: cause } : { status: "unknown", error, cause };
  }
  const back = restored.session;
  const messageId = insertedId(session, back, prompt);
  const isKeyed = client.keysPrompts && evidence.honours(client.peer.info);
  const mayResend = isKeyed && promptRetry !== "ask" && signal?.aborted !== true;
  if (!mayResend) {
    if (messageId !== undefined) return { status: "inserted", client, session: back, messageId };
    return { status: "unknown", client, session: back, error };
  }
  const { idempotencyKey } = error;
  let turn: Turn;
  try {
    turn = back.prompt(prompt.content.toArray(), idempotencyKey === undefined ? {} : { idempotencyKey });
  } catch (cause) {
    // The agent may be another version, which accepts less.
    return { status: "unknown", client, session: back, error, cause };
  }
  const failure = turn.ended.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const cancel = () => void turn.cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  await turn.accepted;
  signal?.removeEventListener("abort", cancel);
  if (back.state.closed) {
    const lost = await failure;
    if (isOutcomeUnknown(lost)) return { lost };
  }
  const answered = lostPrompt(back, error.idempotencyKey)?.messageId;
  if (messageId !== undefined && answered === messageId) evidence.learn(client.peer.info);
  return { status: "sent", client, session: back, turn };
}

/** Returns the local message of a prompt. */
function lostPrompt({ state }: Session, key: string | undefined): MessageEntry | undefined {
  if (key === undefined) return undefined;
  for (let at = state.timeline.length - 1; at >= 0; at -= 1) {
    const entry = state.timeline.at(at);
    if (entry?.type === "message" && entry.prompt?.idempotencyKey === key) return entry;
  }
  return undefined;
}

/**
 * Returns the id of the replayed user message that has the content of the prompt. Messages up to the last one that the lost
 * session knew do not count. Returns `undefined` if it is not certain which message belongs to the prompt:
 *
 * - The replay has none of the messages that the lost session knew, so its ids prove nothing.
 * - Several lost prompts have this content, and the replay has fewer such messages.
 */
function insertedId(before: Session, after: Session, prompt: MessageEntry): string | undefined {
  const wanted = textOf(prompt.content.toArray());
  const known = new Set<string>();
  const lost: MessageEntry[] = [];
  for (const entry of before.state.timeline) {
    if (entry.type !== "message") continue;
    if (entry.messageId !== undefined && entry !== prompt) known.add(entry.messageId);
    else if (entry.role === "user" && textOf(entry.content.toArray()) === wanted) lost.push(entry);
  }
  let isKnown = known.size === 0;
  let found: string[] = [];
  for (const entry of after.state.timeline) {
    if (entry.type !== "message" || entry.messageId === undefined) continue;
    if (known.has(entry.messageId)) [isKnown, found] = [true, []];
    else if (entry.role === "user" && textOf(entry.content.toArray()) === wanted) found.push(entry.messageId);
  }
  return isKnown && found.length >= lost.length ? found[lost.indexOf(prompt)] : undefined;
}

const textOf = (content: readonly ContentBlock[]): string => JSON.stringify(content);

/** Waits, unless the signal aborts. Returns `false` after an abort. */
function waited(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const aborted = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", aborted);
      resolve(true);
    }, ms);
    signal?.addEventListener("abort", aborted, { once: true });
  });
}
