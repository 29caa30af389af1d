import type { Client, Session } from "@turnkit/client";
import { type SessionTarget, useSession } from "@turnkit/react";
import { Suspense, useEffect, useState } from "react";
import { fragmentOf, targetIn } from "./address.js";
import { InspectorButton } from "./inspector/inspector-button.js";
import { Conversation } from "./lazy-conversation.js";
import type { KeptFrames } from "./link/kept-frames.js";
import type { Link } from "./link/link.js";
import { SessionList } from "./session-list.js";

type WorkspaceProps = {
  readonly client: Client;
  readonly folder: string | undefined;
  readonly folders: Link["folders"];
  readonly kept: KeptFrames;
};

/** Sessions of one client, and the conversation of the selected one. */
export function Workspace({ client, folder, folders, kept }: WorkspaceProps) {
  const [target, setTarget] = useState<SessionTarget | undefined>(() => targetIn(location.hash));
  const [current, setCurrent] = useState<Session | undefined>();
  const [isListOpen, setListOpen] = useState(target === undefined);
  useEffect(() => {
    const follow = () => {
      setTarget(targetIn(location.hash));
      setListOpen(false);
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const begin = async (cwd: string) => {
    if (!(await folders.hasFolder(cwd))) return `The machine of the server has no folder ${cwd}`;
    setTarget({ cwd, key: `${performance.now()}` });
    setListOpen(false);
    return undefined;
  };
  return (
    <div className="workspace" data-list={isListOpen ? "open" : "closed"}>
      <SessionList client={client} current={current} folder={folder} onNew={begin}>
        <InspectorButton kept={kept} />
      </SessionList>
      <main>
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
          <span className="word">Sessions</span>
        </button>
        {target === undefined ? (
          <p className="empty">Choose a session, or begin a new one.</p>
        ) : (
          <Opened key={JSON.stringify(target)} client={client} target={target} folders={folders} onOpen={setCurrent} />
        )}
      </main>
    </div>
  );
}

type OpenedProps = {
  readonly client: Client;
  readonly target: SessionTarget;
  readonly folders: Link["folders"];
  readonly onOpen: (session: Session | undefined) => void;
};

function Opened({ client, target, folders, onOpen }: OpenedProps) {
  const opened = useSession(client, target);
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
        <Conversation session={session} client={client} listFiles={folders.files} />
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
