import type { PermissionRequest } from "@turnkit/client";
import type { AskedAbout } from "@turnkit/client/broker";
import type { OpenQuestion } from "../child-sessions.js";

/** Permission questions that the broker has left to the person. */
export type AskedQuestions = ReturnType<typeof createAskedQuestions>;

/**
 * Creates the list of the permission questions that the person has to answer. A question that a rule or a remembered
 * decision answers is in the state of its session for a moment, but not in this list.
 */
export function createAskedQuestions() {
  const known = new Map<string, AskedAbout["always"]>();
  let changed = () => {};
  return {
    /** Takes a question from the broker. The question stays in the state of its session until it is answered. */
    ask({ requestId }: PermissionRequest, signal: AbortSignal, { always }: AskedAbout): "wait" {
      if (signal.aborted) return "wait";
      known.set(requestId, always);
      signal.addEventListener("abort", () => known.delete(requestId), { once: true });
      changed();
      return "wait";
    },
    /** Returns the questions without the permission questions that are not for the person. */
    visible(questions: readonly OpenQuestion[]): readonly OpenQuestion[] {
      return questions.filter(({ type, question }) => type !== "permission" || known.has(question.requestId));
    },
    /** Returns the scope of a permanent answer, if the broker would remember it. */
    always: (requestId: string): AskedAbout["always"] => known.get(requestId),
    /** Sets the function that is called after each new question. */
    onChange(listener: () => void): void {
      changed = listener;
    },
  };
}

/**
 * Creates a function that returns questions in the order in which it first got them. A new question of the tree of
 * sessions is therefore never before the one that the person reads.
 */
export function createQuestionOrder() {
  let known = new Map<string, number>();
  let last = 0;
  const numberOf = ({ question: { requestId } }: OpenQuestion): number => {
    const number = known.get(requestId);
    if (number !== undefined) return number;
    last += 1;
    return last;
  };
  return (questions: readonly OpenQuestion[]): readonly OpenQuestion[] => {
    known = new Map(questions.map((one) => [one.question.requestId, numberOf(one)]));
    return questions.toSorted((one, other) => numberOf(one) - numberOf(other));
  };
}
