import type { Channel, Message } from "../channel.js";
import { redactSecrets, redactText } from "./redact.js";

/** One message or invalid line of a tapped channel. */
export type TapEvent =
  | {
      readonly direction: "sent" | "received";
      /** The message, which may be the sent or received object: do not change it. It may be any JSON value. */
      readonly message: unknown;
      /** Size of a received message on the wire. Sent messages have none yet. */
      readonly bytes?: number;
    }
  | { readonly direction: "received"; readonly invalidLine: string }
  /** A message that passed the channel, but could not be redacted. The text is the reason. */
  | { readonly direction: "sent" | "received"; readonly leftOut: string };

/** Options of {@link tapChannel}. */
export type TapOptions = {
  /**
   * - `redact` passes messages through `redactSecrets`.
   * - `show` passes messages as they are, at no cost, for an observer that stores nothing.
   *
   * @defaultValue `redact`
   */
  readonly secrets?: "redact" | "show";
};

/**
 * Returns the same channel with an observer. `observe` gets every message before it is sent or delivered, and has to copy
 * messages that it keeps. Its errors and rejections are ignored. Order, flow and the messages on the wire stay the same.
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
      // Bound, because private fields of a channel are not accessible through a proxy.
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Returns the reason why a message is left out of a log. It holds no secret and no large text. */
export function leftOutReason(error: unknown): string {
  return redactText(`The message could not be redacted: ${String(error).slice(0, 200)}`);
}

/** Runs a hook, and ignores its errors and rejections. */
export function undisturbed(hook: () => unknown): void {
  try {
    const outcome = hook() as PromiseLike<unknown> | undefined;
    if (typeof outcome?.then === "function") outcome.then(undefined, () => {});
  } catch {
    // An error of a hook must not affect the channel.
  }
}

function withoutSecrets(event: TapEvent): TapEvent {
  if ("leftOut" in event) return event;
  if ("invalidLine" in event) return { ...event, invalidLine: redactText(event.invalidLine) };
  try {
    return { ...event, message: redactSecrets(event.message) };
  } catch (error) {
    return { direction: event.direction, leftOut: leftOutReason(error) };
  }
}
