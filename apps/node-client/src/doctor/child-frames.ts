import { foreignKey, foreignText, membersOf } from "../output/foreign-value.js";
import { type Frame, wireOf } from "./evidence.js";

type Members = Readonly<Record<string, unknown>>;

/** Returns the ids of all child sessions that the agent announced, each with the session that announced it. */
export function announcedChildren(frames: readonly Frame[]): ReadonlyMap<string, string> {
  const children = new Map<string, string>();
  for (const [sessionId, { sessionUpdate, sessionId: child }] of updatesIn(frames)) {
    const id = foreignKey(child);
    if (sessionUpdate === "subagent_update" && !children.has(id)) children.set(id, sessionId);
  }
  return children;
}

/** Returns the messages of the agent that name a session before its announcement. The client's sessions need none. */
// P-SUB-03
export function unannounced(frames: readonly Frame[]): readonly string[] {
  const known = ownSessions(frames);
  const faults: string[] = [];
  for (const frame of frames) {
    if (frame.way === "sent") continue;
    const { method, params } = wireOf(frame);
    if (typeof method !== "string") continue;
    const update = membersOf(params.update);
    const named = [params.sessionId, ...(method === "session/update" ? namedIn(update) : [])];
    for (const id of named) {
      if (typeof id === "string" && !known.has(id)) faults.push(`${method} names ${foreignText(id)}`);
    }
    if (update.sessionUpdate === "subagent_update") known.add(foreignKey(update.sessionId));
  }
  return faults;
}

/** Returns the child sessions that the agent reported neither as idle nor as background work of their parents. */
// P-SUB-14, P-SUB1-03
export function endlessChildren(frames: readonly Frame[]): readonly string[] {
  const states = new Map<string, unknown>();
  const background = new Map<string, ReadonlySet<unknown>>();
  for (const [sessionId, update] of updatesIn(frames)) {
    if (update.sessionUpdate === "state_update") {
      states.set(sessionId, update.state);
      const listed = list(update.background).filter(({ type }) => type === "subagent");
      background.set(sessionId, new Set(listed.map(({ sessionId: child }) => child)));
    }
    const mirror = membersOf(update.state).state ?? update.state;
    if (update.sessionUpdate === "subagent_update" && typeof mirror === "string")
      states.set(foreignKey(update.sessionId), mirror);
  }
  return [...announcedChildren(frames)].flatMap(([child, parent]) => {
    const state = states.get(child);
    if (state === "idle" || background.get(parent)?.has(child)) return [];
    return [`${foreignText(child)} (${state === undefined ? "no state" : foreignText(state)})`];
  });
}

function* updatesIn(frames: readonly Frame[]): Generator<readonly [sessionId: string, update: Members]> {
  for (const frame of frames) {
    const { method, params } = wireOf(frame);
    if (frame.way === "received" && method === "session/update")
      yield [foreignKey(params.sessionId), membersOf(params.update)];
  }
}

/** Sessions that the client opened or tried to restore. */
function ownSessions(frames: readonly Frame[]): Set<string> {
  const own = new Set<string>();
  for (const frame of frames) {
    const { params, result } = wireOf(frame);
    const id = frame.way === "sent" ? params.sessionId : membersOf(result).sessionId;
    if (typeof id === "string") own.add(id);
  }
  return own;
}

/** Other sessions that an update names. */
function namedIn({ sessionUpdate, content, background, ...ids }: Members): readonly unknown[] {
  if (sessionUpdate === "session_message") return [ids.senderSessionId, ids.recipientSessionId];
  const items = sessionUpdate === "state_update" ? list(background) : list(content);
  return items.flatMap(({ type, sessionId }) => (type === "session" || type === "subagent" ? [sessionId] : []));
}

const list = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);
