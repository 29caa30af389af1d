import type { Session } from "@turnkit/client";
import { type TurnControl, type TurnStatus, useSelector } from "@turnkit/react";
import type { SessionState } from "@turnkit/session";
import { drawnState } from "./timeline/drawn-state.js";

const words: Readonly<Record<TurnStatus, string>> = {
  ready: "Ready",
  sent: "Sent",
  working: "Working…",
  asking: "Waits for an answer",
  cancelling: "Stopping…",
  closed: "The session has ended",
};

type StatusProps = {
  readonly session: Session;
  readonly turn: TurnControl;
  /** `false` while the page has no connection. */
  readonly isConnected: boolean;
};

/** Work of a session, the end of the last turn if it was not an ordinary one, and the use of the model's context. */
export function StatusLine({ session, turn, isConnected }: StatusProps) {
  const usage = useSelector(drawnState(session), (state) => state.usage);
  const last = useSelector(session, (state) => state.lastTurn);
  const failure = turn.error ?? (turn.status === "ready" ? last?.error : undefined);
  const reason = last?.stopReason as string | undefined;
  const isOdd = turn.status === "ready" && failure === undefined && reason !== undefined && reason !== "end_turn";
  return (
    <div className="status-line">
      <output data-status={turn.status}>
        {isConnected ? words[turn.status] : "Not connected"}
        {isOdd ? `: the last turn ended with “${reason.replaceAll("_", " ")}”` : ""}
      </output>
      {usage === undefined ? null : <Usage usage={usage} />}
      {failure === undefined ? null : (
        <p role="alert" className="failure">
          {failure.message}
        </p>
      )}
    </div>
  );
}

function Usage({ usage: { used, size, cost } }: { readonly usage: NonNullable<SessionState["usage"]> }) {
  const share = size > 0 ? Math.round((used / size) * 100) : 0;
  return (
    <span className="usage quiet">
      <meter min={0} max={size} value={used} aria-label="Context that is used" /> {share} %
      <span className="spacious"> of {size.toLocaleString("en")} tokens</span>
      {cost == null ? "" : `, ${costText(cost.amount)} ${cost.currency}`}
    </span>
  );
}

function costText(amount: number): string {
  return Math.abs(amount) < 1 ? amount.toFixed(4).replace(/0{1,2}$/, "") : amount.toFixed(2);
}
