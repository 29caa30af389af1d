import type { SessionEvent } from "@turnkit/session";

/** Notes, while a log is read, whether its last turn has an end. */
// NATS-09
export class StoredTurns {
  /** True if the message of a prompt was stored, and no end of a turn after it: the gateway died in between. */
  isOpen = false;

  /** Returns the same events. */
  async *noted(events: AsyncIterable<SessionEvent>): AsyncIterable<SessionEvent> {
    for await (const event of events) {
      if (event.type === "user_message" || event.type === "user_message_chunk") this.isOpen = true;
      else if (event.type === "state_update" && event.state === "idle") this.isOpen = false;
      yield event;
    }
  }
}
