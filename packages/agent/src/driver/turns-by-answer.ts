import type { DialectName, SessionEvent } from "@turnkit/session";
import { toRpcError } from "@turnkit/transport";
import type { TurnEnd } from "../prompt-job.js";
import type { Driver, DriverParts } from "./driver.js";

type TurnVerbs = Pick<Driver, "end" | "waiting" | "backgroundChanged" | "restored">;

/** Where the answer to a prompt is the end of its turn, no update says what a session is doing. */
export function turnsByAnswer(dialect: DialectName, onLoss: DriverParts["onLoss"]): TurnVerbs {
  return {
    end: (session, promptId, end) => session.record({ type: "turn_ended", promptId, ...describeEnd(end) }),
    waiting: () => undefined,
    backgroundChanged: ({ id }) => onLoss({ id: "state", to: dialect, event: "state_update" }, id),
    restored: () => undefined,
  };
}

/** An end as a session's state holds it. */
export function describeEnd(end: TurnEnd): Omit<SessionEvent & { readonly type: "turn_ended" }, "type" | "promptId"> {
  if ("stopReason" in end) return end;
  const { code, message, data } = toRpcError(end.error);
  return { error: data === undefined ? { code, message } : { code, message, data } };
}
