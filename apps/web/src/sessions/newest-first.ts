import type { Client } from "@turnkit/client";
import { type OpenedSession, type SessionTarget, useSession } from "@turnkit/react";
import { useMemo, useState } from "react";
import { mayHaveLost } from "../prompt/kept-prompts.js";

/** Number of entries with which a stored session opens. */
const NEWEST = 100;

/** Earlier entries of a conversation that the page does not have. */
export type EarlierEntries = {
  readonly count: number;
  readonly status: "absent" | "loading" | "failed";
  /** Loads them, unless they are being loaded. */
  readonly load: () => void;
};

/**
 * Opens a session with its newest entries, because a person reads these first, and a long conversation has megabytes.
 * When the earlier entries are loaded, another session object takes the place of the first one.
 */
export function useNewestFirst(
  client: Client,
  target: SessionTarget,
): { readonly opened: OpenedSession; readonly earlier: EarlierEntries | undefined } {
  const { sessionId } = target;
  // To find out whether a prompt has arrived, the page needs everything after it.
  const [newest] = useState(() => (sessionId === undefined || mayHaveLost(sessionId) ? target : onlyNewest(target)));
  const [isWanted, want] = useState(false);
  const first = useSession(client, newest);
  const whole = useSession(isWanted ? client : undefined, target);
  const opened = whole.session === undefined ? first : whole;
  const count = opened.session?._meta?.["turnkit.earlier"];
  const { status } = whole;
  const earlier = useMemo(() => {
    if (typeof count !== "number") return undefined;
    if (status === "failed") return { count, status, load: whole.retry };
    return { count, status: isWanted ? "loading" : "absent", load: () => want(true) } as const;
  }, [count, status, isWanted, whole]);
  return { opened, earlier };
}

const onlyNewest = (target: SessionTarget): SessionTarget => ({ ...target, _meta: { "turnkit.newest": NEWEST } });
