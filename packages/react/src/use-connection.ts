import type { Client, CloseReason } from "@turnkit/client";
import { useMemo, useSyncExternalStore } from "react";
import { checkClient } from "./check-arguments.js";

/** Connection of a client: open, or closed with the reason. */
export type ConnectionStatus =
  | { readonly status: "open"; readonly reason?: undefined }
  | { readonly status: "closed"; readonly reason: CloseReason };

type ClosingClient = Pick<Client, "closed">;

/** Status of the connection of one client, and the functions to call when it closes. */
type Watched = { status: ConnectionStatus; readonly closed: Set<() => void> };

const OPEN: ConnectionStatus = { status: "open" };
const watched = /* @__PURE__ */ new WeakMap<ClosingClient, Watched>();

/**
 * Returns the status of a client's connection. It is `closed` when `client.closed` has settled: events that had arrived are
 * handled, and open turns have failed. A cut that a remote connection resumes does not change the status.
 *
 * @throws TypeError for a value that is not a client
 *
 * @example
 * const { status, reason } = useConnection(client);
 */
export function useConnection(client: ClosingClient): ConnectionStatus {
  checkClient("useConnection", client, "closed");
  const [subscribe, read] = useMemo(() => {
    const add = (draw: () => void) => {
      const { closed } = watch(client);
      closed.add(draw);
      return () => void closed.delete(draw);
    };
    return [add, () => watched.get(client)?.status ?? OPEN] as const;
  }, [client]);
  return useSyncExternalStore(subscribe, read, read);
}

/** Waits for the end of a connection once, for all components. */
function watch(client: ClosingClient): Watched {
  const known = watched.get(client);
  if (known !== undefined) return known;
  const now: Watched = { status: OPEN, closed: new Set() };
  watched.set(client, now);
  void client.closed.then((reason) => {
    now.status = { status: "closed", reason };
    for (const draw of now.closed) draw();
  });
  return now;
}
