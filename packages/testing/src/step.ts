import type { RpcErrorObject } from "@turnkit/transport";
import type { Frame } from "./frame.js";
import type { Pattern } from "./pattern.js";

/** What a script knows by then. */
export type Known = {
  /** The session that the script is about: the one opened, or named by the other side, last. */
  readonly sessionId: string;
};

/** Params as they are, or made of what the script knows by then. */
export type Params = object | ((known: Known) => object);

/** What the answer to a call should look like; with neither it must be a result, whatever it is. */
export type Answered = { readonly result?: Pattern; readonly error?: Pattern };

/** A step that either side can take. */
export type Step =
  /** Waits for the next call that the script is about, which must be of that method. */
  | { readonly expect: string; readonly params?: Pattern; readonly as?: string }
  /** Answers the call that was expected last, or the one of that name; a function makes the result of the call. */
  | { readonly answer: object | ((call: Frame) => object); readonly to?: string }
  /** The same with an error. */
  | { readonly refuse: RpcErrorObject; readonly to?: string }
  /** Asks, and waits for the answer. */
  | ({ readonly call: string; readonly params?: Params } & Answered)
  /** Asks, and goes on; a `finish` of that name waits for the answer. */
  | { readonly start: string; readonly params?: Params; readonly as: string }
  | ({ readonly finish: string } & Answered)
  | { readonly notify: string; readonly params?: Params }
  /** Sends any JSON value as it is; `jsonrpc` is added to an object that lacks it. */
  | { readonly send: unknown }
  /** Waits for the test. */
  | { readonly wait: PromiseLike<unknown> }
  /** Closes the channel, whatever is open. */
  | { readonly die: true }
  /** From here on nothing is answered, not even by the standing answers. The last step of its script. */
  | { readonly silent: true };

/** What answers calls that no step expects, by method; `undefined` as a value is a call that stays unanswered. */
export type StandingAnswers = Readonly<Record<string, unknown>>;
