import { headerName, SUBPROTOCOL } from "../../wire/headers.js";
import { refuse, refuseFull } from "../answers.js";
import type { Connections } from "../connections.js";
import type { Principal } from "../server-options.js";
import type { Upgrade } from "../server-socket.js";
import type { Settings } from "../settings.js";
import { offeredProtocols } from "../subprotocols.js";
import { SocketPeer } from "./socket-peer.js";

/** Decides about the upgrade of a principal. */
// REM-18
export function acceptUpgrade<P extends Principal>(
  request: Request,
  principal: P,
  { connections, settings }: { readonly connections: Connections<P>; readonly settings: Settings },
): Response | Upgrade {
  const named = request.headers.get(headerName.connectionId) ?? undefined;
  const resumed = named === undefined ? undefined : connections.find(named, principal);
  // REM-40
  if (named !== undefined && !(resumed?.isSocket && resumed.isResumable))
    return refuse(404, "The connection has ended, or never began. Open a WebSocket without Acp-Connection-Id.");
  // An upgrade that names no connection may become a resume, because browsers cannot name one. It needs a place only
  // until its first frame. An upgrade that names a connection needs no place, because only one such WebSocket waits for
  // each connection.
  const full = named === undefined ? connections.waitingFull(principal) : undefined;
  if (full !== undefined) return refuseFull(full);
  const id = named ?? crypto.randomUUID();
  return {
    headers: new Headers({ [headerName.connectionId]: id }),
    protocol: offeredProtocols(request).includes(SUBPROTOCOL) ? SUBPROTOCOL : undefined,
    owner: settings.hasPrincipals ? principal.id : undefined,
    open: (socket) => new SocketPeer(socket, { id, isResume: named !== undefined, principal, connections, settings }),
  };
}
