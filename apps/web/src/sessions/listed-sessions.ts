import type { Client, Session, SessionInfo } from "@turnkit/client";
import { useSelector } from "@turnkit/react";
import { useEffect, useRef, useState } from "react";
import { updateNews } from "./seen-sessions.js";

/** Maximum number of listed sessions. */
export const MOST_SHOWN = 300;
/** Maximum number of sessions that a search reads. */
const MOST_SEARCHED = 3_000;
const REFRESH_MS = 20_000;

/** Session of the list. With `asks` it waits for an answer of a person, and with `news` it has changed since the person saw it. */
export type ListedSession = SessionInfo & { readonly mark?: "asks" | "works" | "news" };

/** Sessions of the server, the newest first, or the reason why the newest list is missing. */
export type Listed = { readonly sessions?: readonly ListedSession[]; readonly error?: string };

const workOf = ({ title, activity }: Partial<Session["state"]>) => `${title} ${activity?.state}`;

const NO_SESSION = { state: {}, subscribe: () => () => undefined };

/**
 * Returns the sessions of the server. They are read again from time to time, and when the shown session changes its work.
 * A search reads more of them.
 */
export function useListedSessions(client: Client, current: Session | undefined, isSearch: boolean) {
  const [listed, setListed] = useState<Listed>({});
  const work = useSelector((current ?? NO_SESSION) as Session, workOf);
  const shown = useRef(new Set<string>());
  // The work and the session are dependencies, because the list is out of date when they change.
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    if (current !== undefined) shown.current.add(current.id);
    const read = () =>
      readSessions(client, isSearch ? MOST_SEARCHED : MOST_SHOWN, signal).then(
        (sessions) => {
          if (signal.aborted) return;
          setListed({ sessions: marked(sessions, updateNews(sessions, shown.current)) });
          // A session that the person has left counts as seen once more.
          shown.current = new Set(current && [current.id]);
        },
        (error: Error) => signal.aborted || setListed((before) => ({ ...before, error: error.message })),
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
  }, [client, current, work, isSearch]);
  const forget = (sessionId: string) =>
    setListed(({ sessions, ...others }) => ({
      ...others,
      ...(sessions && { sessions: sessions.filter((one) => one.sessionId !== sessionId) }),
    }));
  return { ...listed, forget };
}

/** Returns sessions with their marks, those that wait for an answer first. */
function marked(sessions: readonly SessionInfo[], news: ReadonlySet<string>): readonly ListedSession[] {
  const listed = sessions.map((info): ListedSession => {
    const activity = info._meta?.["turnkit.activity"];
    if (activity === "requires_action") return { ...info, mark: "asks" };
    if (activity === "running") return { ...info, mark: "works" };
    return news.has(info.sessionId) ? { ...info, mark: "news" } : info;
  });
  return listed.sort((a, b) => Number(b.mark === "asks") - Number(a.mark === "asks"));
}

async function readSessions(client: Client, most: number, signal: AbortSignal): Promise<readonly SessionInfo[]> {
  const sessions: SessionInfo[] = [];
  for await (const one of client.listSessions({}, signal)) {
    sessions.push(one);
    if (sessions.length === most) break;
  }
  return sessions.sort((a, b) => (b.updatedAt ?? "").localeCompare(a.updatedAt ?? ""));
}
