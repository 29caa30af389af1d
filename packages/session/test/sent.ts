import type { ClientCapabilities } from "../src/call.js";
import type { AgentCodec } from "../src/codec/codec.js";
import type { Loss } from "../src/codec/losses.js";
import { createSessionState } from "../src/create-session-state.js";
import type { SessionEvent, WireEvent } from "../src/event.js";
import { reduce } from "../src/reduce.js";
import type { SessionState } from "../src/state.js";

/** Updates that a peer was sent, the losses, and the state of the sender. */
export type Sent = { readonly sent: readonly object[]; readonly lost: readonly Loss[]; readonly state: SessionState };

/** Encodes events one after the other; for a peer that can do nothing, unless one is given. */
export function sentFor(
  codec: Pick<AgentCodec, "createEncoder">,
  events: readonly SessionEvent[],
  peer = {} as ClientCapabilities,
): Sent {
  const lost: Loss[] = [];
  const encode = codec.createEncoder(peer, (loss) => lost.push(loss));
  let state = createSessionState();
  const sent = events.flatMap((event) => {
    const before = state;
    state = reduce(before, event);
    return encode(event as WireEvent, { before, after: state });
  });
  return { sent, lost, state };
}
