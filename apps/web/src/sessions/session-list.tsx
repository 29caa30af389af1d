import type { Client, Session, SessionInfo } from "@turnkit/client";
import { useSelector } from "@turnkit/react";
import { type ReactNode, type SubmitEvent, useEffect, useState } from "react";
import { fragmentOf } from "./address.js";
import { ageText } from "./age.js";

const MOST_SHOWN = 300;
const REFRESH_MS = 20_000;

type OnNew = (cwd: string) => Promise<string | undefined>;

type ListProps = {
  readonly client: Client;
  /** Session that is shown now. */
  readonly current: Session | undefined;
  /** Folder of new sessions, if the server has sent one. */
  readonly folder: string | undefined;
  /** Begins a session in a folder. Resolves to the reason if it cannot. */
  readonly onNew: OnNew;
  /** Elements below the list. */
  readonly children?: ReactNode;
};

/** Sessions of the server, the newest first, and the form for a new one. */
export function SessionList({ client, current, folder, onNew, children }: ListProps) {
  const { sessions, error } = useSessions(client, current);
  const now = Date.now();
  return (
    <nav id="sessions" className="sessions" aria-label="Sessions">
      <p className="brand">turnkit</p>
      <NewSession folder={folder ?? current?.cwd ?? sessions?.[0]?.cwd ?? ""} onNew={onNew} />
      {error === undefined ? null : <p role="alert">{error}</p>}
      {sessions?.length === 0 ? <p className="quiet">There are no sessions yet.</p> : null}
      <ul>
        {sessions?.map(({ sessionId, cwd, title, updatedAt }) => (
          <li key={sessionId}>
            <a href={fragmentOf({ sessionId, cwd })} aria-current={sessionId === current?.id ? "page" : undefined}>
              <span className="title">{title || "Without a title"}</span>
              <span className="quiet">
                <bdi>{cwd}</bdi> <time dateTime={updatedAt ?? undefined}>{ageText(updatedAt, now)}</time>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {children}
    </nav>
  );
}

function NewSession({ folder, onNew }: { readonly folder: string; readonly onNew: OnNew }) {
  const [typed, setTyped] = useState<string | undefined>();
  const [fault, setFault] = useState<string | undefined>();
  const cwd = typed ?? folder;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (cwd !== "") void onNew(cwd).then(setFault);
  };
  return (
    <form className="new-session" onSubmit={submit}>
      <label>
        Folder
        <input value={cwd} onChange={({ target }) => setTyped(target.value)} required spellCheck={false} />
      </label>
      {fault === undefined ? null : (
        <p role="alert" className="failure">
          {fault}
        </p>
      )}
      <button type="submit">New session</button>
    </form>
  );
}

const workOf = ({ title, activity }: Partial<Session["state"]>) => `${title} ${activity?.state}`;

type Listed = { readonly sessions?: readonly SessionInfo[]; readonly error?: string };

const NO_SESSION = { state: {}, subscribe: () => () => undefined };

/** Returns the sessions of the server. They are read again from time to time, and when the shown session changes its work. */
function useSessions(client: Client, current: Session | undefined): Listed {
  const [listed, setListed] = useState<Listed>({});
  const work = useSelector((current ?? NO_SESSION) as Session, workOf);
  // The work and the session are dependencies, because the list is out of date when they change.
  useEffect(() => {
    const stop = new AbortController();
    const read = () =>
      readSessions(client, stop.signal).then(
        (sessions) => stop.signal.aborted || setListed({ sessions }),
        (error: Error) => stop.signal.aborted || setListed((before) => ({ ...before, error: error.message })),
      );
    const look = () => document.hidden || void read();
    void read();
    const beat = setInterval(look, REFRESH_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      stop.abort();
      clearInterval(beat);
      document.removeEventListener("visibilitychange", look);
    };
  }, [client, current, work]);
  return listed;
}

async function readSessions(client: Client, signal: AbortSignal): Promise<readonly SessionInfo[]> {
  const sessions: SessionInfo[] = [];
  for await (const one of client.listSessions({}, signal)) {
    sessions.push(one);
    if (sessions.length === MOST_SHOWN) break;
  }
  return sessions.sort((a, b) => (b.updatedAt ?? "").localeCompare(a.updatedAt ?? ""));
}
