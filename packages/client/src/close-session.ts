import { isAcpError, withinGrace } from "@turnkit/transport";
import type { Driver } from "./driver/driver.js";
import type { Session } from "./session.js";
import type { TurnQueue } from "./turn-queue.js";

/** Session that can be closed. */
type ClosingSession = Pick<Session, "id" | "state"> & {
  readonly queue: Pick<TurnQueue, "close" | "graceMs">;
  end(reason: string): void;
  onEnd(work: (successor?: ClosingSession) => void): () => void;
};

/** Closes a session in the agent and in the client. `goesOn` is called if the agent refuses. */
export async function closeSession(
  session: ClosingSession,
  driver: Driver,
  { dismiss, goesOn }: { readonly dismiss: () => void; readonly goesOn: () => void },
): Promise<void> {
  const { id: sessionId, queue } = session;
  let isStopped = false;
  // If a restore ends before the answer, a restored session replaces this session. The agent then closes the restored
  // session.
  let last = session;
  const follow = (successor?: ClosingSession): void => {
    last = successor ?? last;
    successor?.onEnd(follow);
  };
  const unfollow = session.onEnd(follow);
  const closed = () => last.end("closed by this side");
  const failed = () => {
    goesOn();
    // The turns have ended in the client, so the agent has to end them too.
    if (isStopped) driver.cancel(sessionId);
  };
  try {
    const closing = driver.peer.capabilities.close
      ? driver.call("closeSession", { sessionId }, { received: closed, failed, orGone: true })
      : undefined;
    // An agent that cannot close sessions ends its work after a cancel.
    if (closing === undefined && session.state.activity.state !== "idle") driver.cancel(sessionId);
    isStopped = queue.close();
    dismiss();
    if (closing !== undefined) await withinGrace(closing, queue.graceMs);
    closed();
  } catch (error) {
    unfollow();
    goesOn();
    // The loss of the connection has already ended the session.
    if (!isAcpError(error, "connection_closed")) throw error;
  }
}
