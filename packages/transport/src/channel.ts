import type { Message } from "./message.js";

/** Nothing while there is room; otherwise a promise that resolves when there is room again, or the channel closed. */
export type Room = Promise<void> | undefined;

/** Why a channel ended. */
export type CloseReason = {
  /**
   * `local`: this side closed it (with a `cause`: because its receiver threw). `remote`: the other side ended in good
   * order. `exit`: the other side's process ended. `frame`: a message broke the framing or its size limit. `overflow`:
   * too much waited to be written. `failed`: the pipe itself failed.
   */
  readonly kind: "local" | "remote" | "exit" | "frame" | "overflow" | "failed";
  /** One sentence for people: what happened, to whom. */
  readonly message: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  /** The last lines that a child process wrote to stderr. */
  readonly stderr?: string;
  readonly cause?: unknown;
};

/** Takes what a channel delivers. */
export interface Receiver {
  /**
   * Called synchronously, in wire order. `message` is any JSON value: checking its shape is the receiver's work.
   * `bytes` is its size on the wire (an estimate where there is no wire).
   */
  message(message: unknown, bytes: number): void;
  /** Something that is no JSON; `sample` holds at most its first 200 characters. */
  invalidLine(sample: string): void;
}

/** Where messages come from and go to. It knows framing and flow, and nothing of calls and answers. */
export interface Channel {
  /**
   * Called once. Delivers synchronously, in wire order, never again after `closed`.
   *
   * @throws AcpError `state` when it is called again: nothing changes then
   */
  start(receiver: Receiver): void;
  /**
   * First in, first out; after close it does nothing. Nothing is delivered before it returns. Where
   * messages are serialised it throws a `TypeError` for one that JSON cannot express (a cycle, a `bigint` that is no id),
   * and an `AcpError` `too_large` for one that the other side would not read. It throws nothing else, and nothing was
   * sent then.
   */
  send(message: Message): Room;
  /** Nothing is delivered until `resume`, not even what was already read. */
  pause(): void;
  resume(): void;
  /** Sends what waits, then closes; settles when `closed` has. Called again, or too late, it changes nothing. */
  close(reason?: CloseReason): Promise<void>;
  /** Settles when nothing more will be delivered; never rejects. */
  readonly closed: Promise<CloseReason>;
}
