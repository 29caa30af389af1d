import type { Channel } from "../channel.js";
import { AcpError } from "../errors.js";

/** Sockets and streams from which an open channel reads. */
const taken = new WeakSet<object>();

/**
 * Makes the channel of a source. Two channels of one source would both get every message, so each side would also read the
 * answers to the other.
 *
 * @throws AcpError `state` if an open channel reads from the source
 */
export function soleChannel<C extends Channel>(name: string, source: object, make: () => C): C {
  if (taken.has(source)) {
    const advice = "Use that channel, or open another connection.";
    throw new AcpError(
      "state",
      `The ${name} has a channel already, and a second one would get its messages too. ${advice}`,
    );
  }
  const channel = make();
  taken.add(source);
  void channel.closed.then(() => taken.delete(source));
  return channel;
}
