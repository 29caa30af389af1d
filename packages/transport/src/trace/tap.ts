import type { Channel, Message } from "../channel.js";
import { checkArgument, checkChannel } from "../check-argument.js";
import { checkOptions } from "../check-options.js";
import { textOf } from "../errors.js";
import { reporter } from "../reporter.js";
import { redactSecrets, redactText } from "./redact.js";

/** Message or invalid line of a channel with an observer. */
export type TapEvent =
  | {
      readonly direction: "sent" | "received";
      /** Message of any JSON value. It may be the sent or received object itself, so do not change it. */
      readonly message: unknown;
      /** Size of a received message on the wire, in bytes. Sent messages have no size yet. */
      readonly bytes?: number;
    }
  | { readonly direction: "received"; readonly invalidLine: string }
  /** Message that passed the channel but could not be redacted. `leftOut` is the reason. */
  | { readonly direction: "sent" | "received"; readonly leftOut: string };

/** Options of {@link tapChannel}. */
export type TapOptions = {
  /**
   * - `redact` gives messages to the observer without their secrets (`redactSecrets`).
   * - `show` gives messages unchanged. It costs nothing, and is for observers that store nothing.
   *
   * @defaultValue `redact`
   */
  readonly secrets?: "redact" | "show";
};

/**
 * Returns the same channel with an observer of its messages. `observe` gets every message before it is sent or
 * delivered. An observer that stores messages has to copy them. The first error or rejection of `observe` is printed.
 * The order, the pace and the messages on the wire do not change, even after errors.
 *
 * @example
 * const channel = tapChannel(await spawnChannel(["my-agent"]), (event) => log.write(`${JSON.stringify(event)}\n`));
 */
export function tapChannel<C extends Channel>(
  channel: C,
  observe: (event: TapEvent) => void,
  options: TapOptions = {},
): C {
  checkChannel("tapChannel", channel);
  checkArgument(typeof observe === "function", "tapChannel observe", { got: observe, remedy: "pass a function" });
  checkOptions("tapChannel", options, { secrets: ["redact", "show"] });
  const { secrets = "redact" } = options;
  const clean = secrets === "redact" ? withoutSecrets : (event: TapEvent) => event;
  return observed(channel, (event) => observe(clean(event)), undisturbed("The observer of tapChannel"));
}

/** Returns the same channel. `run` calls `observe` with each of its messages. */
export function observed<C extends Channel>(
  channel: C,
  observe: (event: TapEvent) => unknown,
  run: ReturnType<typeof undisturbed>,
): C {
  const show = (event: TapEvent): void => run(() => observe(event));
  const tapped: Pick<Channel, "start" | "send"> = {
    start(receiver) {
      channel.start({
        message(message, bytes) {
          show({ direction: "received", message, bytes });
          receiver.message(message, bytes);
        },
        invalidLine(sample, excess) {
          show({ direction: "received", invalidLine: sample });
          receiver.invalidLine(sample, excess);
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
      // Methods are bound to the channel, because a proxy cannot access private fields.
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Returns the reason why a message is missing in a log. The text contains no secret and is short. */
export function leftOutReason(error: unknown): string {
  return redactText(`The message could not be redacted: ${String(error).slice(0, 200)}`);
}

/** Returns a function that runs a hook. The first error or rejection is printed, and none affects the channel. */
export function undisturbed(what: string): (hook: () => unknown) => void {
  let hasFailed = false;
  const failed = (error: unknown): void => {
    if (!hasFailed)
      reporter(undefined)({ code: "listener_failed", message: `${what} failed: ${textOf(error)}`, error });
    hasFailed = true;
  };
  return (hook) => {
    try {
      const outcome = hook() as PromiseLike<unknown> | undefined;
      if (typeof outcome?.then === "function") outcome.then(undefined, failed);
    } catch (error) {
      failed(error);
    }
  };
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
