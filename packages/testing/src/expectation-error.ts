const MARK = Symbol.for("turnkit.error");

/**
 * Kind of a failed expectation.
 *
 * - `mismatch`: another message arrived.
 * - `unexpected`: an unexpected request arrived.
 * - `timeout`: no message arrived in time.
 * - `closed`: the channel ended first.
 * - `invalid`: a frame breaks the contract.
 * - `overflow`: there were more messages than the limit.
 * - `script`: the script itself is wrong.
 */
export type ExpectationErrorCode = "mismatch" | "unexpected" | "timeout" | "closed" | "invalid" | "overflow" | "script";

/** Details of an {@link ExpectationError}. Test runners show the difference of `expected` and `actual`. */
export type ExpectationDetails = { readonly expected?: unknown; readonly actual?: unknown; readonly cause?: unknown };

/**
 * A failed expectation of a test. Every test runner fails on it. Runners that show differences use `expected` and
 * `actual`.
 */
export class ExpectationError extends Error {
  readonly [MARK] = "expectation";
  readonly code: ExpectationErrorCode;
  readonly expected?: unknown;
  readonly actual?: unknown;

  constructor(code: ExpectationErrorCode, message: string, details: ExpectationDetails = {}) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.name = "ExpectationError";
    this.code = code;
    if ("expected" in details) this.expected = details.expected;
    if ("actual" in details) this.actual = details.actual;
  }
}

/** Returns true if `error` is an {@link ExpectationError} of any copy of this package, with the code if one is given. */
export function isExpectationError(error: unknown, code?: ExpectationErrorCode): error is ExpectationError {
  return (
    error instanceof Error &&
    (error as { [MARK]?: unknown })[MARK] === "expectation" &&
    (code === undefined || (error as ExpectationError).code === code)
  );
}
