import type { OpenQuestion } from "../child-sessions.js";

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
