import { type Diagnostic, type InboundCall, RpcError } from "@turnkit/transport";
import type { QuestionKind } from "../pending-questions.js";
import type { Session } from "../session.js";
import type { SessionFeed } from "../session-feed.js";

/** Session as requests of the agent use it. */
export interface HostedSession extends Session {
  readonly feed: SessionFeed;
  /** Records inbound activity. */
  active(): void;
  /** Shows a question at receipt and puts it to its handler. Settles with the first decision. */
  ask<Q, A>(kind: QuestionKind<Q, A>, question: Q, call: InboundCall): Promise<A>;
  /**
   * Runs `work` once at the end of the session. `successor` is the restored session that takes its place. Returns the
   * function that removes the work.
   */
  onEnd(work: (successor?: HostedSession) => void): () => void;
}

/** Session of a request of the agent. */
export type HostSession = {
  readonly sessionId: string;
  /** Absolute folder; base of relative paths and first of the roots. */
  readonly cwd: string;
  /** Folder and additional directories: nothing outside may be touched. */
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
 * Starts a request handler in its place in the lane of the session. Later messages do not wait for its end. A call that
 * was withdrawn before its start is rejected.
 *
 * @param work receives the place for user code, and the present session: a restored one may have replaced `session`
 */
export function inLane<T>(
  session: HostedSession,
  call: InboundCall,
  work: (place: HostSession, present: HostedSession) => Promise<T>,
): Promise<T> {
  session.active();
  const { id: sessionId, cwd, roots } = session;
  let present = session;
  // Not `AbortSignal.any`: the signal of a session that lives for days would keep every call.
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
