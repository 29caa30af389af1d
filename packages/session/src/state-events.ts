import type { ItemList } from "./change.js";
import { checkBounds } from "./check-option.js";
import { isObject } from "./codec/read.js";
import { createSessionState } from "./create-session-state.js";
import type { Entry, MessageEntry } from "./entry.js";
import type { SessionEvent } from "./event.js";
import { joinTextBlocks } from "./join-text-blocks.js";
import { jsonBytes } from "./json-bytes.js";
import { reduceAll } from "./reduce.js";
import { sameAsRead } from "./same-as-read.js";
import { GROWING } from "./slice/restored.js";
import { splitEvent } from "./split-event.js";
import type { SessionState, TerminalState } from "./state.js";
import { toBase64 } from "./terminal-bytes.js";
import type { KeyedList } from "./vector.js";

/** Bounds of {@link stateEvents}. */
export type StateEventsOptions = {
  /** Maximum size of an event as JSON in UTF-8, in bytes. */
  readonly maxEventBytes?: number;
};

/**
 * Returns events that change a new state with the same limits to this state. The result contains everything, unfinished
 * parts too, and the memory of the reducer. Later events therefore have the same effect on both states. Only
 * neighbouring plain text blocks may be joined.
 *
 * Returns `undefined` if no events within the bound can do this, for example if a single picture is larger.
 */
export function stateEvents(
  state: SessionState,
  options: StateEventsOptions = {},
): readonly SessionEvent[] | undefined {
  checkBounds("stateEvents", options);
  const { maxEventBytes = Number.POSITIVE_INFINITY } = options;
  const made = new EventBuilder(state, maxEventBytes);
  made.lists();
  for (const terminal of state.terminals) made.item("terminals", terminal, terminalEvents(terminal, maxEventBytes));
  for (const entry of state.timeline) made.item("timeline", entry, entryEvents(entry, maxEventBytes));
  for (const plan of state.plans) made.item("plans", plan, [{ type: "plan_update", plan }]);
  for (const subagent of state.subagents) {
    const { activity, ...others } = subagent;
    made.item("subagents", subagent, [{ type: "subagent_update", ...others, ...(activity && { state: activity }) }]);
  }
  made.rest();
  return made.isExact ? made.events : undefined;
}

type Members = { readonly [member: string]: unknown };

const LISTS: readonly ItemList[] = ["terminals", "timeline", "plans", "subagents"];
/** Names of members that no single event can restore. */
const APART = /^(?:terminals|timeline|plans|subagents|bytes|limits|internal)$/;

/** Events that were created so far, and the state after them. */
class EventBuilder {
  readonly events: SessionEvent[] = [];
  readonly #wanted: SessionState;
  readonly #maxBytes: number;
  #state: SessionState;

  constructor(wanted: SessionState, maxBytes: number) {
    this.#wanted = wanted;
    this.#maxBytes = maxBytes;
    this.#state = createSessionState(wanted.limits);
  }

