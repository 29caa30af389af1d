import { checkOption } from "../check-option.js";
import type { ElicitationField, ElicitationForm } from "../elicitation.js";
import { matchesPattern, type PatternBudget } from "./form-pattern.js";

/** Content of a filled form, by the names of the fields. */
export type FormContent = { readonly [name: string]: unknown };

/** Fault of an answer. `path` contains the name of the field. */
export type FormIssue = { readonly path: readonly [string]; readonly message: string };

type FieldOf<T extends string> = Extract<ElicitationField, { type: T }>;
type Check = (field: never, value: unknown, budget: PatternBudget) => string | undefined;

/** Maximum number of steps for the patterns of one form. They take about 0.1 s. */
const PATTERN_STEPS = 1_000_000;

/** Returns the default content of a form. A user interface shows it, and the person may change it. */
export function formDefaults(form: ElicitationForm): FormContent {
  checkForm("formDefaults", form);
  const known = Object.entries(form.properties ?? {}) as [string, { readonly default?: unknown }][];
  return Object.fromEntries(known.flatMap(([name, field]) => (field.default == null ? [] : [[name, field.default]])));
}

/**
 * Returns the faults of an answer to a form, or an empty list. The sender and the receiver of an answer can both call
 * it. Lengths count characters (code points), and bounds are inclusive.
 *
 * Members that are not in the form, fields of unknown types, and unknown formats are accepted. A value is also accepted
 * if its pattern cannot run in limited time, because patterns come from the other side.
 */
export function checkFormAnswer(form: ElicitationForm, content: FormContent): readonly FormIssue[] {
  checkForm("checkFormAnswer", form, content);
  const budget = { steps: PATTERN_STEPS };
  const has = (name: string) => Object.hasOwn(content, name) && content[name] !== undefined;
  const missing = (form.required ?? []).filter((name) => !has(name));
  const wrong = Object.entries(form.properties ?? {}).flatMap(([name, field]): FormIssue[] => {
    const check =
      has(name) && Object.hasOwn(checks, field.type) ? checks[field.type as keyof typeof checks] : undefined;
    const message = (check as Check | undefined)?.(field as never, content[name], budget);
    return message === undefined ? [] : [{ path: [name], message }];
  });
  return [...missing.map((name): FormIssue => ({ path: [name], message: "an answer is required" })), ...wrong];
}

/**
 * Checks that the form is the first argument. Without it, every answer would fit.
 *
 * @throws TypeError for a question in place of its form, and for an answer in place of the form
 */
function checkForm(call: string, form: ElicitationForm, content?: FormContent): void {
  const isQuestion = "requestedSchema" in form;
  checkOption(!isQuestion, call, "a question", "question.requestedSchema");
  const isSwapped =
    form.properties === undefined && content?.type === "object" && typeof content.properties === "object";
  checkOption(!isSwapped, call, "an answer", "the form, then the answer");
}

const checks = {
  string(field: FieldOf<"string">, value: unknown, budget: PatternBudget) {
    if (typeof value !== "string") return "expected text";
    const choices = field.enum ?? field.oneOf?.map((choice) => choice.const);
    if (choices != null && !choices.includes(value)) return `expected one of ${choices.join(", ")}`;
    const wrongLength = outside([...value].length, field.minLength, field.maxLength, " characters");
    if (wrongLength !== undefined) return wrongLength;
    const isOf = Object.hasOwn(formats, String(field.format)) ? formats[String(field.format)] : undefined;
    if (isOf?.(value) === false) return `expected the format ${field.format}`;
    if (field.pattern == null || matchesPattern(field.pattern, value, budget) !== false) return undefined;
    return `expected text that fits ${field.pattern}`;
  },
  number(field: Pick<FieldOf<"number">, "minimum" | "maximum">, value: unknown): string | undefined {
    if (typeof value !== "number" || !Number.isFinite(value)) return "expected a number";
    return outside(value, field.minimum, field.maximum);
  },
  integer(field: FieldOf<"integer">, value: unknown): string | undefined {
    return Number.isInteger(value) ? checks.number(field, value) : "expected a whole number";
  },
  boolean: (_: FieldOf<"boolean">, value: unknown) => (typeof value === "boolean" ? undefined : "expected yes or no"),
  array(field: FieldOf<"array">, value: unknown) {
    if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) return "expected a list of texts";
    const choices = choicesOf(field.items);
    if (value.some((item) => choices?.includes(item) === false)) return `expected only ${choices?.join(", ")}`;
    return outside(value.length, field.minItems, field.maxItems, " of them");
  },
} satisfies Record<string, Check>;

/** Returns the fault of a number or count that is outside of its bounds. */
function outside(value: number, least?: number | null, most?: number | null, of = ""): string | undefined {
  if (value < (least ?? value)) return `expected at least ${least}${of}`;
  return value > (most ?? value) ? `expected at most ${most}${of}` : undefined;
}

/** Returns the choices of a field, or `undefined` if its items have an unknown type. */
function choicesOf(items: FieldOf<"array">["items"]): readonly string[] | undefined {
  if ("anyOf" in items) return items.anyOf.map((choice) => choice.const);
  return "enum" in items ? items.enum : undefined;
}

/** Returns `true` for a day that exists. `Date` would accept the 30th of February as another day. */
const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/u.test(text) && new Date(text).toJSON()?.startsWith(text) === true;

const TIME = /^[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/u;

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/u.test(text),
  uri: (text) => /^[a-z][a-z\d+.-]*:\S*$/iu.test(text),
  date: isDate,
  "date-time": (text) => isDate(text.slice(0, 10)) && TIME.test(text.slice(10)),
};
