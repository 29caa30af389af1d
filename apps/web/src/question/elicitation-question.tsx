import type { OpenQuestion } from "@turnkit/react";
import { visibleText } from "../visible.js";
import { FormQuestion } from "./form-question.js";
import { UrlQuestion } from "./url-question.js";

/** Form or address that the agent asks a person for. A question of an unknown kind can only be declined. */
export function ElicitationQuestion({ asked }: { readonly asked: Extract<OpenQuestion, { type: "elicitation" }> }) {
  const { question, answer } = asked;
  if (question.mode === "form" && "requestedSchema" in question) {
    return <FormQuestion message={question.message} form={question.requestedSchema} answer={answer} />;
  }
  if (question.mode === "url" && "url" in question) return <UrlQuestion question={question} answer={answer} />;
  return (
    <>
      <p>{visibleText(question.message)}</p>
      <button type="button" onClick={() => answer({ action: "decline" })}>
        Decline
      </button>
    </>
  );
}