  /** Returns `true` if the events lead to the whole state, and each event is within the bound. */
  get isExact(): boolean {
    if (this.#maxBytes !== Number.POSITIVE_INFINITY) {
      if (this.events.some((event) => jsonBytes(event) > this.#maxBytes)) return false;
    }
    const lists = LISTS.every((list) => sameAsRead(this.#state[list], this.#wanted[list]));
    return lists && this.#differing().length === 0 && sameAsRead(this.#state.internal, this.#wanted.internal);
  }

  /** Adds the event that opened the session, and its lists. */
  lists(): void {
    const { sessionId, cwd, additionalDirectories, configOptions, availableCommands, internal } = this.#wanted;
    const opened = { type: "session_opened", sessionId, cwd, additionalDirectories } as SessionEvent;
    const { commands, options } = internal.updatedLists;
    const whole = { ...opened, ...(!options && { configOptions }), ...(!commands && { availableCommands }) };
    const fits = this.#fits(whole as SessionEvent);
    this.#add([fits ? (whole as SessionEvent) : opened]);
    if (configOptions && (options || !fits)) this.#add([{ type: "config_option_update", configOptions }]);
    if (availableCommands && (commands || !fits)) this.#add([{ type: "available_commands_update", availableCommands }]);
  }

  /**
   * Adds one item. Events of the conversation create as much of it as possible, and its other members are restored
   * directly.
   */
  item(list: ItemList, item: object, said: readonly SessionEvent[]): void {
    const isUnread = (item as Partial<Entry>).type === "unknown";
    const events = isUnread ? said : said.flatMap((event) => splitEvent(event, this.#maxBytes));
    const next = reduceAll(this.#state, events);
    const made = (next[list] as KeyedList<object>).at(-1);
    const isNew = next[list].length === this.#state[list].length + 1;
    const differing = made && isNew ? differences(list, made, item) : undefined;
    if (differing === undefined) return this.#restore(list, plain(item));
    for (const event of events) this.events.push(withoutUndefined(event));
    this.#state = next;
    if (differing !== "none") this.#restore(list, differing);
  }

  /** Adds everything that is not an item: turns, title, usage, questions, and the memory of the reducer. */
  rest(): void {
    const { title, updatedAt, _meta, usage, lastTurn, internal } = this.#wanted;
    if ((title ?? updatedAt ?? _meta) !== undefined) {
      this.#add(splitEvent({ type: "session_info_update", title, updatedAt, _meta }, this.#maxBytes));
    }
    if (usage !== undefined) this.#add([{ type: "usage_update", ...usage }]);
    const turns: SessionEvent[] = internal.openTurns.map((promptId) => ({ type: "turn_started", promptId }));
    if (lastTurn !== undefined) turns.unshift({ type: "turn_ended", ...lastTurn });
    // A repeated end of a turn must not change the members that exist already.
    if (reduceAll(this.#state, turns).timeline === this.#state.timeline) this.#add(turns);
    for (const member of this.#differing()) this.#restoreMember(member);
    const memory = differences("internal", this.#state.internal, internal);
    if (typeof memory === "object") this.#restore("internal", memory);
  }

  #differing(): readonly string[] {
    const [is, wanted] = [this.#state as unknown as Members, this.#wanted as unknown as Members];
    return Object.keys(wanted).filter((member) => !APART.test(member) && !sameAsRead(is[member], wanted[member]));
  }

  #restoreMember(member: string): void {
    const value = (this.#wanted as unknown as Members)[member];
    const isList = GROWING.has(member);
    if (isList && ((this.#state as unknown as Members)[member] as readonly unknown[]).length > 0) {
      this.#add([{ type: "state_restored", member, value: null }]);
    }
    this.#restore(member, value ?? null);
  }

  #restore(member: string, value: unknown): void {
    const event = { type: "state_restored", member, value } as const;
    const isItem = (LISTS as readonly string[]).includes(member);
    const isList = GROWING.has(member);
    // A member with a single value cannot be split.
    this.#add(isItem || isList ? splitEvent(event, this.#maxBytes) : [event]);
  }

  #add(events: readonly SessionEvent[]): void {
    for (const event of events) this.events.push(withoutUndefined(event));
    this.#state = reduceAll(this.#state, events);
  }

  #fits(event: SessionEvent): boolean {
    return this.#maxBytes === Number.POSITIVE_INFINITY || jsonBytes(event) <= this.#maxBytes;
  }
}

/**
 * Returns a patch from one item to another, with `null` for members to remove. Returns `undefined` if no patch can do
 * this.
 */
function differences(list: string, made: object, wanted: object): object | "none" | undefined {
  const [is, should] = [made as Members, wanted as Members];
  const patch: { [member: string]: unknown } = {};
  for (const member of new Set([...Object.keys(is), ...Object.keys(should)])) {
    if (sameAsRead(is[member], should[member])) continue;
    if (/^(?:key|type|role|content|summary)$/.test(member)) return undefined;
    patch[member] = should[member] ?? null;
  }
  if (Object.keys(patch).length === 0) return "none";
  const name = { timeline: "key", terminals: "terminalId", plans: "planId", subagents: "sessionId" }[list];
  return name === undefined ? patch : { [name]: should[name], ...patch };
}

const upsertOf = { user: "user_message", agent: "agent_message", thought: "agent_thought" } as const;
const chunkOf = { user: "user_message_chunk", agent: "agent_message_chunk", thought: "agent_thought_chunk" } as const;

/** Returns an entry as events of the conversation. The caller corrects the remaining differences. */
function entryEvents(entry: Entry, maxBytes: number): readonly SessionEvent[] {
  switch (entry.type) {
    case "message":
      return messageEvents(entry, maxBytes);
    case "tool_call": {
      const { type: _, key: __, content, locations, cancelledLocally: ___, dropped: ____, ...members } = entry;
      const list = content.length > 0 && { content: content.toArray() };
      return [{ type: "tool_call_update", ...members, ...list, ...(locations.length > 0 && { locations }) }];
    }
    case "compaction": {
      const { type: _, key: __, summary, dropped: ___, ...members } = entry;
      return [{ type: "compaction_update", ...members, ...(summary.length > 0 && { summary: summary.toArray() }) }];
    }
    case "session_message": {
      const { key: _, content, dropped: __, ...members } = entry;
      return [{ ...members, ...(content.length > 0 && { content: content.toArray() }) }];
    }
    case "notice": {
      const { key: _, ...notice } = entry;
      return [notice];
    }
    case "unknown": {
      const { key: _, ...unknown } = entry;
      // The original form of an event that cannot be read is slightly smaller.
      return [isObject(entry.raw) && jsonBytes(unknown) > maxBytes ? (entry.raw as SessionEvent) : unknown];
    }
    default:
      return [];
  }
}

function messageEvents(
  { role, messageId, content, _meta, at }: MessageEntry,
  maxBytes: number,
): readonly SessionEvent[] {
  const blocks = joinTextBlocks(content, { bytes: maxBytes - 200 - jsonBytes(messageId ?? "") });
  if (messageId !== undefined) return [{ type: upsertOf[role], messageId, content: blocks, _meta, at }];
  return blocks.map((block, position) => ({ type: chunkOf[role], content: block, ...(position === 0 && { at }) }));
}

/** Returns the events of a terminal: its members, its text, and the bytes of an incomplete character. */
function terminalEvents(terminal: TerminalState, maxBytes: number): readonly SessionEvent[] {
  const { text, textBytes: _, droppedBytes: __, pendingBytes, ...members } = terminal;
  const { terminalId } = terminal;
  const written = new TextEncoder().encode(text);
  const bytes = new Uint8Array(written.length + pendingBytes.length);
  bytes.set(written);
  bytes.set(pendingBytes, written.length);
  const whole: SessionEvent = { type: "terminal_update", ...members };
  if (bytes.length === 0) return [whole];
  const withOutput: SessionEvent = { ...whole, output: { data: toBase64(bytes) } };
  if (maxBytes === Number.POSITIVE_INFINITY || jsonBytes(withOutput) <= maxBytes) return [withOutput];
  const room = maxBytes - jsonBytes({ type: "terminal_output_chunk", terminalId, data: "" });
  const step = Math.max(3, Math.floor(room / 4) * 3);
  const events: SessionEvent[] = [whole];
  for (let from = 0; from < bytes.length; from += step) {
    events.push({ type: "terminal_output_chunk", terminalId, data: toBase64(bytes.subarray(from, from + step)) });
  }
  return events;
}

/** Returns an item with its growing list as an array. */
function plain(item: object): object {
  const { content, summary } = item as { readonly content?: KeyedList<never>; readonly summary?: KeyedList<never> };
  const isGrown = (list: unknown): boolean => typeof (list as KeyedList<never> | undefined)?.toArray === "function";
  return {
    ...item,
    ...(isGrown(content) && { content: content?.toArray() }),
    ...(isGrown(summary) && { summary: summary?.toArray() }),
  };
}

/** Removes `undefined` members, as JSON does, because events are compared and their size is counted. */
const withoutUndefined = (event: SessionEvent): SessionEvent =>
  Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined)) as SessionEvent;
