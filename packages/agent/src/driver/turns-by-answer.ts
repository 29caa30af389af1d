import type { DialectName } from "@turnkit/session";
import { describeEnd } from "../turn-end.js";
import type { Driver, DriverParts } from "./driver.js";

type TurnVerbs = Pick<Driver, "end" | "waiting" | "backgroundChanged" | "restored">;

/** Returns the reports of a dialect that answers a prompt at the end of its turn: no update carries a session's activity. */
export function turnsByAnswer(dialect: DialectName, onLoss: DriverParts["onLoss"]): TurnVerbs {
  return {
    end: ({ output }, promptId, end) => output.record({ type: "turn_ended", promptId, ...describeEnd(end) }),
    waiting: () => undefined,
    backgroundChanged: ({ id }) => onLoss({ id: "state", to: dialect, event: "state_update" }, id),
    restored: () => undefined,
  };
}
