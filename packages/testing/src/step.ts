import type { RpcErrorObject } from "@turnkit/transport";
import type { Frame } from "./frame.js";
import type { Pattern } from "./pattern.js";

/** Values that a script has when it makes params. */
export type Known = {
  /** Id of the session that was last opened, or that the other side last sent. */
  readonly sessionId: string;
};

/** Params, or a function that returns params. */
export type Params = object | ((known: Known) => object);

/** Expected answer to a call. If both members are absent, any result is accepted. */
export type Answered = { readonly result?: Pattern; readonly error?: Pattern };

/** Step of an agent or a client. */
export type Step =
  /** Waits for the next expected call. Fails if the call has another method. */
  | { readonly expect: string; readonly params?: Pattern; readonly as?: string }
  /**
   * Answers a call. Without `to`, this is the last expected call; with `to`, the call of that name. The answer is a result,
   * or a function that gets the call and returns a result.
   */
  | { readonly answer: object | ((call: Frame) => object); readonly to?: string }
  /** Answers a call with an error. `to` works as in `answer`. */
  | { readonly refuse: RpcErrorObject; readonly to?: string }
  /** Sends a request and waits for the answer. */
  | ({ readonly call: string; readonly params?: Params } & Answered)
  /** Sends a request without waiting. A later `finish` step with the same name waits for the answer. */
  | { readonly start: string; readonly params?: Params; readonly as: string }
  | ({ readonly finish: string } & Answered)
  | { readonly notify: string; readonly params?: Params }
  /** Sends any JSON value. An object without `jsonrpc` gets this member; other values are sent unchanged. */
  | { readonly send: unknown }
  /** Waits for a promise of the test. */
  | { readonly wait: PromiseLike<unknown> }
  /** Closes the channel. */
  | { readonly die: true }
  /** Stops all answers, including the answers of `answers`. Must be the last step of a script. */
  | { readonly silent: true };

/** Answers to unexpected calls, by method. If the answer is `undefined`, the call stays unanswered. */
export type StandingAnswers = Readonly<Record<string, unknown>>;
