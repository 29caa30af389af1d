import type { Driver, DriverSession, InsertedPrompt } from "./driver/driver.js";
import type { SessionOutput } from "./session-output.js";
import { bareEnd, sendableEnd, type TurnEnd } from "./turn-end.js";

/** Members of a session that reports of its turns use. */
export type ReportedSession = DriverSession & { readonly driver: Driver; readonly output: SessionOutput };

/** Reports that a prompt is part of the conversation and its turn begins. */
export function reportBegin(session: ReportedSession, prompt: InsertedPrompt): void {
  session.driver.begin(session, prompt);
  // Stored second: a prompt that cannot be stored begins no turn.
  session.output.journal?.append({ type: "turn_started", promptId: prompt.messageId });
}

/** Stores the end of a turn where there is a log, then reports it. Returns the end as it was reported; never fails. */
export function reportEnd(session: ReportedSession, messageId: string, given: TurnEnd): TurnEnd | Promise<TurnEnd> {
  const { output } = session;
  const end = sendableEnd(given, output.maxEventBytes, (message, error) => output.onFault(message, error));
  output.flush();
  output.endMessage();
  if (output.journal === undefined) return sendEnd(session, messageId, end);
  return output.journal.endTurn(messageId, end).then((stored) => sendEnd(session, messageId, stored));
}

function sendEnd(session: ReportedSession, messageId: string, end: TurnEnd): TurnEnd {
  try {
    session.driver.end(session, messageId, end);
    return end;
  } catch (error) {
    session.output.onFault("The end of a turn could not be told as it was.", error);
    return sendBareEnd(session, messageId, end);
  }
}

/** Sends an end without the agent's additions: the client must not believe that the turn goes on. */
function sendBareEnd(session: ReportedSession, messageId: string, end: TurnEnd): TurnEnd {
  const bare = bareEnd(end);
  try {
    session.driver.end(session, messageId, bare);
  } catch (error) {
    session.output.onFault("The end of a turn could not be sent.", error);
  }
  return bare;
}
