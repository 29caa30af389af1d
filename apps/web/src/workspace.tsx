import type { Client, Session } from "@turnkit/client";
import type { SessionTarget } from "@turnkit/react";
import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { fragmentOf, targetIn } from "./address.js";
import { InspectorButton } from "./inspector/inspector-button.js";
import { Conversation } from "./lazy-conversation.js";
import type { KeptFrames } from "./link/kept-frames.js";
import type { Link } from "./link/link.js";
import { keepDraft } from "./prompt/drafts.js";
import { useNewestFirst } from "./sessions/newest-first.js";
import { SessionList } from "./sessions/session-list.js";

type WorkspaceProps = {
  readonly client: Client;
  /** `false` while the page has no connection. The sessions of the old one can still be read. */
  readonly isConnected: boolean;
  readonly folder: string | undefined;
  readonly folders: Link["folders"];
  readonly kept: KeptFrames;
};

/** Sessions of one client, and the conversation of the selected one. */
export function Workspace({ client, isConnected, folder, folders, kept }: WorkspaceProps) {
  const [{ of, target }, setOpened] = useState(() => ({ of: client, target: targetIn(location.hash) }));
  const [current, setCurrent] = useState<Session | undefined>();
  // A deletion ends later than the drawing that began it, and another session may be shown by then.
  const shown = useRef(current);
  shown.current = current;
  const [isListOpen, setListOpen] = useState(target === undefined);
  const [asking, setAsking] = useState(0);
  const main = useRef<HTMLElement>(null);
  const show = useCallback((next: SessionTarget | undefined) => setOpened({ of: client, target: next }), [client]);
  // A new client opens the session of the address, even if the old client had begun it.
  if (of !== client) show(targetIn(location.hash));
  useEffect(() => {
    const follow = () => {
      show(targetIn(location.hash));
      setListOpen(false);
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [show]);
  const begin = async (cwd: string) => {
    if (!(await folders.hasFolder(cwd))) return `The machine of the server has no folder ${cwd}`;
    show({ cwd, key: `${performance.now()}` });
    setListOpen(false);
    return undefined;
  };
  const forget = (sessionId: string) => {
    keepDraft(sessionId, "");
    if (sessionId !== shown.current?.id) return;
    history.replaceState(null, "", location.pathname);
    show(undefined);
  };
  return (
    <div className="workspace" data-list={isListOpen ? "open" : "closed"}>
      {/* Not a link, because the fragment of the address names the session. */}
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        To the conversation
      </button>
      <SessionList
        client={client}
        current={current}
        folder={folder}
        onNew={begin}
        onDelete={forget}
        onAsking={setAsking}
      >
        <InspectorButton kept={kept} />
      </SessionList>
      <main tabIndex={-1} ref={main}>
        <h1 className="unseen">turnkit</h1>
        <button
          type="button"
          className="list-button"
          aria-expanded={isListOpen}
          aria-controls="sessions"
          onClick={() => setListOpen(!isListOpen)}
        >
          <span className="sign" aria-hidden="true">
            ☰
          </span>
          <span className="word">Sessions{asking === 0 ? "" : `, ${asking} with a question`}</span>
          {asking === 0 ? null : (
            <span className="count" aria-hidden="true">
              {asking}
            </span>
          )}
        </button>
        {of !== client || target === undefined ? (
          <p className="empty">Choose a session, or begin a new one.</p>
        ) : (
          <SessionView
            key={`${serialOf(client)} ${JSON.stringify(target)}`}
            client={client}
            isConnected={isConnected}
            target={target}
            folders={folders}
            onOpen={setCurrent}
          />
        )}
      </main>
    </div>
  );
}

const serials = new WeakMap<object, number>();
let newest = 0;

/** Returns a number for a client. No other client has this number. */
function serialOf(client: object): number {
  const known = serials.get(client) ?? ++newest;
  serials.set(client, known);
  return known;
}

type SessionViewProps = {
  readonly client: Client;
  readonly isConnected: boolean;
  readonly target: SessionTarget;
  readonly folders: Link["folders"];
  readonly onOpen: (session: Session | undefined) => void;
};

function SessionView({ client, isConnected, target, folders, onOpen }: SessionViewProps) {
  const { opened, earlier } = useNewestFirst(client, target);
  const { session } = opened;
  useEffect(() => {
    onOpen(session);
    // A reload, or the address on another device, shows the same session.
    if (session) history.replaceState(null, "", fragmentOf({ sessionId: session.id, cwd: session.cwd }));
    return () => onOpen(undefined);
  }, [session, onOpen]);
  const opening = <p className="empty">Opening the session…</p>;
  if (session) {
    return (
      <Suspense fallback={opening}>
        <Conversation
          session={session}
          earlier={earlier}
          client={client}
          isConnected={isConnected}
          listFiles={folders.files}
        />
      </Suspense>
    );
  }
  if (opened.status === "opening") return opening;
  return (
    <p className="empty" role="alert">
      The session cannot be opened: {opened.error?.message}{" "}
      <button type="button" onClick={opened.retry}>
        Try again
      </button>
    </p>
  );
}
