import type { Answering, Asking, CallCodec, Calls, ClientCapabilities } from "../call.js";
import type { SessionEvent, WireEvent } from "../event.js";
import type { SessionState } from "../state.js";
import type { DialectName } from "./dialect.js";
import type { Loss } from "./losses.js";
import type { TurnUpdates } from "./turn-updates.js";

/**
 * States of the sender around one event. An encoder reads only the states that it needs, because each read may reduce
 * queued events. It reads them before it reports a loss, because the callback may send another event.
 */
export interface StatesAround {
  readonly before: SessionState;
  readonly after: SessionState;
}

/**
 * Function that writes one neutral event as `update` objects of `session/update`. It writes none if the dialect cannot
 * express the event, and reports the loss. Version 1 uses the states to tell a new tool call from a change. Version 1
 * and seed use them to send the whole content of a tool. Pieces of a message with an id need no states.
 */
export type Encoder = (event: WireEvent, around: StatesAround) => readonly object[];

/** The calls of a dialect that one side makes and answers. */
interface CodecOfCalls {
  readonly dialect: DialectName;
  /** Returns a call that this side makes, or `undefined` if the dialect or the side has none. */
  ask<K extends keyof Calls>(name: K): Asking<Calls[K]> | undefined;
  /** Returns a call that this side answers, or `undefined` if the dialect or the side has none. */
  answer<K extends keyof Calls>(name: K): Answering<Calls[K]> | undefined;
}

/** One dialect against the neutral form, as far as a client needs it. */
export interface ClientCodec extends CodecOfCalls {
  /**
   * Reads the `update` of a `session/update`. It is stateless, takes any value, validated or not, and never throws. An
   * unreadable update becomes an `unknown` event.
   */
  decode(update: unknown): readonly SessionEvent[];
}

/** One dialect against the neutral form, as far as an agent needs it. */
export interface AgentCodec extends CodecOfCalls {
  /** Updates that report turns. Absent where the answer to a prompt ends its turn. */
  readonly turns?: TurnUpdates;
  /** Creates the encoder of one session. */
  createEncoder(peer: ClientCapabilities, onLoss: (loss: Loss) => void): Encoder;
}

/** Codec of one dialect for both sides, such as a proxy uses: it makes and answers the calls of both. */
export interface Codec extends ClientCodec, AgentCodec {
  /** Returns a call of this dialect, or `undefined` if it has none. */
  call<K extends keyof Calls>(name: K): CallCodec<Calls[K]> | undefined;
}
