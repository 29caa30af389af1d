import type { Answering, Asking, CallCodec, Calls, ClientCapabilities } from "../call.js";
import type { SessionEvent, WireEvent } from "../event.js";
import type { SessionState } from "../state.js";
import type { DialectName } from "./dialect.js";
import type { Loss } from "./losses.js";
import type { TurnUpdates } from "./turn-updates.js";

/**
 * The sender's own state around one event. An encoder reads only what it needs, since who folds late makes no other, and
 * before it tells of a loss, since who hears of that may say something else.
 */
export interface StatesAround {
  readonly before: SessionState;
  readonly after: SessionState;
}

/**
 * Turns one neutral event into `update` objects for `session/update`, none if the dialect cannot say it (then `onLoss`
 * was told). Version 1 needs the states to tell a first sight from a change, and both older dialects to send a tool's
 * whole content; the pieces of a message that has an id need none.
 */
export type Encoder = (event: WireEvent, around: StatesAround) => readonly object[];

/** The calls of a dialect that one side makes and answers. */
interface CodecOfCalls {
  readonly dialect: DialectName;
  /** A call as this side makes it; `undefined` where the dialect or the side has none. */
  ask<K extends keyof Calls>(name: K): Asking<Calls[K]> | undefined;
  /** A call as this side answers it; `undefined` where the dialect or the side has none. */
  answer<K extends keyof Calls>(name: K): Answering<Calls[K]> | undefined;
}

/** One dialect against the neutral form, as far as a client needs it. */
export interface ClientCodec extends CodecOfCalls {
  /**
   * Reads the `update` of a `session/update`. Stateless and total: it takes any value, also one that nobody validated,
   * and never throws; what it cannot read comes back as an `unknown` event.
   */
  decode(update: unknown): readonly SessionEvent[];
}

/** One dialect against the neutral form, as far as an agent needs it. */
export interface AgentCodec extends CodecOfCalls {
  /** Updates that report turns. Absent where the answer to a prompt ends its turn. */
  readonly turns?: TurnUpdates;
  /** One encoder per session. */
  createEncoder(peer: ClientCapabilities, onLoss: (loss: Loss) => void): Encoder;
}

/** One dialect against the neutral form, for who stands between both sides: it makes and answers the calls of both. */
export interface Codec extends ClientCodec, AgentCodec {
  /** The shape of a call in this dialect; `undefined` where it has none. */
  call<K extends keyof Calls>(name: K): CallCodec<Calls[K]> | undefined;
}
