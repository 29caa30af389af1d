type Awaitable<T> = T | Promise<T>;

/** The session on whose behalf an agent asks. */
export type HostSession = {
  readonly sessionId: string;
  /** Absolute; base of relative paths and first of the roots. */
  readonly cwd: string;
  /** `cwd` and the additional directories: nothing outside may be touched. */
  readonly roots: readonly string[];
  /** Fires when the agent withdraws the request, the session closes, or the connection ends. */
  readonly signal: AbortSignal;
};

/** What an agent wants to read. */
export type ReadTextFile = {
  /** Absolute. */
  readonly path: string;
  /** First line, 1-based; 0 reads as 1. */
  readonly line?: number | null;
  /** At most so many lines. */
  readonly limit?: number | null;
};

/** What an agent wants to write; it replaces the whole file. */
export type WriteTextFile = { readonly path: string; readonly content: string };

/**
 * Files as the client offers them to its agent (version 1 only; version 2 agents have their own). A method that exists
 * is advertised. Throw an `RpcError` to answer with it; another error becomes an internal error.
 */
export interface FileHost {
  readTextFile?(request: ReadTextFile, session: HostSession): Awaitable<string>;
  writeTextFile?(request: WriteTextFile, session: HostSession): Awaitable<void>;
}
