import type { Room, Turn, WireEvent } from "@turnkit/agent";
import type { Retry } from "./loop.js";

type TellingTurn = Pick<Turn<unknown>, "emit" | "session" | "think">;

/** Tells the user why nothing happens for a while: by a notice, and where the client knows none, as a thought. */
export function tellRetry(turn: TellingTurn, { reason, delayMs }: Retry): Room {
  const title = `Trying again in ${Math.ceil(delayMs / 1_000)} s`;
  return turn.session.client.capabilities.notices
    ? turn.emit({ type: "notice", severity: "warning", title, description: reason })
    : turn.think(`${reason} ${title}.\n\n`);
}

/** Shows a compaction, which the session remembers in any case; a client that knows none is told in a thought. */
export function tellCompaction(turn: TellingTurn, event: WireEvent): Room {
  const begins = event.type === "compaction_update" && event.status === "in_progress";
  if (begins && !turn.session.client.capabilities.compaction) {
    void turn.think("The conversation has become long: its older part is being summarised.\n\n");
  }
  return turn.emit(event);
}
