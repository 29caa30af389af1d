import type { EventOf, SessionEvent } from "./event.js";
import { isBareText } from "./join-text-blocks.js";
import { jsonBytes } from "./json-bytes.js";

type Members = { readonly [member: string]: unknown };

/** Table with the required members of an event type, its growing list, and the event type that adds to this list. */
const SPLITS: { readonly [type: string]: readonly [needed: readonly string[], list?: string, adding?: string] } = {
  user_message: [["messageId"], "content", "user_message_chunk"],
  agent_message: [["messageId"], "content", "agent_message_chunk"],
  agent_thought: [["messageId"], "content", "agent_thought_chunk"],
  tool_call_update: [["toolCallId"], "content", "tool_call_content_chunk"],
  compaction_update: [["compactionId", "status"], "summary", "compaction_summary_chunk"],
  session_message: [["messageId"], "content", "session_message_chunk"],
  terminal_update: [["terminalId"]],
  subagent_update: [["sessionId"]],
  session_info_update: [[]],
};

/** Growing lists of the entry types that have one. */
const LISTS: ReadonlyMap<unknown, string> = /* @__PURE__ */ new Map([
  ["message", "content"],
  ["tool_call", "content"],
  ["session_message", "content"],
  ["compaction", "summary"],
]);

/** Members that identify a restored item. Each part of a split event contains them. */
const NAMES: readonly string[] = ["key", "terminalId", "planId", "sessionId"];

/**
 * Returns events with the same effect as one event. Each is at most `maxBytes` as JSON in UTF-8, if the members allow
 * this. If the event is small enough, it is returned unchanged. Text is split between characters, and metadata between
 * its keys. Other values, and the output of a terminal, are not split.
 *
 * @example
 * for (const part of splitEvent(event, 1_000_000)) send(part);
 */
export function splitEvent(event: SessionEvent, maxBytes: number): readonly SessionEvent[] {
  if (maxBytes === Number.POSITIVE_INFINITY || jsonBytes(event) <= maxBytes) return [event];
  if (event.type === "state_restored") return splitRestored(event, maxBytes);
  const [needed, list, adding] = SPLITS[event.type] ?? [];
  if (needed === undefined) return [event];
  const base = picked(event, ["type", ...needed]);
  const parts = splitMembers(event as Members, { base, list, maxBytes, wrap: (members) => members });
  if (list === undefined) return parts as readonly SessionEvent[];
  const items = (event as Members)[list] as readonly unknown[] | undefined;
  return [
    ...parts,
    ...splitList(Array.isArray(items) ? items : [], { base, list, adding: adding as string, maxBytes }),
  ] as SessionEvent[];
}

function splitRestored({ type, member, value }: EventOf<"state_restored">, maxBytes: number): readonly SessionEvent[] {
  const wrap = (part: unknown): SessionEvent => ({ type, member, value: part });
  if (Array.isArray(value)) return value.map((item) => wrap([item]));
  if (typeof value !== "object" || value === null) return [wrap(value)];
  const isEntry = member === "timeline";
  const { type: kind } = value as Members;
  const list = isEntry ? LISTS.get(kind) : undefined;
  const names = NAMES.filter((name) => (isEntry ? name === "key" : name !== "key"));
  // Only the first part contains the members of the entry, because they exist from then on.
  const base = picked(value, isEntry ? [...names, "type", "role"] : names);
  const parts = splitMembers(value as Members, { base, list, maxBytes, wrap });
  const items = (list === undefined ? undefined : ((value as Members)[list] as readonly unknown[])) ?? [];
  const more = items.map((item) => wrap({ ...picked(value, names), [list as string]: [item] }));
  return [...(parts as readonly SessionEvent[]), ...more];
}

type Plan = {
  readonly base: Members;
  readonly list: string | undefined;
  readonly maxBytes: number;
  wrap(members: Members): unknown;
};

/**
 * Splits all members except the list. Each part contains as many members as possible. Metadata that is too large is
 * split by its keys.
 */
function splitMembers(members: Members, { base, list, maxBytes, wrap }: Plan): readonly unknown[] {
  const least = jsonBytes(wrap(base));
  const parts: unknown[] = [];
  let part: { [member: string]: unknown } = { ...base };
  let bytes = least;
  const flush = (): void => {
    parts.push(wrap(part));
    part = { ...base };
    bytes = least;
  };
  const add = (name: string, value: unknown): void => {
    // This is an upper bound, because the two braces of each member count for its comma.
    const more = jsonBytes({ [name]: value });
    if (bytes + more > maxBytes && bytes > least) flush();
    part[name] = value;
    bytes += more;
  };
  for (const [name, value] of Object.entries(members)) {
    if (name === list || name in base || value === undefined) continue;
    const isLargeMeta = name === "_meta" && value !== null && least + jsonBytes(value) + 10 > maxBytes;
    if (!isLargeMeta) add(name, value);
    else for (const [key, one] of Object.entries(value as Members)) addKey(key, one);
  }
  // Each key gets its own part, because a second `_meta` would replace the first one in the same part.
  function addKey(key: string, one: unknown): void {
    if (bytes > least) flush();
    add("_meta", { [key]: one });
  }
  if (bytes > least || parts.length === 0) flush();
  return parts;
}

type ListPlan = {
  readonly base: Members;
  readonly list: string;
  readonly adding: string;
  readonly maxBytes: number;
};

/**
 * Splits the items of a list. The first event contains as many items as possible, and further events add one item each.
 */
function splitList(items: readonly unknown[], { base, list, adding, maxBytes }: ListPlan): readonly unknown[] {
  if (items.length === 0) return [];
  let bytes = jsonBytes({ ...base, [list]: [] });
  let count = 0;
  for (; count < items.length; count++) {
    bytes += jsonBytes(items[count]) + 1;
    if (bytes > maxBytes && (count > 0 || isBareText(items[0] as never))) break;
  }
  const { status: _, ...name } = base;
  // If there is no room for any text, no part is small enough.
  const hasRoom = jsonBytes({ ...name, type: adding, content: { type: "text", text: "" } }) < maxBytes;
  const add = (content: unknown): readonly unknown[] => {
    const event = { ...name, type: adding, content };
    if (!hasRoom || !isBareText(content as never) || jsonBytes(event) <= maxBytes) return [event];
    const parts = halves((content as { readonly text: string }).text);
    return parts.length < 2 ? [event] : parts.flatMap((text) => add({ type: "text", text }));
  };
  return [{ ...base, [list]: items.slice(0, count) }, ...items.slice(count).flatMap(add)];
}

/** Splits a text in two, between characters. A single character is not split. */
function halves(text: string): readonly string[] {
  const middle = text.length >> 1;
  const at = /[\ud800-\udbff]/.test(text.charAt(middle - 1)) ? middle + 1 : middle;
  return [text.slice(0, at), text.slice(at)].filter((half) => half !== "");
}

function picked(members: object, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
}
