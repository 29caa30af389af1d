import type { Issue } from "./errors.js";

/**
 * Common interface of validation libraries (Standard Schema, version 1). Schemas of all these libraries can describe a
 * method. Only synchronous validators are supported.
 */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

type StandardIssue = {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
};

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined; readonly salvaged?: readonly StandardIssue[] | undefined }
  | { readonly issues: readonly StandardIssue[] };

/** Result of a check: the value that the validator returned, or the issues. */
export type Checked<T> = { readonly value: T } | { readonly issues: readonly Issue[] };

/** Message of the issue of an asynchronous validator. */
export const ASYNCHRONOUS = "the validator is asynchronous";

/** Validates and reads a value from the peer. If the schema can correct the value, it counts as valid. */
export function checkIncoming<T>(schema: StandardSchemaV1<unknown, T>, value: unknown): Checked<T> {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) return { issues: [{ path: [], message: ASYNCHRONOUS }] };
  if (result.issues !== undefined) return { issues: result.issues.map(flatten) };
  if (!("issues" in result)) return result;
  const { issues: _, ...rest } = result;
  return rest;
}

/** Validates a value before it is sent. If a reader would have to correct the value, it counts as invalid. */
export function checkOutgoing(schema: StandardSchemaV1, value: unknown): Checked<unknown> {
  const checked = checkIncoming(schema, value) as Checked<unknown> & { readonly salvaged?: readonly StandardIssue[] };
  return checked.salvaged?.length ? { issues: checked.salvaged.map(flatten) } : checked;
}

function flatten(issue: StandardIssue): Issue {
  const path = (issue.path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  return { path, message: issue.message };
}
