import type {
  CompactionEntry,
  Entry,
  MessageEntry,
  SessionState,
  SubagentState,
  TerminalState,
  ToolCallEntry,
  WireEvent,
} from "@turnkit/session";
import { fitsAsJson, joinTextBlocks, splitEvent, toBase64 } from "@turnkit/session/codec";
import { MAX_UPDATE_BYTES } from "./update-size.js";

const upsertOf = { user: "user_message", agent: "agent_message", thought: "agent_thought" } as const;

/**
 * Returns the events that replay a session, as plain data, so that an agent can store them as JSON. The order is:
 *
 * 1. announcements of its child sessions, without their work;
 * 2. terminals;
 * 3. messages, tool calls, messages between sessions and finished compactions, each once, in its final form;
 * 4. plans;
 * 5. title and usage.
 *
 * - A message that is larger than one update becomes several events.
 * - Notices are left out, because they are not part of the history.
 * - Offers to cancel a tool call, terminal or child session are left out, and so are the activities of child sessions.
 *
 * @example
 * // Store the events when a turn ends, and say them again in `restoreSession`.
 * store.set(session.id, replayEvents(session.state));
 * for (const event of request.replay ? store.get(request.sessionId) : []) session.emit(event);
 */
export function replayEvents(state: SessionState): readonly WireEvent[] {
  return wholeEvents(state).flatMap(eventParts);
}

/** Returns {@link replayEvents}, with the pieces of each streamed text joined into one. */
export function joinedEvents(state: SessionState): readonly WireEvent[] {
  return wholeEvents(state).flatMap((event) => eventParts(joined(event)));
}

function joined(event: WireEvent): WireEvent {
  const isMessage = event.type === "user_message" || event.type === "agent_message" || event.type === "agent_thought";
  return isMessage && event.content ? { ...event, content: joinTextBlocks(event.content) } : event;
}

/**
 * Returns events that bring a watcher of a session from the state `seen` to `state`. For a new watcher, pass a new
 * state. Unlike {@link replayEvents}, the events contain work in progress: unfinished compactions, notices, offers to
 * cancel, and the activities of child sessions. The activity of the session itself is left out. Each event is made when
 * it is read, so that the first events can be sent while later events are made.
 *
 * - An entry that has changed is repeated as a whole.
 * - Pieces of a text that the watcher does not have are joined.
 *
 * @param leftOut entries and terminals of `state` that are not sent
 */
export function* liveEvents(
  state: SessionState,
  seen: SessionState,
  leftOut: ReadonlySet<Entry | TerminalState> = NOTHING,
): Generator<WireEvent, void, void> {
  for (const event of changedEvents(state, seen, leftOut)) yield* eventParts(event);
}

const NOTHING: ReadonlySet<never> = new Set();

function* changedEvents(
  state: SessionState,
  seen: SessionState,
  leftOut: ReadonlySet<Entry | TerminalState>,
): Generator<WireEvent, void, void> {
  const { title, updatedAt, usage } = state;
  for (const child of state.subagents) {
    if (seen.subagents.get(child.sessionId) === child) continue;
    const { activity, ...announced } = child;
    yield { type: "subagent_update", ...announced, ...(activity && { state: activity }) };
  }
  for (const terminal of state.terminals)
    if (seen.terminals.get(terminal.terminalId) !== terminal && !leftOut.has(terminal))
      yield { ...terminalEvent(terminal), ...offers(terminal) } as WireEvent;
  for (const entry of state.timeline) {
    const before = seen.timeline.get(entry.key);
    if (before === entry || leftOut.has(entry)) continue;
    for (const event of liveEntry(entry, state)) yield joinedAfter(before, event);
  }
  for (const plan of state.plans) if (seen.plans.get(plan.planId) !== plan) yield { type: "plan_update", plan };
  for (const { planId } of seen.plans) if (!state.plans.has(planId)) yield { type: "plan_removed", planId };
  if (title !== seen.title || updatedAt !== seen.updatedAt)
    yield { type: "session_info_update", title: title ?? null, updatedAt: updatedAt ?? null };
  if (usage !== undefined && usage !== seen.usage) yield { type: "usage_update", ...usage };
}

/**
 * Joins the pieces of a text that the watcher does not have. The other pieces stay unchanged, because version 1 uses
 * them to find the text that was not sent yet.
 */
function joinedAfter(before: Entry | undefined, event: WireEvent): WireEvent {
  if (before?.type !== "message" || !("content" in event) || !Array.isArray(event.content)) return joined(event);
  const had = before.content.length;
  const content = [...event.content.slice(0, had), ...joinTextBlocks(event.content.slice(had))];
  return { ...event, content } as WireEvent;
}

function liveEntry(entry: Entry, state: SessionState): readonly WireEvent[] {
  switch (entry.type) {
    case "tool_call":
      return [{ ...toolCallEvent(entry, state), ...offers(entry) } as WireEvent];
    case "compaction":
      return [compactionEvent(entry)];
    case "notice": {
      const { key: _, at: _at, ...notice } = entry;
      return [notice];
    }
    default:
      return entryEvents(entry, state);
  }
}

