import { visibleText } from "../visible.js";
import { FieldControl, type FieldProps } from "./field-control.js";

/** Field of a form with its title, its description and its fault. */
export function FormField(props: FieldProps) {
  const { id, name, field, isRequired, fault } = props;
  const { title, description } = field as { readonly title?: string | null; readonly description?: string | null };
  const label = (
    <>
      <bdi>{visibleText(title ?? name)}</bdi>
      {isRequired ? <span className="quiet"> (required)</span> : null}
    </>
  );
  const isGroup = field.type === "array";
  const notes = (
    <div id={`${id}-notes`}>
      {description == null ? null : <p className="quiet">{visibleText(description)}</p>}
      {fault === undefined ? null : <p className="failure">{fault}</p>}
    </div>
  );
  return isGroup ? (
    <fieldset className="field" aria-describedby={`${id}-notes`}>
      <legend>{label}</legend>
      <FieldControl {...props} />
      {notes}
    </fieldset>
  ) : (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <FieldControl {...props} />
      {notes}
    </div>
  );
}
