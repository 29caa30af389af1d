import type { Answering, Asking, CallCodec, Calls, ClientCapabilities } from "../call.js";
import type { SessionEvent, WireEvent } from "../event.js";
import type { SessionState } from "../state.js";
import type { DialectName, Loss } from "./losses.js";
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

/** Calls of one dialect by name. A call that the dialect does not have is absent. */
export type CallTable = { readonly [K in keyof Calls]?: CallCodec<Calls[K]> };

/** Calls as one side makes them, by name. Calls that the dialect or the side does not have are absent. */
export type AskedCalls = { readonly [K in keyof Calls]?: Asking<Calls[K]> };

/** Calls as one side answers them, by name. Calls that the dialect or the side does not have are absent. */
export type AnsweredCalls = { readonly [K in keyof Calls]?: Answering<Calls[K]> };

/** One dialect against the neutral form, as far as a client needs it. */
export interface ClientCodec {
  readonly dialect: DialectName;
  readonly ask: AskedCalls & { readonly initialize: Asking<Calls["initialize"]> };
  readonly answer: AnsweredCalls & { readonly askPermission: Answering<Calls["askPermission"]> };
  /**
   * Reads the `update` of a `session/update`. It is stateless, takes any value, validated or not, and never throws. An
   * unreadable update becomes an `unknown` event.
   */
  decode(update: unknown): readonly SessionEvent[];
}

/** One dialect against the neutral form, as far as an agent needs it. */
export interface AgentCodec {
  readonly dialect: DialectName;
  readonly ask: AskedCalls & { readonly askPermission: Asking<Calls["askPermission"]> };
  readonly answer: AnsweredCalls & { readonly initialize: Answering<Calls["initialize"]> };
  /** Updates that report turns. Absent where the answer to a prompt ends its turn. */
  readonly turns?: TurnUpdates;
  /** Creates the encoder of one session. */
  createEncoder(peer: ClientCapabilities, onLoss: (loss: Loss) => void): Encoder;
}

/** Codec of one dialect for both sides, such as a proxy uses: it makes and answers the calls of both. */
export interface Codec extends ClientCodec, AgentCodec {
  readonly call: CallTable;
  readonly ask: ClientCodec["ask"] & AgentCodec["ask"];
  readonly answer: ClientCodec["answer"] & AgentCodec["answer"];
}