const offers = ({ capabilities }: { readonly capabilities?: unknown }): object =>
  capabilities === undefined ? {} : { capabilities };

function wholeEvents(state: SessionState): readonly WireEvent[] {
  const { title, updatedAt, usage } = state;
  return [
    // P-SUB-03: before anything that has the id of a child session.
    ...[...state.subagents].map(announcement),
    ...[...state.terminals].map(terminalEvent),
    ...[...state.timeline].flatMap((entry) => entryEvents(entry, state)),
    ...[...state.plans].map((plan): WireEvent => ({ type: "plan_update", plan })),
    ...(title !== undefined || updatedAt !== undefined
      ? [{ type: "session_info_update", ...(title && { title }), ...(updatedAt && { updatedAt }) } as const]
      : []),
    ...(usage === undefined ? [] : [{ type: "usage_update", ...usage } as const]),
  ];
}

// P-REPLAY-13
/** Returns the announcement of a child session, without its activity. */
function announcement({ activity: _, capabilities: _offers, ...child }: SubagentState): WireEvent {
  return { type: "subagent_update", ...child };
}

function entryEvents(entry: Entry, state: SessionState): readonly WireEvent[] {
  switch (entry.type) {
    case "message":
      return [messageEvent(entry)];
    case "tool_call":
      return [toolCallEvent(entry, state)];
    case "compaction":
      return entry.status === "in_progress" ? [] : [compactionEvent(entry)];
    case "session_message": {
      const { key: _, at: _at, dropped: _dropped, content, ...message } = entry;
      return [{ ...message, content: content.toArray() }];
    }
    default:
      return [];
  }
}

function messageEvent({ role, key, messageId = key, content, _meta }: MessageEntry): WireEvent {
  return { type: upsertOf[role], messageId, content: content.toArray(), ...(_meta && { _meta }) };
}

function toolCallEvent(entry: ToolCallEntry, { terminals }: SessionState): WireEvent {
  const { toolCallId, name, title, kind, status, locations, rawInput, rawOutput, _meta } = entry;
  // The client's terminals end with its connection.
  const content = entry.content.toArray().filter((item) => {
    return item.type !== "terminal" || !("terminalId" in item) || terminals.has(String(item.terminalId));
  });
  return {
    type: "tool_call_update",
    toolCallId,
    ...(name !== undefined && { name }),
    ...(title !== undefined && { title }),
    kind,
    status,
    ...(content.length > 0 && { content }),
    ...(locations.length > 0 && { locations }),
    ...(rawInput !== undefined && { rawInput }),
    ...(rawOutput !== undefined && { rawOutput }),
    ...(_meta && { _meta }),
  };
}

function compactionEvent({ compactionId, status, summary, error, _meta }: CompactionEntry): WireEvent {
  return {
    type: "compaction_update",
    compactionId,
    status,
    ...(summary.length > 0 && { summary: summary.toArray() }),
    ...(error !== undefined && { error }),
    ...(_meta && { _meta }),
  };
}

// V2-TERM-13
/** Returns a terminal as one snapshot. */
function terminalEvent({ terminalId, command, cwd, text, exitStatus, size, _meta }: TerminalState): WireEvent {
  return {
    type: "terminal_update",
    terminalId,
    ...(command !== undefined && { command }),
    ...(cwd !== undefined && { cwd }),
    ...(size !== undefined && { size }),
    ...(text !== "" && { output: { data: toBase64(new TextEncoder().encode(text)) } }),
    ...(exitStatus !== undefined && { exitStatus }),
    ...(_meta && { _meta }),
  };
}

/** Maximum size of one part, in bytes of JSON. Base64 needs a multiple of four. */
const PART_BYTES = 16 * 1024 * 1024;

/** Splits an event into parts that are small enough to send. An event whose values cannot be split stays whole. */
function eventParts(event: WireEvent): readonly WireEvent[] {
  if (fitsAsJson(event, MAX_UPDATE_BYTES)) return [event];
  if (event.type === "terminal_update") return terminalParts(event);
  // Version 1 repeats the content of a tool call with each part of it.
  const most = event.type === "tool_call_update" ? MAX_UPDATE_BYTES : PART_BYTES;
  return splitEvent(event, most) as readonly WireEvent[];
}

type TerminalUpdate = WireEvent & { readonly type: "terminal_update" };

/** Splits a snapshot of a terminal into three kinds of events: the start, the output and the exit. */
function terminalParts({ output, exitStatus, ...start }: TerminalUpdate): readonly WireEvent[] {
  const { type, terminalId } = start;
  const events = [...(splitEvent(start, PART_BYTES) as readonly WireEvent[])];
  const data = output?.data ?? "";
  for (let from = 0; from < data.length; from += PART_BYTES) {
    events.push({ type: "terminal_output_chunk", terminalId, data: data.slice(from, from + PART_BYTES) });
  }
  if (exitStatus !== undefined) events.push({ type, terminalId, exitStatus });
  return events;
}
