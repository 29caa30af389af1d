import type { PromptOptions, Session, Turn, TurnEnd } from "@turnkit/client";
import { type ContentBlock, type ErrorObject, pendingQuestions, type SessionState } from "@turnkit/session";
import { useCallback, useMemo, useState } from "react";
import { checkSession } from "./check-arguments.js";
import { useSelector } from "./use-selector.js";

/**
 * Work of a session, for its prompt field and its buttons. Work that another client or the agent began counts too.
 *
 * - `ready`: nothing works.
 * - `sent`: the newest prompt of this hook is sent or waits, and the agent has not begun.
 * - `working`: the agent works.
 * - `asking`: the agent works, and a question waits for a person.
 * - `cancelling`: a cancel is sent, and the work has not ended.
 * - `closed`: the session has ended.
 */
export type TurnStatus = "ready" | "sent" | "working" | "asking" | "cancelling" | "closed";

/** Turns of a session: their status, and the functions that begin and cancel them. */
export type TurnControl = {
  readonly status: TurnStatus;
  /** Newest turn that `send` has begun. */
  readonly turn: Turn | undefined;
  /** End of `turn`. `undefined` until it has ended. */
  readonly end: TurnEnd | undefined;
  /** Failure of the newest prompt: refused by the client, ended by an error of the agent, or lost with the connection. */
  readonly error: Error | ErrorObject | undefined;
  /**
   * Sends a prompt, like `session.prompt`. Returns its turn. If the client refuses the prompt, returns `undefined`, and
   * `error` has the reason. The function stays the same for a session.
   */
  readonly send: (content: string | readonly ContentBlock[], options?: PromptOptions) => Turn | undefined;
  /**
   * Cancels the work of the session, like `session.cancel`, including work that this hook has not begun. The function stays
   * the same for a session.
   */
  readonly cancel: () => void;
};

/** Newest prompt of one component, and its outcome. */
type Sent = {
  readonly session: Session;
  readonly turn?: Turn;
  readonly end?: TurnEnd;
  readonly error?: Error | ErrorObject;
};

/**
 * Returns the status of a session's work, and the functions that send a prompt and cancel. The turn continues if the
 * component is unmounted; `status` then follows from the state of the session.
 *
 * @throws TypeError for a value that is not a session, such as `undefined` while there is none
 *
 * @example
 * const { status, error, send, cancel } = useTurn(session);
 */
export function useTurn(session: Session): TurnControl {
  checkSession("useTurn", session);
  const [newest, setNewest] = useState<Sent | undefined>();
  const sent = newest?.session === session ? newest : undefined;
  const isOpen = sent?.turn !== undefined && sent.end === undefined && sent.error === undefined;
  const work = useSelector(session, workOf);
  const send = useCallback<TurnControl["send"]>(
    (content, options) => {
      try {
        const turn = session.prompt(content, options);
        const ended = (outcome: Pick<Sent, "end" | "error">) =>
          setNewest((now) => (now?.turn === turn ? { session, turn, ...outcome } : now));
        setNewest({ session, turn });
        turn.ended.then(
          (end) => ended({ end, error: end.error }),
          (error) => ended({ error }),
        );
        return turn;
      } catch (error) {
        setNewest({ session, error: error as Error });
        return undefined;
      }
    },
    [session],
  );
  const cancel = useCallback(() => void session.cancel().catch((error) => setNewest({ session, error })), [session]);
  const status = isOpen && work === "ready" ? "sent" : work;
  return useMemo(
    () => ({ status, turn: sent?.turn, end: sent?.end, error: sent?.error, send, cancel }),
    [status, sent, send, cancel],
  );
}

/** Returns the work of a session as its state shows it. */
function workOf(state: SessionState): TurnStatus {
  if (state.closed) return "closed";
  if (state.activity.state === "idle") return "ready";
  if (state.cancelling) return "cancelling";
  const isAsking = state.activity.state === "requires_action" || pendingQuestions(state).length > 0;
  return isAsking ? "asking" : "working";
}
