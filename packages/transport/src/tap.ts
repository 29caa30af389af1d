import type { Channel } from "./channel.js";
import type { Message } from "./message.js";

/** One thing that passed a tapped channel. */
export type TapEvent =
  | {
      readonly direction: "sent" | "received";
      /** The object itself, not a copy: it must not be changed. A received one may be any JSON value. */
      readonly message: unknown;
      /** Size on the wire of what was received; what is sent has none yet. */
      readonly bytes?: number;
    }
  | { readonly direction: "received"; readonly noise: string };

/**
 * The same channel, with every message shown to `observe` on its way: sent ones before they go, received ones before
 * they are delivered. Order and flow stay as they are. What `observe` throws is swallowed; what it needs to keep longer
 * than the call, it copies.
 *
 * @example
 * const channel = tapChannel(await spawnChannel(["my-agent"]), (event) => log.write(`${JSON.stringify(event)}\n`));
 */
export function tapChannel<C extends Channel>(channel: C, observe: (event: TapEvent) => void): C {
  const show = (event: TapEvent): void => {
    try {
      observe(event);
    } catch {
      // Whoever looks on must not be able to disturb.
    }
  };
  const tapped: Pick<Channel, "start" | "send"> = {
    start(receiver) {
      channel.start({
        message(message, bytes) {
          show({ direction: "received", message, bytes });
          receiver.message(message, bytes);
        },
        noise(sample) {
          show({ direction: "received", noise: sample });
          receiver.noise(sample);
        },
      });
    },
    send(message: Message) {
      show({ direction: "sent", message });
      return channel.send(message);
    },
  };
  return new Proxy(channel, {
    get(target, name) {
      if (name === "start" || name === "send") return tapped[name];
      // Bound, because a channel's private fields do not know a proxy.
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
