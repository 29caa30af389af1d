import { type Change, changed, type ItemList, noted, remember, withItems } from "../change.js";
import { isObject, type Wire } from "../codec/read.js";
import { createSessionState } from "../create-session-state.js";
import type { SessionEvent } from "../event.js";
import { TERMINAL, TOOL_CALL } from "../kind.js";
import { append, emptySequence } from "../persistent-list.js";
import type { SessionState } from "../state.js";
import type { PersistentList, Vector } from "../vector.js";

type Restored = SessionEvent & { readonly type: "state_restored" };

/** The member of each keyed list that names an item. */
const IDS: { readonly [list in ItemList]: string } & { readonly __proto__: null } = {
  __proto__: null,
  timeline: "key",
  terminals: "terminalId",
  plans: "planId",
  subagents: "sessionId",
};

/** Members that a new state does not have, each with a value of the kind that it takes. */
const OPTIONAL: Change = {
  sessionId: "",
  cwd: "",
  title: "",
  updatedAt: "",
  _meta: {},
  lastTurn: {},
  usage: { used: 0, size: 0 },
  availableCommands: [],
  configOptions: [],
};

/** Lists to which a `state_restored` event adds items. Any other value replaces the one before. */
export const GROWING: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "pendingPermissions",
  "pendingElicitations",
  "anomalies",
]);

/** Brings back a part of a state as it was stored. A part that no state has is noted. */
export function foldRestored(state: SessionState, { member, value }: Restored): SessionState {
  const fresh = createSessionState(state.limits) as unknown as Wire;
  const wanted = fresh[member] ?? (OPTIONAL as Wire)[member];
  if (member === "bytes" || member === "limits" || wanted === undefined) return unfit(state, member);
  // Resetting `internal` would reuse entry numbers and create duplicate keys.
  if (value === null && member !== "internal") return changed(state, { [member]: fresh[member] });
  if (member in IDS) return isObject(value) ? withItem(state, member as ItemList, value) : unfit(state, member);
  if (value === null || typeof value !== typeof wanted || Array.isArray(value) !== Array.isArray(wanted))
    return unfit(state, member);
  if (member === "internal") return remember(state, restored(value as Wire, wanted as Wire));
  const before = GROWING.has(member) ? ((state as unknown as Wire)[member] as readonly unknown[]) : [];
  return changed(state, { [member]: Array.isArray(value) ? [...before, ...value] : value });
}

const unfit = (state: SessionState, member: string): SessionState => noted(state, "no such part of a state", member);

/** Returns the list with changed members and more content of one item, or with a new item at the end. */
function withItem(state: SessionState, list: ItemList, wire: Wire): SessionState {
  const items = state[list] as Vector<never>;
  const id = IDS[list];
  const key = wire[id];
  const found = typeof key === "string" ? items.indexOf(key) : -1;
  // By its own name: a prompt has the name of its message, too.
  const known = (items.at(found) as Wire | undefined)?.[id] === key && found >= 0;
  const fresh = freshItem(list, wire);
  const before: Wire = known ? (items.at(found) as unknown as Wire) : fresh;
  if (typeof key !== "string" || (list === "timeline" && typeof before.type !== "string")) return unfit(state, list);
  const next: { [member: string]: unknown } = { ...before, ...restored(wire, fresh) };
  const { [listOf(before)]: more } = wire;
  if (list === "timeline") {
    const had = before[listOf(before)] as PersistentList<unknown> | undefined;
    if (had !== undefined) next[listOf(before)] = (Array.isArray(more) ? more : []).reduce(append, had);
  }
  return withItems(state, list, known ? items.set(found, next as never) : items.push(next as never));
}

const listOf = ({ type }: Wire): "content" | "summary" => (type === "compaction" ? "summary" : "content");

function freshItem(list: ItemList, { type, key }: Wire): Wire {
  if (list === "terminals") return { ...TERMINAL.fresh };
  if (list !== "timeline") return {};
  if (type === "tool_call") return { ...TOOL_CALL.fresh, type, key };
  const grows = type === "message" || type === "session_message" || type === "compaction";
  return { type, key, ...(grows && { [listOf({ type })]: emptySequence() }) };
}

/** Members as they stand in a state: `null` is what a fresh one has, except in `raw`, which may be any JSON. */
function restored(members: Wire, fresh: Wire): Wire {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      name === "__proto__" ? [] : [[name, name === "raw" ? value : (value ?? fresh[name])]],
    ),
  );
}
