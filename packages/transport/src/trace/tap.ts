import type { Channel } from "../channel.js";
import type { Message } from "../message.js";
import { redactSecrets, redactText } from "./redact.js";

/** One thing that passed a tapped channel. */
export type TapEvent =
  | {
      readonly direction: "sent" | "received";
      /**
       * What is without secrets is the object itself and not a copy: it must not be changed. A received one may be any
       * JSON value.
       */
      readonly message: unknown;
      /** Size on the wire of what was received; what is sent has none yet. */
      readonly bytes?: number;
    }
  | { readonly direction: "received"; readonly invalidLine: string };

/** How {@link tapChannel} shows what passes. */
export type TapOptions = {
  /**
   * `redact` takes out what `redactSecrets` knows, in a copy of what holds it. `show` shows messages as they are, for an
   * observer that writes nothing down; it costs nothing. `redact` unless said otherwise.
   */
  readonly secrets?: "redact" | "show";
};

/**
 * The same channel, with every message shown to `observe` on its way: sent ones before they go, received ones before
 * they are delivered. Order and flow stay as they are. Errors and rejections of `observe` are ignored. `observe` must copy
 * what it keeps. What goes on to the other side is never redacted.
 *
 * @example
 * const channel = tapChannel(await spawnChannel(["my-agent"]), (event) => log.write(`${JSON.stringify(event)}\n`));
 */
export function tapChannel<C extends Channel>(
  channel: C,
  observe: (event: TapEvent) => void,
  { secrets = "redact" }: TapOptions = {},
): C {
  const clean = secrets === "redact" ? withoutSecrets : (event: TapEvent) => event;
  const show = (event: TapEvent): void => undisturbed(() => observe(clean(event)));
  const tapped: Pick<Channel, "start" | "send"> = {
    start(receiver) {
      channel.start({
        message(message, bytes) {
          show({ direction: "received", message, bytes });
          receiver.message(message, bytes);
        },
        invalidLine(sample) {
          show({ direction: "received", invalidLine: sample });
          receiver.invalidLine(sample);
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

/** Runs a hook that must not be able to disturb what it observes, not even by a promise that rejects. */
export function undisturbed(hook: () => unknown): void {
  try {
    const outcome = hook() as PromiseLike<unknown> | undefined;
    if (typeof outcome?.then === "function") outcome.then(undefined, () => {});
  } catch {
    // It is the hook's own affair.
  }
}

function withoutSecrets(event: TapEvent): TapEvent {
  if ("invalidLine" in event) return { ...event, invalidLine: redactText(event.invalidLine) };
  return { ...event, message: redactSecrets(event.message) };
}
