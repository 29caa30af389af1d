import type { NatsConnection } from "@nats-io/transport-node";
import type { Messenger } from "./messenger.js";

/** Returns the messages of a connection to a server. */
export const natsMessenger = (connection: NatsConnection): Messenger => ({
  maxBytes: connection.info?.max_payload ?? 1024 * 1024,
  send: (subject, data) => connection.publish(subject, data),
  listen(subject, receive) {
    const subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) receive(message.data, (data) => void message.respond(data));
      },
    });
    return () => subscription.unsubscribe();
  },
  ask: async (subject, data, timeoutMs) => (await connection.request(subject, data, { timeout: timeoutMs })).data,
});
