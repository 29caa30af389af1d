import type { SessionWorkspace } from "@turnkit/session";
import { checkArgument, checkOptions, isAcpError, isRpcError, type OptionTypes } from "@turnkit/transport";
import { checkSignal } from "./check-arguments.js";
import type { Client } from "./client.js";
import { insertedId, type LostPrompt, messageWith } from "./inserted-id.js";
import { createKeyEvidence, type KeyEvidence } from "./key-evidence.js";
import { isOutcomeUnknown, type OutcomeUnknownError } from "./outcome-unknown.js";
import type { Session } from "./session.js";
import type { Turn } from "./turn.js";

/** Options of {@link retryPrompt}. */
export type RetryPromptOptions = {
  /** Opens a new connection to the agent, once for each attempt. A connection that opens after an abort is closed. */
  readonly connect: () => Promise<Client>;
  /** Workspace of the session. @defaultValue the folders of the session, without MCP servers */
  readonly workspace?: SessionWorkspace;
  /** Agents that are known to use keys. Without it, no prompt is sent again. */
  readonly evidence?: KeyEvidence;
  /**
   * Sending of the prompt:
   *
   * - `auto`: the prompt is sent again if `evidence` has the agent, and the new connection sends keys.
   * - `ask`: the function only searches the replay for the prompt.
   * - `never`: nothing is done.
   *
   * @defaultValue `"auto"`
   */
  readonly promptRetry?: "auto" | "ask" | "never";
  /**
   * Ends the attempts immediately, even while a connection opens or a session is restored. A prompt that was sent
   * again, and that the agent has not answered, is cancelled; the outcome then follows the end of its turn.
   */
  readonly signal?: AbortSignal;
};

/**
 * Outcome of {@link retryPrompt}:
 *
 * - `sent`: the prompt was sent again with its key, and the agent has answered.
 * - `inserted`: the replay contains the prompt, so nothing was sent. It is recognised by its content, or by the id of
 *   the user message that the agent sent for it.
 * - `unknown`: nobody knows whether the agent has the prompt. Without a session, the new connection is closed, or there is
 *   none. `cause` is the error of the last connection, restore or sending that failed.
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
 * Finds out if the agent has a prompt whose answer was lost. It connects again, restores the session with a replay, and
 * sends the prompt again with its key. If the new connection sends no keys, or the agent is not known to use them, it
 * only searches the replay. A prompt that was sent without a key, or that was cancelled, is `unknown` immediately.
 *
 * There are at most three attempts, after 0.5, 2 and 8 s. An attempt is repeated if its connection failed, or if the agent
 * has not yet closed the session of the lost connection (`data.problem` is `"locked"`).
 *
 * A failure is the `cause` of the outcome. It does not reject the promise.
 *
 * @param session session of the lost connection
 * @param error error of the prompt's turn
 * @throws TypeError for an option of a wrong type, and for a `connect` that returns no client
 */
// P-RETRY-06
export async function retryPrompt(
  session: Session,
  error: OutcomeUnknownError,
  options: RetryPromptOptions,
): Promise<RetriedPrompt> {
  checkRetryOptions(options);
  const unknown = { status: "unknown", error } as const;
  const { submitted, idempotencyKey } = error;
  const entry = messageWith(idempotencyKey, session);
  const isWanted = options.promptRetry !== "never" && error.retry === "with-key";
  if (entry === undefined || submitted === undefined || !isWanted) return unknown;
  const lost = { entry, submitted, error };
  let outcome: RetriedPrompt = unknown;
  for (const ms of WAITS_MS) {
    if (!(await waited(ms, options.signal))) return outcome;
    const last = await attempt(session, lost, options);
    if (last === undefined) return outcome;
    if (!("failure" in last)) return last;
    outcome = { ...unknown, cause: last.failure };
  }
  return outcome;
}

/**
 * Prints options of a retry that do not exist.
 *
 * @throws TypeError for an option of another type
 */
function checkRetryOptions(options: RetryPromptOptions): void {
  const { connect, evidence } = options ?? {};
  const connecting =
    "pass { connect } with a function that opens a new connection, such as () => launch(command, options)";
  checkArgument(typeof connect === "function", "retryPrompt connect", { got: connect, remedy: connecting });
  const { honours, learn } = (evidence ?? {}) as { readonly honours?: unknown; readonly learn?: unknown };
  const isEvidence = evidence === undefined || (typeof honours === "function" && typeof learn === "function");
  const remedy = "pass the result of createKeyEvidence";
  checkArgument(isEvidence, "retryPrompt evidence", { got: evidence, remedy });
  checkSignal("retryPrompt", options);
  checkOptions("retryPrompt", options, RETRY);
}

