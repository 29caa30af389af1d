const MARK = Symbol.for("turnkit.error");

/**
 * Kind of a failed expectation.
 *
 * - `mismatch`: another message arrived.
 * - `unexpected`: an unexpected request arrived.
 * - `timeout`: no message arrived in time.
 * - `closed`: the channel ended before the expected message.
 * - `invalid`: a frame breaks the contract.
 * - `overflow`: more messages arrived than the limit allows.
 * - `script`: the script contains a mistake.
 */
export type ExpectationErrorCode = "mismatch" | "unexpected" | "timeout" | "closed" | "invalid" | "overflow" | "script";

/** Details of an {@link ExpectationError}. Test runners show the difference of `expected` and `actual`. */
export type ExpectationDetails = { readonly expected?: unknown; readonly actual?: unknown; readonly cause?: unknown };

/**
 * Failed expectation of a test. The error fails the test in every test runner. Many runners show the difference between
 * `expected` and `actual`.
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

/**
 * Returns true if `error` is an {@link ExpectationError} of any copy of this package. With `code`, returns true only for
 * that code.
 */
export function isExpectationError(error: unknown, code?: ExpectationErrorCode): error is ExpectationError {
  return (
    error instanceof Error &&
    (error as { [MARK]?: unknown })[MARK] === "expectation" &&
    (code === undefined || (error as ExpectationError).code === code)
  );
}
