import type { Client, Session } from "@turnkit/client";
import { type ReactNode, useDeferredValue, useEffect, useState } from "react";
import { type ListedSession, MOST_SHOWN, useListedSessions } from "./listed-sessions.js";
import { NewSession, type OnNew } from "./new-session.js";
import { SessionRow } from "./session-row.js";

/** Number of sessions from which the list has a search. */
const SEARCHED_FROM = 6;

type ListProps = {
  readonly client: Client;
  /** Session that is shown now. */
  readonly current: Session | undefined;
  /** Folder of new sessions, if the server has sent one. */
  readonly folder: string | undefined;
  readonly onNew: OnNew;
  /** Called after a session was deleted here. */
  readonly onDelete: (sessionId: string) => void;
  /** Called with the number of other sessions that wait for an answer, when it changes. */
  readonly onAsking: (count: number) => void;
  /** Elements below the list. */
  readonly children?: ReactNode;
};

/** Sessions of the server, the newest first, with a search, and the form for a new one. */
export function SessionList({ client, current, folder, onNew, onDelete, onAsking, children }: ListProps) {
  const [query, setQuery] = useState("");
  const searched = useDeferredValue(query);
  const { sessions, error, forget } = useListedSessions(client, current, searched !== "");
  const fitting = sessions?.filter((one) => fits(one, searched)) ?? [];
  const asking = sessions?.filter(({ sessionId, mark }) => mark === "asks" && sessionId !== current?.id).length ?? 0;
  useEffect(() => onAsking(asking), [asking, onAsking]);
  const hasSearch = query !== "" || (sessions?.length ?? 0) >= SEARCHED_FROM;
  const deleter = client.peer.capabilities.delete ? client : undefined;
  const deleted = (sessionId: string) => {
    forget(sessionId);
    onDelete(sessionId);
  };
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  return (
    <nav id="sessions" className="sessions" aria-label="Sessions">
      <p className="brand">turnkit</p>
      <NewSession folder={folder ?? current?.cwd ?? sessions?.[0]?.cwd ?? ""} onNew={onNew} />
      {hasSearch ? (
        <input
          type="search"
          className="session-search"
          aria-label="Search sessions"
          placeholder="Search"
          dir="auto"
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          spellCheck={false}
        />
      ) : null}
      {error === undefined ? null : <p role="alert">{error}</p>}
      {sessions?.length === 0 ? <p className="quiet">There are no sessions yet.</p> : null}
      <output className="quiet">{noteOf(fitting.length, searched)}</output>
      <ul>
        {fitting.slice(0, MOST_SHOWN).map((info) => (
          <SessionRow
            key={info.sessionId}
            info={info}
            isCurrent={info.sessionId === current?.id}
            now={now}
            client={deleter}
            onDelete={deleted}
          />
        ))}
      </ul>
      {children}
    </nav>
  );
}

/** Returns true for a session whose title or folder has every word of a query. */
function fits({ title, cwd }: ListedSession, query: string): boolean {
  const text = `${title ?? ""} ${cwd}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function noteOf(count: number, query: string): string {
  if (count >= MOST_SHOWN) return `The newest ${MOST_SHOWN} sessions are listed.`;
  if (query === "") return "";
  return count === 0 ? "No session has these words." : `${count} found`;
}
