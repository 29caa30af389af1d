import { useMemo, useSyncExternalStore } from "react";
import { checkClient, checkTarget } from "./check-arguments.js";
import {
  OPENING,
  type OpenedSession,
  type OpeningClient,
  readSlot,
  type SessionTarget,
  watchSlot,
} from "./session-slots.js";

/**
 * Opens or restores a session when the component is mounted, and returns the session or the error.
 *
 * - A client opens one session for all components with an equal target, also in StrictMode and after a remount.
 * - The hook never closes a session, because that would end the agent's work. Call `session.close()`.
 * - A session that has ended, or an opening that has failed, is opened again by the next mount that finds no other
 *   component with this target.
 * - A server opens nothing. Its result is `opening`.
 *
 * @param client connection to the agent; `undefined` while there is none
 * @throws TypeError for a value that is not a client, and for a target without a folder
 *
 * @example
 * const { session, error } = useSession(client, { cwd: "/srv/project" });
 */
export function useSession(client: OpeningClient | undefined, target: SessionTarget): OpenedSession {
  if (client != null) checkClient("useSession", client, "newSession");
  checkTarget(target);
  const text = JSON.stringify(target);
  const [subscribe, read] = useMemo(() => {
    const watch = (draw: () => void) => (client ? watchSlot(client, text, draw) : () => undefined);
    return [watch, () => readSlot(client, text)] as const;
  }, [client, text]);
  return useSyncExternalStore(subscribe, read, () => OPENING);
}
