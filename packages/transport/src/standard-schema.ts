/**
 * The common interface of validation libraries (Standard Schema, version 1), so that any of them may describe a
 * method. Only synchronous validators are used.
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

/** What a validator made of a value: the value as it is to be read, or what is wrong with it. */
export type Checked<T> =
  | { readonly value: T }
  | { readonly issues: readonly { path: PropertyKey[]; message: string }[] };

/** Reads a value that came from the peer; what the schema salvages is fine. */
export function checkIncoming<T>(schema: StandardSchemaV1<unknown, T>, value: unknown): Checked<T> {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) return { issues: [{ path: [], message: "the validator is asynchronous" }] };
  return result.issues === undefined ? result : { issues: result.issues.map(flatten) };
}

/** Checks a value that is about to be sent; a value that a reader would have to salvage is wrong. */
export function checkOutgoing(schema: StandardSchemaV1, value: unknown): Checked<unknown> {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) return { issues: [{ path: [], message: "the validator is asynchronous" }] };
  const issues = result.issues ?? result.salvaged;
  return issues === undefined || issues.length === 0 ? { value } : { issues: issues.map(flatten) };
}

function flatten(issue: StandardIssue): { path: PropertyKey[]; message: string } {
  const path = (issue.path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  return { path, message: issue.message };
}
