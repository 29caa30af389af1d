import type { ElicitationField } from "@turnkit/session";

type FieldOf<T extends string> = Extract<ElicitationField, { type: T }>;

export type FieldChoice = { readonly value: string; readonly label: string };

/** Returns `true` if this program can ask for a field. Fields of unknown types are not asked for. */
export function isKnownField(field: ElicitationField): boolean {
  if (field.type === "array") return choicesOf(field).length > 0;
  return ["string", "number", "integer", "boolean"].includes(String(field.type));
}

/** Returns the choices of a field. The list is empty if the person types any text or number. */
export function choicesOf(field: ElicitationField): readonly FieldChoice[] {
  if (field.type === "boolean") return [true, false].map((is) => ({ value: String(is), label: is ? "yes" : "no" }));
  if (field.type === "string") return listed(field.enum, field.oneOf);
  if (field.type !== "array") return [];
  const { items } = field as FieldOf<"array">;
  return listed("enum" in items ? items.enum : undefined, "anyOf" in items ? items.anyOf : undefined);
}

function listed(values: FieldOf<"string">["enum"], titled: FieldOf<"string">["oneOf"]): readonly FieldChoice[] {
  if (titled != null) return titled.map((one) => ({ value: one.const, label: one.title }));
  return values?.map((value) => ({ value, label: value })) ?? [];
}

/**
 * Reads a typed line as the value of a field. Choices are typed as numbers, values or labels, with commas between them.
 * An invalid line is returned as text, which the validation of the form refuses.
 */
export function readField(field: ElicitationField, line: string): unknown {
  const choices = choicesOf(field);
  const choose = (typed: string): string => {
    const word = typed.trim().toLowerCase();
    const found =
      choices.find(
        ({ value, label }) => word === value.toLowerCase() || (label !== value && word === label.toLowerCase()),
      ) ?? choices[Number(word) - 1];
    return found?.value ?? typed.trim();
  };
  switch (field.type) {
    case "number":
    case "integer":
      return line.trim() === "" || Number.isNaN(Number(line)) ? line : Number(line);
    case "boolean": {
      const word = { y: "yes", n: "no" }[line.trim().toLowerCase()] ?? line;
      return choices.some(({ value }) => value === choose(word)) ? choose(word) === "true" : line;
    }
    case "array":
      return line.split(",").map(choose);
    default:
      return choices.length > 0 ? choose(line) : line;
  }
}

export function showField(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join(", ") : String(value);
}
