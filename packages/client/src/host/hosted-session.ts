import { type Diagnostic, type InboundCall, RpcError } from "@turnkit/transport";
import type { QuestionKind } from "../pending-questions.js";
import { rootOf } from "../root-of.js";
import type { Session } from "../session.js";
import type { SessionFeed } from "../session-feed.js";

/** Session with the methods that requests of the agent use. */
export interface HostedSession extends Session {
  readonly feed: SessionFeed;
  /** Records inbound activity. */
  active(): void;
  /** Adds a question to the state at its receipt, then calls its handler. Settles with the first decision. */
  ask<Q, A>(kind: QuestionKind<Q, A>, question: Q, call: InboundCall): Promise<A>;
  /**
   * Runs `work` once at the end of the session. `successor` is the restored session that replaces this session. The
   * returned function removes `work`.
   */
  onEnd(work: (successor?: HostedSession) => void): () => void;
}

/** Session to which a request of the agent belongs. */
export type HostSession = {
  readonly sessionId: string;
  /**
   * Absolute path of the session's folder. Relative paths start there. It is the first root, unless a child session has
   * another folder.
   */
  readonly cwd: string;
  /**
   * Session's folder and its additional directories. A host must not access other files. A child session has the roots of
   * the session that announced it.
   */
  readonly roots: readonly string[];
  /** Aborts when the agent withdraws the request, the session closes, or the connection ends. */
  readonly signal: AbortSignal;
};

/** Part of a client that handlers of the agent's requests use. */
export type HandlerHost = {
  readonly sessions: {
    readonly all: readonly HostedSession[];
    /** @throws RpcError `-32002` for a session that this connection did not open */
    get(sessionId: string): HostedSession;
  };
  readonly report: (diagnostic: Diagnostic) => void;
};

/**
 * Starts the handler of a request at its place in the session's lane. Later messages do not wait for the end of the
 * handler. A request that is withdrawn before its handler starts is rejected.
 *
 * @param work receives the session's facts for user code, and the current session. After a restore, this is not
 *   `session`
 */
export function inLane<T>(
  session: HostedSession,
  call: InboundCall,
  work: (place: HostSession, present: HostedSession) => Promise<T>,
): Promise<T> {
  session.active();
  const { id: sessionId, cwd } = session;
  const { roots } = rootOf<Session>(session);
  let present = session;
  // `AbortSignal.any` would attach every call to the signal of the session, which may live for days.
  const controller = new AbortController();
  const abort = () => controller.abort(RpcError.requestCancelled());
  const ended = (successor?: HostedSession) => {
    if (successor === undefined) return abort();
    present = successor;
    forget = present.onEnd(ended);
  };
  let forget = session.onEnd(ended);
  call.signal.addEventListener("abort", abort, { once: true });
  const result = new Promise<T>((resolve, reject) => {
    session.feed.lane.begin(call.bytes, () => {
      if (controller.signal.aborted) reject(controller.signal.reason);
      else work({ sessionId, cwd, roots, signal: controller.signal }, present).then(resolve, reject);
    });
  });
  return result.finally(() => forget());
}
