import type { Session } from "@turnkit/client";
import { useSelector } from "@turnkit/react";
import { useState } from "react";
import type { EarlierEntries } from "./sessions/newest-first.js";
import { drawnState } from "./timeline/drawn-state.js";
import { Timeline } from "./timeline/timeline.js";

/** Buttons for the subagents of a session. Without any, nothing is drawn. */
function ChildrenBar({ session, shown, show }: ChildrenProps) {
  const subagents = useSelector(drawnState(session), (state) => state.subagents);
  if (subagents.length === 0 || session.children.length === 0) return null;
  return (
    <nav className="children" aria-label="Subagents">
      <button type="button" aria-pressed={shown === session} onClick={() => show(session)}>
        Conversation
      </button>
      {session.children.map((child) => (
        <button key={child.id} type="button" aria-pressed={shown === child} onClick={() => show(child)}>
          {child.titles.at(-1) ?? "Subagent"}
          <span className="quiet"> {stateOf(subagents, child.id)}</span>
        </button>
      ))}
    </nav>
  );
}

type ChildrenProps = {
  readonly session: Session;
  readonly shown: Session;
  readonly show: (session: Session) => void;
};

function stateOf(subagents: Session["state"]["subagents"], id: string): string {
  for (const one of subagents) if (one.sessionId === id) return one.activity?.state === "running" ? "works" : "";
  return "";
}

type TreeProps = {
  readonly session: Session;
  readonly earlier: EarlierEntries | undefined;
  /** `true` while a question of the session is open. */
  readonly isAsked: boolean;
  /** Number of prompts that the person has sent in this page. */
  readonly sent: number;
};

/** Conversation of a session, or of one of its subagents. */
export function TimelineOfTree({ session, earlier, isAsked, sent }: TreeProps) {
  // An id, because other objects take the place of all sessions of the tree when its earlier entries are loaded.
  const [shownId, setShown] = useState(session.id);
  const shown = find(shownId, session) ?? session;
  const show = ({ id }: Session) => setShown(id);
  return (
    <>
      <ChildrenBar session={session} shown={shown} show={show} />
      {shown === session ? null : <ChildrenBar session={shown} shown={shown} show={show} />}
      <Timeline
        key={shown.id}
        session={shown}
        earlier={shown === session ? earlier : undefined}
        isAsked={isAsked}
        sent={sent}
      />
    </>
  );
}

function find(id: string, session: Session): Session | undefined {
  if (session.id === id) return session;
  for (const child of session.children) {
    const found = find(id, child);
    if (found !== undefined) return found;
  }
  return undefined;
}
