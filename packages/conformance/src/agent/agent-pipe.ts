/** Running agent, as two streams of bytes with one JSON message a line. */
export interface AgentPipe {
  /** Output of the agent. */
  readonly readable: ReadableStream<Uint8Array>;
  /** Input of the agent. */
  readonly writable: WritableStream<Uint8Array>;
  /** Absolute path of the folder of this agent's sessions, in place of the one of the run. */
  readonly cwd?: string;
  /** Returns the last lines of stderr. Absent for an agent without one. */
  stderr?(): string;
  /** Settles when the process of the agent has exited. Absent for an agent that is not a process of its own. */
  readonly exited?: Promise<unknown>;
  /** Ends the agent immediately. Called at the end of each conversation, also after the agent has ended by itself. */
  kill?(): Promise<void>;
}

/** Function that starts an agent. Each check calls it for a conversation of its own. */
export type OpenAgent = () => AgentPipe | Promise<AgentPipe>;
