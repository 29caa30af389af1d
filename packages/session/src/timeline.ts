import { bytesOf, held } from "./bytes.js";
import { patchedBy, type Rules } from "./entity.js";
import type { Entry, NoticeEntry, UnknownEntry } from "./entry.js";
import type { MessageRole } from "./event.js";
import { addTo, type Keyed, type Naming, replaceIn } from "./keyed.js";
import { changed, type Whole } from "./patch.js";
import type { Anomaly, ReducerMemory, SessionState } from "./state.js";
import type { Vector } from "./vector.js";

const ANOMALIES = 100;
const ABOUT_LENGTH = 100;

/** The timeline key of a message that has an id. */
export const messageKey = (role: MessageRole, messageId: string): string => `${role}:${messageId}`;
/** The timeline key of a prompt of this side, which it keeps when the agent names the message. */
export const promptKey = (promptId: string): string => `prompt:${promptId}`;
/** The timeline key of a tool call. */
export const toolCallKey = (toolCallId: string): string => `tool_call:${toolCallId}`;
/** The timeline key of a compaction. */
export const compactionKey = (compactionId: string): string => `compaction:${compactionId}`;
/** The timeline key of a message between sessions. */
export const sessionMessageKey = (messageId: string): string => `session_message:${messageId}`;

/** Entries are found by their key, and a prompt that the agent has named also as that message. */
export const entryNaming: Required<Naming<Entry>> = {
  key: (entry) => entry.key,
  alias: (entry) =>
    entry.type === "message" && entry.prompt !== undefined && entry.messageId !== undefined
      ? messageKey(entry.role, entry.messageId)
      : undefined,
  // What stands for dropped entries has to fit into any bound.
  weigh: (entry) => (entry.type === "trimmed" ? 0 : bytesOf(entry)),
};

/** The state with some members changed and its bytes counted along; the same state if they all say what they said. */
export function updated(state: SessionState, change: Partial<SessionState>): SessionState {
  const next = changed(state, change);
  if (next === state) return state;
  let { bytes } = state;
  for (const member in change) {
    const key = member as keyof SessionState;
    if (next[key] !== state[key]) bytes += bytesOf(next[key]) - bytesOf(state[key]);
  }
  return { ...next, bytes };
}

/** Changes what the reducer remembers between events. */
export function remembering(state: SessionState, change: Partial<ReducerMemory>): SessionState {
  return updated(state, { internal: changed(state.internal, change) });
}

/** Puts a new entry at the end. Only the message named by `openMessage` may take chunks without an id afterwards. */
export function withEntry(
  state: SessionState,
  entry: Entry,
  memory: Partial<ReducerMemory> = { openMessage: undefined },
): SessionState {
  return remembering(withTimeline(state, addTo(state.timeline, entry)), memory);
}

/** Replaces the entry at a position; `grown`, by how much its bytes changed, is worked out unless it is known. */
export function withChangedEntry(state: SessionState, position: number, entry: Entry, grown?: number): SessionState {
  return withTimeline(state, replaceIn(state.timeline, position, entry, grown));
}

function withTimeline(state: SessionState, timeline: Keyed<Entry>): SessionState {
  const next: Whole<SessionState> = {
    sessionId: state.sessionId,
    cwd: state.cwd,
    additionalDirectories: state.additionalDirectories,
    title: state.title,
    updatedAt: state.updatedAt,
    _meta: state._meta,
    timeline,
    terminals: state.terminals,
    plans: state.plans,
    activity: state.activity,
    lastTurn: state.lastTurn,
    replaying: state.replaying,
    cancelling: state.cancelling,
    closed: state.closed,
    usage: state.usage,
    availableCommands: state.availableCommands,
    configOptions: state.configOptions,
    pendingPermissions: state.pendingPermissions,
    pendingElicitations: state.pendingElicitations,
    subagents: state.subagents,
    anomalies: state.anomalies,
    bytes: state.bytes + heldBy(timeline) - heldBy(state.timeline),
    limits: state.limits,
    internal: state.internal,
  };
  return next;
}

const heldBy = (timeline: Keyed<Entry>): number => (timeline as Vector<Entry>)[held];

/** One kind of entry that is made by the first patch for its id. */
export type EntryKind = {
  readonly type: "tool_call" | "compaction" | "session_message";
  /** The member that holds the id. */
  readonly id: string;
  readonly rules: Rules;
  /** What an entry begins with. */
  readonly fresh: object;
};

/** A kind of entry whose members begin as their rules set them back. */
export const entryKind = (type: EntryKind["type"], id: string, rules: Rules): EntryKind => {
  const fresh = Object.entries(rules).map(([member, rule]) => [member, rule(undefined as never, null as never)]);
  return { type, id, rules, fresh: Object.fromEntries(fresh) };
};

/** Patches the entry that an event is about, which its first one makes at the end of the timeline. */
export function withPatch(state: SessionState, kind: EntryKind, event: object, rules = kind.rules): SessionState {
  const { [kind.id]: id, at } = event as { readonly [member: string]: unknown };
  const key = `${kind.type}:${id}`;
  const position = state.timeline.indexOf(key);
  const before = state.timeline.get(key) ?? ({ type: kind.type, key, [kind.id]: id, ...kind.fresh, at } as Entry);
  const entry = patchedBy(before, rules, event);
  if (position < 0) return withEntry(state, entry);
  return entry === before ? state : withChangedEntry(state, position, entry);
}

/** Puts an entry without an id of its own at the end. It is no history: no message ends by it (V1-UPD-35). */
export function withNumbered(
  state: SessionState,
  entry: Omit<NoticeEntry, "key"> | Omit<UnknownEntry, "key">,
): SessionState {
  const serial = state.internal.serial + 1;
  const numbered: Entry = { ...entry, key: `${entry.type}:#${serial}` };
  return withEntry(state, numbered, { serial });
}

/** Keeps what nobody here can read, at the place where it came. A reader that drops it sees the same messages. */
export function withUnknown(state: SessionState, raw: unknown, reason?: string, at?: number): SessionState {
  return withNumbered(state, { type: "unknown", raw, reason, at });
}

/** Notes something odd that was absorbed. */
export function withAnomaly(state: SessionState, what: string, about?: unknown): SessionState {
  const anomaly: Anomaly = typeof about === "string" ? { what, about: about.slice(0, ABOUT_LENGTH) } : { what };
  return { ...state, anomalies: [...state.anomalies.slice(1 - ANOMALIES), anomaly] };
}
