import type { OpenQuestion } from "@turnkit/react";
import { useEffect, useId, useRef } from "react";
import { FormQuestion } from "./form-question.js";
import { PermissionQuestion } from "./permission-question.js";
import { UrlQuestion } from "./url-question.js";

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
    // The dialog, and not an option: the next key must not decide.
    if (!isWriting) dialog.current?.focus();
  }, []);
  const from = asked.session.parent === undefined ? "" : ` of ${asked.session.titles.at(-1) ?? "a subagent"}`;
  return (
    <section className="question" role="alertdialog" aria-labelledby={label} tabIndex={-1} ref={dialog}>
      <h3 id={label}>
        Question{from}
        {count > 1 ? ` (1 of ${count})` : ""}
      </h3>
      <Body asked={asked} />
    </section>
  );
}

function Body({ asked }: { readonly asked: OpenQuestion }) {
  if (asked.type === "permission") return <PermissionQuestion asked={asked} />;
  const { question, answer } = asked;
  if (question.mode === "form" && "requestedSchema" in question) {
    return <FormQuestion message={question.message} form={question.requestedSchema} answer={answer} />;
  }
  if (question.mode === "url" && "url" in question) return <UrlQuestion question={question} answer={answer} />;
  return (
    <>
      <p>{question.message}</p>
      <button type="button" onClick={() => answer({ action: "decline" })}>
        Decline
      </button>
    </>
  );
}
