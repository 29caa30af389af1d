import { bytesOf, bytesOfAll } from "./bytes.js";
import type { Entry, SessionMessageEntry, ToolCallEntry } from "./entry.js";
import type { MessageRole } from "./event.js";
import { addTo, type Keyed, type Naming, replaceIn } from "./keyed.js";
import { changed, type Whole } from "./patch.js";
import type { Anomaly, ReducerMemory, SessionState } from "./state.js";

/** What an entry costs beside its contents. */
const ENTRY_BYTES = 200;
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
export const entryNaming: Naming<Entry> = {
  key: (entry) => entry.key,
  alias: (entry) =>
    entry.type === "message" && entry.prompt !== undefined && entry.messageId !== undefined
      ? messageKey(entry.role, entry.messageId)
      : undefined,
};

/** What an entry adds to {@link SessionState.bytes}. */
export function entryBytes(entry: Entry, most: number): number {
  switch (entry.type) {
    case "message":
      return (
        ENTRY_BYTES +
        entry.key.length +
        (entry.messageId?.length ?? 0) +
        bytesOf(entry._meta, most) +
        bytesOf(entry.chunkMeta, most) +
        bytesOf(entry.prompt?.error, most) +
        bytesOfAll(entry.content, most)
      );
    case "tool_call":
      return ENTRY_BYTES + 2 * entry.key.length + toolCallBytes(entry, most);
    case "notice":
      return ENTRY_BYTES + bytesOf(entry.title, most) + bytesOf(entry.description, most) + bytesOf(entry._meta, most);
    case "compaction":
      return (
        ENTRY_BYTES +
        2 * entry.key.length +
        bytesOf(entry.error, most) +
        bytesOf(entry._meta, most) +
        bytesOfAll(entry.summary, most)
      );
    case "session_message":
      return ENTRY_BYTES + 2 * entry.key.length + sessionMessageBytes(entry, most);
    case "unknown":
      return ENTRY_BYTES + bytesOf(entry.raw, most);
    case "trimmed":
      return 0;
  }
}

function toolCallBytes(entry: ToolCallEntry, most: number): number {
  return (
    bytesOf(entry.name, most) +
    bytesOf(entry.title, most) +
    bytesOf(entry.locations, most) +
    bytesOf(entry.rawInput, most) +
    bytesOf(entry.rawOutput, most) +
    bytesOf(entry.capabilities, most) +
    bytesOf(entry._meta, most) +
    bytesOfAll(entry.content, most)
  );
}

function sessionMessageBytes(entry: SessionMessageEntry, most: number): number {
  return (
    bytesOf(entry.senderSessionId, most) +
    bytesOf(entry.recipientSessionId, most) +
    bytesOf(entry.senderMessageId, most) +
    bytesOf(entry.recipientMessageId, most) +
    bytesOf(entry._meta, most) +
    bytesOfAll(entry.content, most)
  );
}

/** Puts a new entry at the end. Only the message named by `openMessage` may take chunks without an id afterwards. */
export function withEntry(state: SessionState, entry: Entry, openMessage?: string): SessionState {
  const bytes = state.bytes + entryBytes(entry, state.limits.stateBytes);
  return remembering(withTimeline(state, addTo(state.timeline, entry), bytes), { openMessage });
}

/** Replaces the entry at a position; `grown` is by how much its bytes changed. */
export function withChangedEntry(state: SessionState, position: number, entry: Entry, grown: number): SessionState {
  return withTimeline(state, replaceIn(state.timeline, position, entry), state.bytes + grown);
}

function withTimeline(state: SessionState, timeline: Keyed<Entry>, bytes: number): SessionState {
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
    bytes,
    limits: state.limits,
    internal: state.internal,
  };
  return next;
}

/** A key for an entry that has no id, and the state that will not give it out again. */
export function numbered(state: SessionState, kind: string): { readonly key: string; readonly state: SessionState } {
  const serial = state.internal.serial + 1;
  return { key: `${kind}:#${serial}`, state: { ...state, internal: { ...state.internal, serial } } };
}

/** A chunk without an id that comes next begins a message. */
export function withoutOpenMessage(state: SessionState): SessionState {
  return state.internal.openMessage === undefined ? state : remembering(state, { openMessage: undefined });
}

/** Changes what the reducer remembers between events. */
export function remembering(state: SessionState, change: Partial<ReducerMemory>): SessionState {
  const internal = changed(state.internal, change);
  return internal === state.internal ? state : { ...state, internal };
}

/** Notes something odd that was absorbed. */
export function withAnomaly(state: SessionState, what: string, about?: unknown): SessionState {
  const anomaly: Anomaly = typeof about === "string" ? { what, about: about.slice(0, ABOUT_LENGTH) } : { what };
  return { ...state, anomalies: [...state.anomalies.slice(1 - ANOMALIES), anomaly] };
}
