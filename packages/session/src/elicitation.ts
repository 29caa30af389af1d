import type { Meta, UnknownTag } from "./content.js";

/** Value that a person can choose for a field, with its label. */
export type ElicitationChoice = {
  readonly const: string;
  readonly title: string;
  readonly description?: string | null;
  readonly _meta?: Meta | null;
};

type FieldBase = {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly _meta?: Meta | null;
};

type NumberField<T extends string> = FieldBase & {
  readonly type: T;
  readonly minimum?: number | null;
  readonly maximum?: number | null;
  readonly default?: number | null;
};

/** Field of a form. Never show a field of an unknown type in the form of a known type. */
export type ElicitationField =
  | (FieldBase & {
      readonly type: "string";
      readonly minLength?: number | null;
      readonly maxLength?: number | null;
      /** Pattern in the syntax of ECMA-262. Limit the time for which it runs, because it comes from the agent. */
      readonly pattern?: string | null;
      readonly format?: "email" | "uri" | "date" | "date-time" | UnknownTag | null;
      readonly enum?: readonly string[] | null;
      readonly oneOf?: readonly ElicitationChoice[] | null;
      readonly default?: string | null;
    })
  | NumberField<"number">
  | NumberField<"integer">
  | (FieldBase & { readonly type: "boolean"; readonly default?: boolean | null })
  | (FieldBase & {
      readonly type: "array";
      readonly items:
        | { readonly type: "string"; readonly enum: readonly string[]; readonly _meta?: Meta | null }
        | { readonly anyOf: readonly ElicitationChoice[]; readonly _meta?: Meta | null }
        | { readonly type: UnknownTag };
      readonly minItems?: number | null;
      readonly maxItems?: number | null;
      readonly default?: readonly string[] | null;
    })
  | { readonly type: UnknownTag };

/** Form without nested fields. */
export type ElicitationForm = {
  readonly type: "object";
  readonly properties: { readonly [name: string]: ElicitationField };
  readonly required?: readonly string[] | null;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly _meta?: Meta | null;
};

/** Question of the agent for a person: a form to fill in, or a task at a URL. */
export type ElicitationQuestion = { readonly message: string; readonly _meta?: Meta | null } & (
  | { readonly mode: "form"; readonly requestedSchema: ElicitationForm }
  | { readonly mode: "url"; readonly elicitationId: string; readonly url: string }
  | { readonly mode: UnknownTag }
);

/** Scope of a question: a session, or a request outside of a session. */
export type ElicitationScope =
  | { readonly sessionId: string; readonly toolCallId?: string | null }
  | { readonly requestId: string | number | null };

/**
 * Answer of the person. For a URL, `accept` means only that the person agrees to open it. `elicitation_completed`
 * reports that the task is done.
 */
export type ElicitationAnswer = { readonly _meta?: Meta | null } & (
  | { readonly action: "accept"; readonly content?: { readonly [name: string]: unknown } | null }
  | { readonly action: "decline" | "cancel" }
);
