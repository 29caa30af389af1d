import type { ElicitationAnswer, ElicitationForm } from "@turnkit/session";
import { checkFormAnswer, type FormContent, formDefaults } from "@turnkit/session/form";
import { type SubmitEvent, useId, useMemo, useState } from "react";
import { visibleText } from "../visible.js";
import { FormField } from "./form-field.js";
import { RefuseButtons } from "./refuse-buttons.js";

type FormProps = {
  readonly message: string;
  readonly form: ElicitationForm;
  readonly answer: (answer: ElicitationAnswer) => void;
};

/** Content typed into forms that are still open, by form. It outlives a lost connection, after which the form is asked again. */
const held = new Map<string, FormContent>();

/** Form of the agent. Nothing is sent before the person presses the button, and faults are shown beside their fields. */
export function FormQuestion({ message, form, answer }: FormProps) {
  const name = useMemo(() => JSON.stringify([message, form]), [message, form]);
  const [content, setContent] = useState<FormContent>(() => held.get(name) ?? formDefaults(form));
  const [isChecked, setChecked] = useState(false);
  const id = useId();
  const issues = isChecked ? checkFormAnswer(form, content) : [];
  const required = new Set(form.required ?? []);
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    if (checkFormAnswer(form, content).length === 0) settle({ action: "accept", content });
  };
  const settle: typeof answer = (outcome) => {
    held.delete(name);
    answer(outcome);
  };
  const set = (field: string, value: unknown) => {
    const { [field]: _, ...others } = content;
    const next = value === undefined ? others : { ...others, [field]: value };
    held.set(name, next);
    setContent(next);
  };
  return (
    <form className="asked-form" onSubmit={send} noValidate>
      <div className="covered">
        <p className="plain">{visibleText(message)}</p>
        {form.title == null ? null : <h4>{visibleText(form.title)}</h4>}
        {form.description == null ? null : <p className="plain">{visibleText(form.description)}</p>}
        {Object.entries(form.properties).map(([property, field]) => (
          <FormField
            key={property}
            id={`${id}-${property}`}
            name={property}
            field={field}
            value={Object.hasOwn(content, property) ? content[property] : undefined}
            isRequired={required.has(property)}
            fault={issues.find(({ path }) => path[0] === property)?.message}
            set={(value) => set(property, value)}
          />
        ))}
      </div>
      <div className="options">
        <button type="submit" data-kind="allow_once">
          Send
        </button>
        <RefuseButtons answer={settle} />
      </div>
    </form>
  );
}
