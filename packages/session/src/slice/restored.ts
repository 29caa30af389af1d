import { grownBy } from "../bytes.js";
import {
  ABOUT_LENGTH,
  type Change,
  changed,
  type ItemList,
  noted,
  remember,
  withAnomalies,
  withItems,
} from "../change.js";
import { isObject, type Wire } from "../codec/read.js";
import { createSessionState } from "../create-session-state.js";
import type { Entry } from "../entry.js";
import type { EventOf } from "../event.js";
import { type Kind, PLAN_KIND, SUBAGENT_KIND, TERMINAL_KIND, TOOL_CALL_KIND, withNewItem } from "../kind.js";
import { append, emptySequence } from "../persistent-list.js";
import type { Anomaly, SessionState } from "../state.js";
import { entryNaming } from "../timeline.js";
import type { PersistentList, Vector } from "../vector.js";
import { UNECHOED } from "./prompts.js";
import { PENDING } from "./questions.js";

type Restored = EventOf<"state_restored">;

/** Keyed lists: the member that identifies an item, and the bound of the list. */
const KEYED: { readonly [list in ItemList]: Kind } & { readonly __proto__: null } = {
  __proto__: null,
  timeline: { list: "timeline", id: "key" },
  terminals: TERMINAL_KIND,
  plans: PLAN_KIND,
  subagents: SUBAGENT_KIND,
};

/** Members that a new state does not have. Each has an example value, which shows its type. */
const OPTIONAL: Change = {
  sessionId: "",
  cwd: "",
  title: "",
  updatedAt: "",
  _meta: {},
  lastTurn: {},
  usage: { used: 0, size: 0 },
  history: {},
  availableCommands: [],
  configOptions: [],
};

/** Lists to which a `state_restored` event adds items. Every other value replaces the previous one. */
export const GROWING: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "pendingPermissions",
  "pendingElicitations",
  "anomalies",
]);

/** Restores a part of a stored state. A part that does not belong to any state becomes an anomaly. */
export function foldRestored(state: SessionState, { member, value }: Restored): SessionState {
  const fresh = createSessionState(state.limits) as unknown as Wire;
  const wanted = fresh[member] ?? (OPTIONAL as Wire)[member];
  if (member === "bytes" || member === "limits" || wanted === undefined) return unfit(state, member);
  // A reset of `internal` would use numbers of entries again and create duplicate keys.
  if (value === null && member !== "internal") return changed(state, { [member]: fresh[member] });
  if (member in KEYED) return isObject(value) ? withItem(state, member as ItemList, value) : unfit(state, member);
  if (value === null || typeof value !== typeof wanted || Array.isArray(value) !== Array.isArray(wanted))
    return unfit(state, member);
  if (member === "internal") return remember(state, memory(value as Wire, wanted as Wire));
  if (member === "anomalies") return withAnomalies(state, (value as readonly unknown[]).flatMap(anomalyOf));
  if (member === "pendingPermissions" || member === "pendingElicitations") {
    const questions = [...state[member], ...(value as readonly never[])];
    const next = changed(state, { [member]: questions.slice(0, PENDING) });
    return questions.length > PENDING ? noted(next, `more than ${PENDING} ${member}`) : next;
  }
  return changed(state, { [member]: value });
}

/** Returns an anomaly whose texts are cut as in the reducer. Returns an empty list for any other value. */
function anomalyOf(value: unknown): readonly Anomaly[] {
  const { what, about } = isObject(value) ? value : {};
  if (typeof what !== "string") return [];
  const short = what.slice(0, ABOUT_LENGTH);
  return [typeof about === "string" ? { what: short, about: about.slice(0, ABOUT_LENGTH) } : { what: short }];
}

/** Returns the reducer's memory. Each of its lists is cut to the newest items within its bound. */
function memory(wire: Wire, fresh: Wire): Wire {
  const entries = Object.entries(restored(wire, fresh)).map(([name, value]) =>
    Array.isArray(value) ? [name, value.slice(-UNECHOED)] : [name, value],
  );
  return Object.fromEntries(entries);
}

const unfit = (state: SessionState, member: string): SessionState => noted(state, "no such part of a state", member);

/**
 * Returns the list after a change of one item's members and content. If the item does not exist, it is added at the
 * end.
 */
function withItem(state: SessionState, list: ItemList, wire: Wire): SessionState {
  const items = state[list] as Vector<never>;
  const { id } = KEYED[list];
  const key = wire[id];
  const found = typeof key === "string" ? items.indexOf(key) : -1;
  // The item's own key is compared, because a prompt also has the key of its message.
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
  const had = known ? namesOf(list, before) : [];
  const names = namesOf(list, next);
  // The reducer never creates entries without a key or with the same key. A search for such entries would have to read
  // the whole timeline.
  const fits = had.every((name) => names.includes(name));
  if (!fits || names.some((name) => !had.includes(name) && items.has(name))) return unfit(state, list);
  if (!known) return withNewItem(state, next, KEYED[list]);
  const grown = names.length === had.length ? grownBy(before, next) : undefined;
  return withItems(state, list, items.set(found, next as never, grown));
}

const namesOf = (list: ItemList, item: Wire): readonly string[] =>
  list === "timeline" ? entryNaming.names(item as Entry) : [item[KEYED[list].id] as string];

const listOf = ({ type }: Wire): "content" | "summary" => (type === "compaction" ? "summary" : "content");

function freshItem(list: ItemList, { type, key }: Wire): Wire {
  if (list === "terminals") return { ...TERMINAL_KIND.fresh };
  if (list !== "timeline") return {};
  if (type === "tool_call") return { ...TOOL_CALL_KIND.fresh, type, key };
  const grows = type === "message" || type === "session_message" || type === "compaction";
  return { type, key, ...(grows && { [listOf({ type })]: emptySequence() }) };
}

/**
 * Returns the members in the form of a state. `null` means the value of a new item, except in `raw`, which may be any
 * JSON.
 */
function restored(members: Wire, fresh: Wire): Wire {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      name === "__proto__" ? [] : [[name, name === "raw" ? value : (value ?? fresh[name])]],
    ),
  );
}
