/** An event of a session as a log keeps it. */
export type LoggedEvent = { readonly type: string };

/** What a log knows of a session. */
export type LoggedSession = {
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly title?: string | null;
  readonly updatedAt?: string | null;
};

/** A session of a {@link LogUnderTest} that is open for writing. */
export interface LogWriterUnderTest extends AsyncDisposable {
  append(event: LoggedEvent): unknown;
  commit(): Promise<void>;
}

/** What a `SessionLog` of `@turnkit/agent` is, as far as its contract goes. */
export interface LogUnderTest {
  open(sessionId: string, info?: LoggedSession): Promise<LogWriterUnderTest>;
  read(sessionId: string): AsyncIterable<LoggedEvent>;
  list(query: { readonly cwd?: string | null; readonly cursor?: string | null }): Promise<{
    readonly sessions: readonly LoggedSession[];
    readonly nextCursor?: string | null;
  }>;
  delete(sessionId: string): Promise<void>;
}

/** One implementation, on an empty storage of its own. */
export type LogSubject = {
  readonly log: LogUnderTest;
  /** A second one on the same storage, as another process has it; the same one where nobody can share the storage. */
  readonly other: LogUnderTest;
  /** How many sessions are on one page of a list. 2 unless said otherwise. */
  readonly pageSize?: number;
};

/**
 * One thing that every log does; run each on a storage of its own. What does not hold rejects with an
 * `ExpectationError`.
 */
export type LogCase = { readonly title: string; run(subject: LogSubject): Promise<void> };

/** What the cases need of `@turnkit/agent`, on which this package does not stand. */
export interface LogTools {
  /** `compactEvents`: two logs tell the same if it makes the same of them. */
  compact(events: AsyncIterable<LoggedEvent> | Iterable<LoggedEvent>): Promise<readonly object[]> | readonly object[];
}
