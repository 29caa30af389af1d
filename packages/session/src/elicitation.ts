import type { Meta, UnknownTag } from "./content.js";

/** One of the values of a field, with its label. */
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

/** One field of a form. Do not draw a field of an unknown type as a known one. */
export type ElicitationField =
  | (FieldBase & {
      readonly type: "string";
      readonly minLength?: number | null;
      readonly maxLength?: number | null;
      /** ECMA-262 syntax; run it with bounded time. */
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

/** A flat form. */
export type ElicitationForm = {
  readonly type: "object";
  readonly properties: { readonly [name: string]: ElicitationField };
  readonly required?: readonly string[] | null;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly _meta?: Meta | null;
};

/** Question of the agent to the person: a form to fill in, or a task at a URL. */
export type ElicitationQuestion = { readonly message: string; readonly _meta?: Meta | null } & (
  | { readonly mode: "form"; readonly requestedSchema: ElicitationForm }
  | { readonly mode: "url"; readonly elicitationId: string; readonly url: string }
  | { readonly mode: UnknownTag }
);

/** Scope of a question: a session, or a request outside of one. */
export type ElicitationScope =
  | { readonly sessionId: string; readonly toolCallId?: string | null }
  | { readonly requestId: string | number | null };

/**
 * Answer of the person. For a URL, `accept` is only the consent to open it; `elicitation_completed` reports that the
 * task is done.
 */
export type ElicitationAnswer = { readonly _meta?: Meta | null } & (
  | { readonly action: "accept"; readonly content?: { readonly [name: string]: unknown } | null }
  | { readonly action: "decline" | "cancel" }
);
