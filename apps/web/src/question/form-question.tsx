import type { ElicitationAnswer, ElicitationForm } from "@turnkit/session";
import { checkFormAnswer, type FormContent, formDefaults } from "@turnkit/session/form";
import { type SubmitEvent, useId, useState } from "react";
import { visibleText } from "../visible.js";
import { FormField } from "./form-field.js";
import { RefuseButtons } from "./refuse-buttons.js";

type FormProps = {
  readonly message: string;
  readonly form: ElicitationForm;
  readonly answer: (answer: ElicitationAnswer) => void;
};

/** Form of the agent. Nothing is sent before the person presses the button, and faults are shown beside their fields. */
export function FormQuestion({ message, form, answer }: FormProps) {
  const [content, setContent] = useState<FormContent>(() => formDefaults(form));
  const [isChecked, setChecked] = useState(false);
  const id = useId();
  const issues = isChecked ? checkFormAnswer(form, content) : [];
  const required = new Set(form.required ?? []);
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    if (checkFormAnswer(form, content).length === 0) answer({ action: "accept", content });
  };
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...others } = content;
    setContent(value === undefined ? others : { ...others, [name]: value });
  };
  return (
    <form className="asked-form" onSubmit={send} noValidate>
      <div className="covered">
        <p className="plain">{visibleText(message)}</p>
        {form.title == null ? null : <h4>{visibleText(form.title)}</h4>}
        {form.description == null ? null : <p className="plain">{visibleText(form.description)}</p>}
        {Object.entries(form.properties).map(([name, field]) => (
          <FormField
            key={name}
            id={`${id}-${name}`}
            name={name}
            field={field}
            value={Object.hasOwn(content, name) ? content[name] : undefined}
            isRequired={required.has(name)}
            fault={issues.find(({ path }) => path[0] === name)?.message}
            set={(value) => set(name, value)}
          />
        ))}
      </div>
      <div className="options">
        <button type="submit" data-kind="allow_once">
          Send
        </button>
        <RefuseButtons answer={answer} />
      </div>
    </form>
  );
}
