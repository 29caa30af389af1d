import type { Channel, Message } from "@turnkit/transport";
import type { OwnershipUnderTest } from "./engine-under-test.js";

/** One end of a channel, and the messages that it has received. */
export type Inbox = {
  readonly channel: Channel;
  readonly messages: unknown[];
  /** Settles with the first messages. Rejects if the channel closes before. */
  first(count: number): Promise<readonly unknown[]>;
};

/** Starts a channel, and collects its messages. */
export function inboxOf(channel: Channel): Inbox {
  const messages: unknown[] = [];
  let arrived = (): void => undefined;
  channel.start({
    message(message) {
      messages.push(message);
      arrived();
    },
    invalidLine: () => undefined,
  });
  const closed = channel.closed.then((): never => {
    throw new Error("The channel closed before all messages had arrived.");
  });
  closed.catch(() => undefined);
  return {
    channel,
    messages,
    async first(count) {
      while (messages.length < count) {
        const next = new Promise<void>((resolve) => {
          arrived = resolve;
        });
        await Promise.race([next, closed]);
      }
      return messages.slice(0, count);
    },
  };
}

/** Lets an owner take channels, and calls `taken` for each one. */
export function takes(owner: OwnershipUnderTest, taken: () => void): void {
  owner.onConnect((channel) => {
    inboxOf(channel);
    taken();
  });
}

/** Makes a message with a number and a text. */
export const note = (number: number, text = ""): Message => ({
  jsonrpc: "2.0",
  method: "note",
  params: { number, text },
});
