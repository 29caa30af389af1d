/** The user's mistake, told in one sentence; ends the program with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  /** Makes one of an error of `parseArgs`, whose message goes on with advice about "--" that does not fit here. */
  static from(error: unknown): UsageError {
    const message = error instanceof Error ? error.message : String(error);
    return new UsageError(`${message.split(/\. |\n/)[0]?.replace(/\.$/, "")}.`);
  }
}
