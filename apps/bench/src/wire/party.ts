import type { Load } from "./load.js";

/** A session whose listener counts its calls. */
export type Talk = {
  /** Settles when the turn has ended for the user of the library, with everything told before. */
  prompt(load: Load): Promise<void>;
};

export type Connected = {
  /** Opens a session. `onText` gets each chunk's text or tool output; its promise is awaited if the library waits. */
  newSession(onText: (text: string) => void | Promise<void>): Promise<Talk>;
  /** Opens a session without a listener. `onState` is called on each change of its state, with its number of chunks. */
  watchSession?(onState: (chunks: number) => void): Promise<Talk>;
  close(): Promise<void> | void;
};

/** One implementation of the protocol, used as its documentation tells a user to, with validation on. */
export type Party = {
  /** Serves the load agent on stdin and stdout of this process; `stateBytes` bounds states where there are any. */
  serveStdio(stateBytes?: number): void | Promise<void>;
  /** Starts that agent as a child process and connects. */
  launch(command: readonly [string, ...string[]], stateBytes?: number): Promise<Connected>;
  /** Both sides in this process. */
  connectInMemory?(): Promise<Connected>;
};
