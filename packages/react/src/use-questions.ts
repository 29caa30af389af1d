import type { PermissionDecision, Session } from "@turnkit/client";
import { type ElicitationAnswer, type PendingQuestion, pendingQuestions } from "@turnkit/session";
import { useMemo, useSyncExternalStore } from "react";
import { checkSession } from "./check-arguments.js";

/** Question that waits for a person, with the function that answers it. */
export type OpenQuestion = PendingQuestion & {
  /** Session that has the question: the given session, or a child session below it. */
  readonly session: Session;
  /**
   * Answers the question, like `session.answer`.
   *
   * @throws the errors of `session.answer`
   */
  readonly answer: (decision: PermissionDecision | ElicitationAnswer) => void;
};

/**
 * Returns the questions of a session and of all child sessions below it, the session's own first. A question stays the
 * same object until it or its tool call changes. The list stays the same until one of its questions changes.
 *
 * @throws TypeError for a value that is not a session, such as `undefined` while there is none
 *
 * @example
 * const questions = useQuestions(session);
 */
export function useQuestions(session: Session): readonly OpenQuestion[] {
  checkSession("useQuestions", session);
  const [subscribe, read] = useMemo(() => {
    let last: readonly OpenQuestion[] = [];
    const known: Known = new WeakMap();
    const readAll = () => {
      const now = treeOf(session).flatMap((one) => pendingQuestions(one.state).map((each) => opened(each, one, known)));
      if (now.length !== last.length || now.some((each, index) => each !== last[index])) last = now;
      return last;
    };
    return [(draw: () => void) => watchTree(session, draw), readAll] as const;
  }, [session]);
  return useSyncExternalStore(subscribe, read, read);
}

/** Last result for each question of a state. */
type Known = WeakMap<PendingQuestion["question"], OpenQuestion>;

function opened(pending: PendingQuestion, session: Session, known: Known): OpenQuestion {
  const { question, toolCall } = pending;
  const before = known.get(question);
  if (before !== undefined && before.toolCall === toolCall && before.session === session) return before;
  const now: OpenQuestion = { ...pending, session, answer: (decision) => session.answer(question.requestId, decision) };
  known.set(question, now);
  return now;
}

/** Returns a session and all sessions below it. */
function treeOf(session: Session): readonly Session[] {
  return [session, ...session.children.flatMap(treeOf)];
}

/** Calls a function after each change in a tree of sessions, child sessions that begin later included. */
function watchTree(session: Session, changed: () => void): () => void {
  const stops: (() => void)[] = [];
  const watch = (one: Session): void => {
    const begun = (child: Session) => {
      watch(child);
      changed();
    };
    stops.push(one.subscribe(changed), one.onChild(begun));
    one.children.forEach(watch);
  };
  watch(session);
  return () => {
    for (const stop of stops) stop();
  };
}
