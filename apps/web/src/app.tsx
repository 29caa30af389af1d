import { useSyncExternalStore } from "react";
import type { Link, LinkState } from "./link/link.js";
import { Workspace } from "./workspace.js";

/** The whole page. */
export function App({ link }: { readonly link: Link }) {
  const state = useSyncExternalStore(link.subscribe, () => link.state);
  const { client } = state;
  const notice = <LinkNotice state={state} retry={link.retry} />;
  if (client === undefined) {
    return (
      <main>
        <h1 className="brand">turnkit</h1>
        {notice}
      </main>
    );
  }
  return (
    <>
      {notice}
      {/* After a loss, the old conversation stays readable until the new client is there. */}
      <Workspace
        client={client}
        isConnected={state.status === "open"}
        folder={state.settings?.folder}
        folders={link.folders}
        kept={link.frames}
      />
    </>
  );
}

function LinkNotice({ state, retry }: { readonly state: LinkState; readonly retry: () => void }) {
  const isOnline = useOnline();
  if (state.status === "connecting") return <p className="notice">Connecting…</p>;
  if (state.status === "locked") {
    return (
      <p className="notice" role="alert">
        This browser is not logged in, or the token was used before. Open the address that the server prints.{" "}
        <button type="button" onClick={retry}>
          Try again
        </button>
      </p>
    );
  }
  if (state.status === "lost") {
    return (
      <p className="notice" role="alert">
        The connection is lost. The page connects again by itself. <small>{state.message}</small>{" "}
        <button type="button" onClick={retry}>
          Connect now
        </button>
      </p>
    );
  }
  const cut = state.cut ?? (isOnline ? undefined : "This device has no network.");
  return cut === undefined ? null : (
    <p className="notice" role="status">
      The connection is interrupted. What you send waits. <small>{cut}</small>
    </p>
  );
}

/** Returns false while the browser knows that there is no network. A connection notices this later than the browser. */
function useOnline(): boolean {
  return useSyncExternalStore(watchOnline, () => navigator.onLine);
}

function watchOnline(changed: () => void): () => void {
  addEventListener("online", changed);
  addEventListener("offline", changed);
  return () => {
    removeEventListener("online", changed);
    removeEventListener("offline", changed);
  };
}
