/** An event of a session in a log. */
export type LoggedEvent = { readonly type: string };

/** Metadata of a session in a log. */
export type LoggedSession = {
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly title?: string | null;
  readonly updatedAt?: string | null;
};

/** A writer of one session of a {@link LogUnderTest}. */
export interface LogWriterUnderTest extends AsyncDisposable {
  append(event: LoggedEvent): unknown;
  commit(): Promise<void>;
}

/** The contract of `SessionLog` of `@turnkit/agent`. */
export interface LogUnderTest {
  open(sessionId: string, info?: LoggedSession): Promise<LogWriterUnderTest>;
  read(sessionId: string): AsyncIterable<LoggedEvent>;
  list(query: { readonly cwd?: string | null; readonly cursor?: string | null }): Promise<{
    readonly sessions: readonly LoggedSession[];
    readonly nextCursor?: string | null;
  }>;
  delete(sessionId: string): Promise<void>;
}

/** An implementation on an empty storage of its own. */
export type LogSubject = {
  readonly log: LogUnderTest;
  /** A second log on the same storage, like one that another process opened. The same log if the storage cannot be shared. */
  readonly other: LogUnderTest;
  /**
   * Number of sessions on one page of a list.
   *
   * @defaultValue 2
   */
  readonly pageSize?: number;
};

/** One promise of every log. `run` needs a storage of its own, and rejects with an `ExpectationError`. */
export type LogCase = { readonly title: string; run(subject: LogSubject): Promise<void> };

/** Functions of `@turnkit/agent` that the cases need, since this package does not depend on it. */
export interface LogTools {
  /** `compactEvents`. Two logs are equal if it returns the same events for both. */
  compact(events: AsyncIterable<LoggedEvent> | Iterable<LoggedEvent>): Promise<readonly object[]> | readonly object[];
}