const RETRY: OptionTypes<RetryPromptOptions> = {
  ...{ connect: "function", workspace: "any", evidence: "any", promptRetry: ["auto", "ask", "never"], signal: "any" },
};

/**
 * Makes one attempt. Returns a `failure` if another attempt may succeed, and `undefined` if the signal aborted before the
 * session was restored.
 */
async function attempt(
  session: Session,
  lost: LostPrompt & { readonly error: OutcomeUnknownError },
  { connect, workspace, evidence = createKeyEvidence(), promptRetry, signal }: RetryPromptOptions,
): Promise<RetriedPrompt | { readonly failure: unknown } | undefined> {
  const { error, submitted } = lost;
  const opened = await untilAborted(connect, signal, closeQuietly);
  if (opened === undefined || "failure" in opened) return opened;
  const client = opened.value;
  const isClient = typeof client?.restore === "function";
  checkArgument(isClient, "retryPrompt connect", { got: client, remedy: "return the client, the result of launch" });
  const [cwd = session.cwd, ...additionalDirectories] = session.roots;
  const restoring = async () => {
    const outcome = await client.restore(session.id, workspace ?? { cwd, additionalDirectories });
    if (outcome.status === "unavailable") throw outcome.error;
    return outcome.session;
  };
  const restored = await untilAborted(restoring, signal);
  if (restored === undefined) {
    void closeQuietly(client);
    return undefined;
  }
  if ("failure" in restored) {
    await closeQuietly(client);
    const { failure } = restored;
    const mayRepeat = isAcpError(failure, "connection_closed") || isLocked(failure);
    return mayRepeat ? restored : { status: "unknown", error, cause: failure };
  }
  const back = restored.value;
  const messageId = insertedId(session, back, lost);
  const isKeyed = client.sendsPromptKeys && evidence.honours(client.peer.info);
  const mayResend = isKeyed && promptRetry !== "ask" && signal?.aborted !== true;
  if (!mayResend) {
    if (messageId !== undefined) return { status: "inserted", client, session: back, messageId };
    return { status: "unknown", client, session: back, error };
  }
  const { idempotencyKey } = error;
  const { prompt, _meta } = submitted;
  let turn: Turn;
  try {
    turn = back.prompt(prompt, { ...(idempotencyKey !== undefined && { idempotencyKey }), ...(_meta && { _meta }) });
  } catch (cause) {
    // The agent may be another version, which accepts less.
    return { status: "unknown", client, session: back, error, cause };
  }
  const ended = turn.ended.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const cancel = () => void turn.cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  await turn.accepted;
  signal?.removeEventListener("abort", cancel);
  if (back.state.closed) {
    const failure = await ended;
    if (isOutcomeUnknown(failure)) return { failure };
  }
  const answered = messageWith(idempotencyKey, back)?.messageId;
  if (messageId !== undefined && answered === messageId) evidence.learn(client.peer.info);
  return { status: "sent", client, session: back, turn };
}

/** Returns `true` if the agent has not yet closed the session of the lost connection. */
function isLocked(failure: unknown): boolean {
  return isRpcError(failure) && (failure.data as { problem?: unknown } | undefined)?.problem === "locked";
}

/** Closes a client. The outcome of a retry does not depend on the close. */
async function closeQuietly(client: Client): Promise<void> {
  try {
    await client.close();
  } catch {}
}

/**
 * Returns the result of work. The promise also rejects if `work` itself throws. Returns `undefined` if the signal
 * aborts first. `late` then gets the value of the work.
 */
function untilAborted<T>(
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
  late?: (value: T) => void,
): Promise<{ readonly value: T } | { readonly failure: unknown } | undefined> {
  if (signal?.aborted) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const aborted = () => resolve(undefined);
    signal?.addEventListener("abort", aborted, { once: true });
    const done = () => signal?.removeEventListener("abort", aborted);
    const begun = (async () => work())();
    begun.finally(done).then(
      (value) => {
        if (signal?.aborted) late?.(value);
        resolve({ value });
      },
      (failure: unknown) => resolve({ failure }),
    );
  });
}

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
