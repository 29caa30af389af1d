import type { Load } from "./load.js";

/** Session whose listener counts its calls. */
export type Talk = {
  /** Settles when the turn has ended and the listener has got all of its updates. */
  prompt(load: Load): Promise<void>;
};

export type Connected = {
  /** Opens a session. `onText` gets each chunk's text or tool output; its promise is awaited if the library waits. */
  newSession(onText: (text: string) => void | Promise<void>): Promise<Talk>;
  /** Opens a session without a listener. `onState` is called on each change of its state, with its number of chunks. */
  watchSession?(onState: (chunks: number) => void): Promise<Talk>;
  close(): Promise<void> | void;
};

/** Implementation of the protocol. The bench uses it as its documentation recommends, with validation. */
export type Party = {
  /**
   * Serves the load agent on stdin and stdout of this process. `stateBytes` is the bound of states, if the
   * implementation has states.
   */
  serveStdio(stateBytes?: number): void | Promise<void>;
  /** Starts the load agent as a child process and connects. */
  launch(command: readonly [string, ...string[]], stateBytes?: number): Promise<Connected>;
  /** Connects both sides in this process. */
  connectInMemory?(): Promise<Connected>;
};
