const MARK = Symbol.for("turnkit.error");

/**
 * Why an expectation was not met. `mismatch`: something else was said. `unexpected`: a request came that nobody
 * expected. `timeout`: nothing came in time. `closed`: the channel ended first. `invalid`: a frame breaks the contract.
 * `overflow`: more was said than is kept. `script`: the script itself makes no sense.
 */
export type ExpectationErrorCode = "mismatch" | "unexpected" | "timeout" | "closed" | "invalid" | "overflow" | "script";

/** What an {@link ExpectationError} is about; test runners draw a difference of the two. */
export type ExpectationDetails = { readonly expected?: unknown; readonly actual?: unknown; readonly cause?: unknown };

/**
 * An expectation of a test was not met. It is an ordinary error, so every test runner fails on it; those that draw
 * differences find `expected` and `actual`.
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

/** Whether `error` is an {@link ExpectationError}, of that code if one is given; also across copies of this package. */
export function isExpectationError(error: unknown, code?: ExpectationErrorCode): error is ExpectationError {
  return (
    error instanceof Error &&
    (error as { [MARK]?: unknown })[MARK] === "expectation" &&
    (code === undefined || (error as ExpectationError).code === code)
  );
}
