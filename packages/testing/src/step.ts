import type { RpcErrorObject } from "@turnkit/transport";
import type { Frame } from "./frame.js";
import type { Pattern } from "./pattern.js";

/** Values that a script knows when it makes params. */
export type Known = {
  /** The session that was last opened, or last named by the other side. */
  readonly sessionId: string;
};

/** Params, or a function that makes them. */
export type Params = object | ((known: Known) => object);

/** Expected answer to a call. With neither member, any result is right. */
export type Answered = { readonly result?: Pattern; readonly error?: Pattern };

/** A step of either side. */
export type Step =
  /** Waits for the next expected call, which has to be of that method. */
  | { readonly expect: string; readonly params?: Pattern; readonly as?: string }
  /** Answers the last expected call, or that of a name. A function makes the result. */
  | { readonly answer: object | ((call: Frame) => object); readonly to?: string }
  /** Answers it with an error. */
  | { readonly refuse: RpcErrorObject; readonly to?: string }
  /** Sends a request, and waits for the answer. */
  | ({ readonly call: string; readonly params?: Params } & Answered)
  /** Sends a request without waiting. A `finish` of that name waits for the answer. */
  | { readonly start: string; readonly params?: Params; readonly as: string }
  | ({ readonly finish: string } & Answered)
  | { readonly notify: string; readonly params?: Params }
  /** Sends any JSON value as it is. Objects without `jsonrpc` get it. */
  | { readonly send: unknown }
  /** Waits for a promise of the test. */
  | { readonly wait: PromiseLike<unknown> }
  /** Closes the channel. */
  | { readonly die: true }
  /** Stops all answers, those of `answers` included. It is the last step of a script. */
  | { readonly silent: true };

/** Answers to unexpected calls, by method. A call whose answer is `undefined` stays unanswered. */
export type StandingAnswers = Readonly<Record<string, unknown>>;
