/** Event of a session in a log. */
export type LoggedEvent = { readonly type: string };

/** Metadata of a session in a log. */
export type LoggedSession = {
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly title?: string | null;
  readonly updatedAt?: string | null;
};

/** Writer of one session of a {@link LogUnderTest}. */
export interface LogWriterUnderTest extends AsyncDisposable {
  append(event: LoggedEvent): unknown;
  commit(): Promise<void>;
}

/** Contract of `SessionLog` of `@turnkit/agent`. */
export interface LogUnderTest {
  open(sessionId: string, info?: LoggedSession): Promise<LogWriterUnderTest>;
  read(sessionId: string): AsyncIterable<LoggedEvent>;
  list(query: { readonly cwd?: string | null; readonly cursor?: string | null }): Promise<{
    readonly sessions: readonly LoggedSession[];
    readonly nextCursor?: string | null;
  }>;
  delete(sessionId: string): Promise<void>;
}

/** Log to test. Each test case needs its own empty storage. */
export type LogSubject = {
  readonly log: LogUnderTest;
  /**
   * Second log on the same storage, as another process would open it. If the storage cannot be shared, pass the same log.
   */
  readonly other: LogUnderTest;
  /**
   * Number of sessions on each page of a list.
   *
   * @defaultValue 2
   */
  readonly pageSize?: number;
};

/** Test case for one promise of every log. `run` needs its own empty storage, and rejects with an `ExpectationError`. */
export type LogCase = { readonly title: string; run(subject: LogSubject): Promise<void> };

/**
 * Functions of `@turnkit/agent` that the cases need. The caller passes them, because this package does not depend on
 * `@turnkit/agent`.
 */
export interface LogTools {
  /** Function `compactEvents`. Two logs are equal if it returns the same events for both logs. */
  compact(events: AsyncIterable<LoggedEvent> | Iterable<LoggedEvent>): Promise<readonly object[]> | readonly object[];
}
