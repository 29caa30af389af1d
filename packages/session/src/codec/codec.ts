import type { Answering, Asking, CallCodec, Calls, ClientCapabilities } from "../call.js";
import type { SessionEvent, WireEvent } from "../event.js";
import type { SessionState } from "../state.js";
import type { DialectName, Loss } from "./losses.js";
import type { TurnUpdates } from "./turn-updates.js";

/**
 * States of the sending side before and after one event. An encoder reads a state only if it needs one, because each
 * read may reduce queued events. It reads the states before it reports a loss, because `onLoss` may send another event.
 */
export interface StatesAround {
  readonly before: SessionState;
  readonly after: SessionState;
}

/**
 * Function that converts one event to `update` objects of `session/update`. If the dialect cannot express the event, it
 * returns none and reports the loss. Encoders use the states for two purposes:
 * - in version 1, to distinguish a new tool call from a change;
 * - in version 1 and seed, to send the whole content of a tool call.
 *
 * For a piece of a message with an id, no state is read.
 */
export type Encoder = (event: WireEvent, around: StatesAround) => readonly object[];

/** Calls of one dialect, by name. Calls that do not exist in the dialect are absent. */
export type CallTable = { readonly [K in keyof Calls]?: CallCodec<Calls[K]> };

/**
 * Functions of the calls that one side sends, by name of the call. Calls that do not exist in the dialect or on this
 * side are absent.
 */
export type AskedCalls = { readonly [K in keyof Calls]?: Asking<Calls[K]> };

/**
 * Functions of the calls that one side answers, by name of the call. Calls that do not exist in the dialect or on this
 * side are absent.
 */
export type AnsweredCalls = { readonly [K in keyof Calls]?: Answering<Calls[K]> };

/** Translation between one dialect and the neutral form, for a client. */
export interface ClientCodec {
  readonly dialect: DialectName;
  readonly ask: AskedCalls & { readonly initialize: Asking<Calls["initialize"]> };
  readonly answer: AnsweredCalls & { readonly askPermission: Answering<Calls["askPermission"]> };
  /**
   * Reads the `update` of a `session/update`. The function is stateless, accepts any value, and never throws. An
   * unreadable update becomes an `unknown` event.
   */
  decode(update: unknown): readonly SessionEvent[];
}

/** Translation between one dialect and the neutral form, for an agent. */
export interface AgentCodec {
  readonly dialect: DialectName;
  readonly ask: AskedCalls & { readonly askPermission: Asking<Calls["askPermission"]> };
  readonly answer: AnsweredCalls & { readonly initialize: Answering<Calls["initialize"]> };
  /** Functions that report turns with updates. Absent if a turn ends with the answer to its prompt. */
  readonly turns?: TurnUpdates;
  /** Creates the encoder of one session. */
  createEncoder(peer: ClientCapabilities, onLoss: (loss: Loss) => void): Encoder;
}

/**
 * Translation between one dialect and the neutral form, for both sides. Proxies need it, because they send and answer
 * the calls of both sides.
 */
export interface Codec extends ClientCodec, AgentCodec {
  readonly call: CallTable;
  readonly ask: ClientCodec["ask"] & AgentCodec["ask"];
  readonly answer: ClientCodec["answer"] & AgentCodec["answer"];
}
