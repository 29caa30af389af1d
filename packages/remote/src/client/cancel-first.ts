import type { Message } from "@turnkit/transport";

type Waiting = { readonly message: Message; readonly sessionId: string | undefined };

/**
 * Adds a message to the waiting messages. A `session/cancel` is placed before all other messages except the prompts of
 * its session, which it has to cancel.
 */
// REM-35, REM-53
export function insert<T extends Waiting>(waiting: T[], item: T): void {
  const { message, sessionId } = item;
  if (!("method" in message) || message.method !== "session/cancel") {
    waiting.push(item);
    return;
  }
  const isBefore = ({ message: other, sessionId: otherId }: T) =>
    "method" in other && /^session\/(prompt|cancel)$/.test(other.method) && otherId === sessionId;
  waiting.splice(waiting.findLastIndex(isBefore) + 1, 0, item);
}
