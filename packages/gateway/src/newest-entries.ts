import type { Entry, Meta, SessionState, SessionWorkspace, TerminalState } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";

/** Member of `_meta` in a request that restores a session: the number of its newest entries that the client wants. */
const NEWEST = "turnkit.newest";
/** Member of `_meta` in the answer: the number of entries that were left out. */
const EARLIER = "turnkit.earlier";

/** Entries and terminals that a replay leaves out. */
export type LeftOut = ReadonlySet<Entry | TerminalState>;

/** Part of a conversation that a replay sends. */
export type ReplayedPart = { readonly leftOut: LeftOut; readonly _meta?: Meta };

/**
 * Returns the number of newest entries that a client requests, and the workspace without this member, which is not for
 * the agent.
 */
export function takeNewest<W extends SessionWorkspace>(workspace: W): readonly [newest: number | undefined, W] {
  const { [NEWEST]: newest, ...rest } = workspace._meta ?? {};
  if (newest === undefined) return [undefined, workspace];
  if (!Number.isInteger(newest) || (newest as number) < 1)
    throw RpcError.invalidParams(`_meta["${NEWEST}"] is not a number of entries, 1 or more`);
  return [newest as number, { ...workspace, _meta: rest }];
}

/**
 * Chooses the entries and terminals that a replay of the newest entries leaves out. Unfinished work is always sent,
 * because its updates follow. Terminals are left out if no entry of the replay shows them.
 */
// SHARE-02
export function partOf(
  { timeline, terminals, activity }: SessionState,
  newest = Number.POSITIVE_INFINITY,
): ReplayedPart {
  const first = timeline.length - newest;
  if (first <= 0) return { leftOut: new Set() };
  const entries = timeline.toArray();
  const turn = activity.state === "idle" ? entries.length : entries.findLastIndex(isPrompt);
  const isLeftOut = (entry: Entry, at: number) =>
    at < first && isDone(entry) && !(entry.type === "message" && at >= turn);
  const left = entries.filter(isLeftOut);
  const shown = new Set(entries.filter((entry, at) => !isLeftOut(entry, at)).flatMap(terminalsIn));
  const unseen = [...terminals].filter(({ terminalId, exitStatus }) => exitStatus && !shown.has(terminalId));
  return { leftOut: new Set([...left, ...unseen]), ...(left.length > 0 && { _meta: { [EARLIER]: left.length } }) };
}

const isPrompt = (entry: Entry): boolean => entry.type === "message" && entry.role === "user";

function isDone(entry: Entry): boolean {
  if (entry.type === "compaction") return entry.status !== "in_progress";
  return entry.type !== "tool_call" || ["completed", "failed", "cancelled"].includes(entry.status);
}

const terminalsIn = (entry: Entry): readonly string[] =>
  entry.type !== "tool_call"
    ? []
    : [...entry.content].flatMap((part) => (part.type === "terminal" && "terminalId" in part ? [part.terminalId] : []));
