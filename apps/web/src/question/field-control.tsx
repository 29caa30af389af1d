import type { ElicitationField } from "@turnkit/session";
import { visibleText } from "../visible.js";

/** Field of a form, with its value and its fault. */
export type FieldProps = {
  readonly id: string;
  readonly name: string;
  readonly field: ElicitationField;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly fault: string | undefined;
  /** Sets the value. `undefined` leaves the field out of the answer. */
  readonly set: (value: unknown) => void;
};

type Choice = { readonly value: string; readonly title: string };
type Of<T extends string> = Extract<ElicitationField, { type: T }>;

/** Control of a field. A field of an unknown type has no control, because any control would show a wrong type. */
export function FieldControl(props: FieldProps) {
  const { field } = props;
  switch (field.type) {
    case "string":
      return <TextControl {...props} field={field as Of<"string">} />;
    case "number":
    case "integer":
      return <NumberControl {...props} />;
    case "boolean":
      return <BooleanControl {...props} />;
    case "array":
      return <ManyControl {...props} field={field as Of<"array">} />;
    default:
      return <p className="quiet">This page cannot show the field.</p>;
  }
}

const common = ({ id, fault, isRequired }: FieldProps) => ({
  id,
  "aria-describedby": `${id}-notes`,
  "aria-invalid": fault !== undefined,
  "aria-required": isRequired,
});

function TextControl(props: FieldProps & { readonly field: Of<"string"> }) {
  const { field, value, set } = props;
  const choices: readonly Choice[] | undefined =
    field.oneOf?.map((one) => ({ value: one.const, title: one.title })) ??
    field.enum?.map((one) => ({ value: one, title: one }));
  if (choices === undefined) {
    const type = { email: "email", uri: "url", date: "date" }[field.format as string] ?? "text";
    return (
      <input
        {...common(props)}
        type={type}
        dir="auto"
        value={typeof value === "string" ? value : ""}
        onChange={({ target }) => set(target.value === "" ? undefined : target.value)}
      />
    );
  }
  const at = choices.findIndex((one) => one.value === value);
  // Values are positions, because an empty text may be one of the choices.
  return (
    <select
      {...common(props)}
      value={at < 0 ? "" : `${at}`}
      onChange={({ target }) => set(choices[Number(target.value || -1)]?.value)}
    >
      <option value="">–</option>
      {choices.map((one, index) => (
        <option key={one.value} value={`${index}`}>
          {visibleText(one.title)}
        </option>
      ))}
    </select>
  );
}

function NumberControl(props: FieldProps) {
  const { value, set, field } = props;
  return (
    <input
      {...common(props)}
      type="number"
      step={field.type === "integer" ? 1 : "any"}
      value={typeof value === "number" ? value : ""}
      onChange={({ target }) => set(target.value === "" ? undefined : target.valueAsNumber)}
    />
  );
}

function BooleanControl(props: FieldProps) {
  const { value, set } = props;
  return (
    <input {...common(props)} type="checkbox" checked={value === true} onChange={({ target }) => set(target.checked)} />
  );
}

function ManyControl({ id, field, value, set }: FieldProps & { readonly field: Of<"array"> }) {
  const { items } = field;
  const choices: readonly Choice[] =
    "anyOf" in items
      ? items.anyOf.map((one) => ({ value: one.const, title: one.title }))
      : "enum" in items
        ? items.enum.map((one) => ({ value: one, title: one }))
        : [];
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  const toggle = (one: string, isOn: boolean) =>
    set(choices.map((each) => each.value).filter((each) => (each === one ? isOn : chosen.includes(each))));
  return choices.map(({ value: one, title }, index) => (
    <label key={one} htmlFor={`${id}-${index}`}>
      <input
        id={`${id}-${index}`}
        type="checkbox"
        checked={chosen.includes(one)}
        onChange={({ target }) => toggle(one, target.checked)}
      />{" "}
      {visibleText(title)}
    </label>
  ));
}
