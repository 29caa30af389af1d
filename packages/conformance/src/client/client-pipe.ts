/** Exit of a client. `code` is `null` for a client that a signal ended. */
export type ClientExit = { readonly code: number | null };

/** Folder of a client's session, and a file outside of it. All paths are absolute. */
export interface ClientFolder {
  /** Folder in which the client starts. */
  readonly cwd: string;
  /** File in the folder with one line. */
  readonly note: string;
  /** File in the folder with the lines `one`, `two`, `three` and `four`. */
  readonly lines: string;
  /** File outside of the folder. */
  readonly outside: string;
  /** Link in the folder to the file outside. Absent if links are not possible. */
  readonly linkedFile?: string;
  /** Link in the folder to the folder of the file outside. */
  readonly linkedFolder?: string;
  /** Path of a program that runs JavaScript: `PROGRAM -e SCRIPT WORDS…`. Absent if terminals cannot be checked. */
  readonly script?: string;
  /** Returns the text of a file, or `undefined` if there is none. */
  read(path: string): Promise<string | undefined>;
  /** Returns `true` if the process with the id in a file runs. */
  isRunning(path: string): Promise<boolean>;
}

/** Side of the agent in a conversation with a client: everything that the client can notice. */
export interface AgentSeat {
  /** Ends the agent like a process with an exit code. */
  exit(code: number): void;
  /** Closes the output of the agent. The agent itself goes on. */
  closeOutput(): void;
  /** Writes this number of bytes to the agent's stderr. Absent without a stderr. */
  complain?(bytes: number): void;
  /** Settles when the agent is gone, by itself or ended by the client. */
  readonly gone: Promise<unknown>;
}

/** Running client, which has started the runner as its agent. */
export interface ClientPipe {
  /** Output of the client to its agent. */
  readonly readable: ReadableStream<Uint8Array>;
  /** Output of the agent. */
  readonly writable: WritableStream<Uint8Array>;
  readonly agent: AgentSeat;
  readonly folder: ClientFolder;
  /** Settles when the client has ended. */
  readonly exited: Promise<ClientExit>;
  /** Returns the text that the client has printed so far. */
  stdout(): string;
  /** Returns the last lines of the client's stderr. */
  stderr?(): string;
  /** Asks the client to cancel, like Ctrl-C. Absent if this is not possible. */
  interrupt?(): void;
  /** Ends the client immediately. Called at the end of each conversation. */
  kill?(): Promise<void>;
}

/** Task of a client: a new session, or an earlier one. */
export type ClientTask = {
  /** Id of the session that the client has to restore before its prompt. */
  readonly session?: string;
};

/**
 * Function that starts a client. The client opens a session, sends one prompt, and ends with the turn. Returns `undefined`
 * for a task that this client is not able to do.
 */
export type OpenClient = (task: ClientTask) => ClientPipe | undefined | Promise<ClientPipe | undefined>;
