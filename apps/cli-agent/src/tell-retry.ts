import type { Room, Turn } from "@turnkit/agent";
import type { Retry } from "./loop.js";

/** Tells the user why nothing happens for a while: by a notice, and where the client knows none, as a thought. */
export function tellRetry(turn: Pick<Turn<unknown>, "emit" | "session" | "think">, { reason, delayMs }: Retry): Room {
  const title = `Trying again in ${Math.ceil(delayMs / 1_000)} s`;
  return turn.session.client.capabilities.notices
    ? turn.emit({ type: "notice", severity: "warning", title, description: reason })
    : turn.think(`${reason} ${title}.\n\n`);
}
