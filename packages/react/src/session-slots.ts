import type { Client, Session } from "@turnkit/client";
import type { SessionWorkspace } from "@turnkit/session";

/** Session to open: a new one, or the stored session with `sessionId`. */
export type SessionTarget = SessionWorkspace & {
  /** Id of a session that the agent has. Without it, the session is new. */
  readonly sessionId?: string;
  /** Distinguishes several new sessions of the same folder. Never sent. */
  readonly key?: string;
};

/**
 * Opening of a session, and its outcome.
 *
 * - `opening`: the agent has not answered, or there is no client yet.
 * - `open`: `session` can be used. It stays `open` after the end of the session; `session.state.closed` shows the end.
 * - `failed`: `error` has the reason. `retry` opens again, for example after a login.
 */
export type OpenedSession =
  | { readonly status: "opening"; readonly session?: undefined; readonly error?: undefined }
  | { readonly status: "open"; readonly session: Session; readonly error?: undefined }
  | { readonly status: "failed"; readonly session?: undefined; readonly error: Error; readonly retry: () => void };

/** Part of a client that opens sessions. */
export type OpeningClient = Pick<Client, "newSession" | "restore">;

/** Result for a session that is not open yet. */
export const OPENING: OpenedSession = { status: "opening" };

/** Place of one target. Components with the same target share it. */
type Slot = { result: OpenedSession; readonly listeners: Set<() => void> };

const slotsOf = /* @__PURE__ */ new WeakMap<OpeningClient, Map<string, Slot>>();

/** Returns the result for a target, without opening anything. */
export function readSlot(client: OpeningClient | undefined, target: string): OpenedSession {
  return (client && slotsOf.get(client)?.get(target)?.result) ?? OPENING;
}

/**
 * Opens the session of a target, unless another component has opened it, and calls `changed` after each change of the
 * result. Returns a function that stops these calls. The session stays open, so that a component that is mounted again gets
 * the same session.
 *
 * @param target a {@link SessionTarget} as JSON
 */
export function watchSlot(client: OpeningClient, target: string, changed: () => void): () => void {
  const slots = slotsOf.get(client) ?? new Map<string, Slot>();
  slotsOf.set(client, slots);
  // A session that has ended, and that nobody shows, would keep its state in memory.
  for (const [key, slot] of slots) if (slot.listeners.size === 0 && isOver(slot)) slots.delete(key);
  let slot = slots.get(target);
  if (slot === undefined) {
    slot = { result: OPENING, listeners: new Set() };
    slots.set(target, slot);
    open(client, target, slot);
  }
  const { listeners } = slot;
  listeners.add(changed);
  return () => void listeners.delete(changed);
}

function isOver({ result }: Slot): boolean {
  return result.status === "failed" || result.session?.state.closed === true;
}

function open(client: OpeningClient, target: string, slot: Slot): void {
  const settle = (result: OpenedSession): void => {
    slot.result = result;
    for (const changed of [...slot.listeners]) changed();
  };
  const retry = (): void => {
    if (slot.result.status !== "failed") return;
    settle(OPENING);
    open(client, target, slot);
  };
  sessionOf(client, JSON.parse(target)).then(
    (session) => settle({ status: "open", session }),
    (error) => settle({ status: "failed", error, retry }),
  );
}

async function sessionOf(client: OpeningClient, { sessionId, key: _, ...workspace }: SessionTarget): Promise<Session> {
  if (sessionId === undefined) return client.newSession(workspace);
  const outcome = await client.restore(sessionId, workspace);
  if (outcome.status === "unavailable") throw outcome.error;
  return outcome.session;
}
