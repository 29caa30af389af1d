import type { OpenQuestion } from "@turnkit/react";
import { lazy, Suspense, useEffect, useId, useRef } from "react";
import { visibleText } from "../visible.js";
import { PermissionQuestion } from "./permission-question.js";

// The code for forms is loaded later.
const ElicitationQuestion = lazy(async () => ({
  default: (await import("./elicitation-question.js")).ElicitationQuestion,
}));

type QuestionProps = {
  readonly asked: OpenQuestion;
  /** Number of open questions. */
  readonly count: number;
};

/** Dialog with one question of the agent. It takes the focus, unless the person is writing. */
export function QuestionView({ asked, count }: QuestionProps) {
  const label = useId();
  const dialog = useRef<HTMLElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    const isWriting = activeElement instanceof HTMLTextAreaElement && activeElement.value !== "";
    // The dialog gets the focus, and not an option, because the next key must not decide.
    if (!isWriting) dialog.current?.focus();
  }, []);
  const text = visibleText(asked.type === "permission" ? asked.question.title : asked.question.message);
  const from = asked.session.parent === undefined ? "" : ` of ${asked.session.titles.at(-1) ?? "a subagent"}`;
  return (
    <section
      className="question"
      role="alertdialog"
      aria-labelledby={label}
      // A screen reader says it when the dialog gets the focus.
      aria-description={text}
      tabIndex={-1}
      ref={dialog}
    >
      <h3 id={label}>
        Question{from}
        {count > 1 ? ` (1 of ${count})` : ""}
      </h3>
      {asked.type === "permission" ? (
        <PermissionQuestion asked={asked} />
      ) : (
        <Suspense fallback={<p>{text}</p>}>
          <ElicitationQuestion asked={asked} />
        </Suspense>
      )}
    </section>
  );
}
