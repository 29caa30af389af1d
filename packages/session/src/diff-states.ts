import type { SubagentState } from "./activity.js";
import { checkState } from "./check-option.js";
import type { Entry } from "./entry.js";
import { type KeyedChanges, keyedChanges } from "./keyed-list.js";
import type { Plan } from "./plan.js";
import type { SessionState, TerminalState } from "./state.js";

/** Members that are compared item by item, or that no user interface shows. */
const APART = ["timeline", "terminals", "plans", "subagents", "bytes", "internal"] as const;

/** Member of a state that is compared by identity. It has the same identity while its value is equal. */
type Member = Exclude<keyof SessionState, (typeof APART)[number]>;

/** Differences between two states of one session. */
export type Changes = {
  /** Other members of the state whose values differ. */
  readonly members: readonly Member[];
  readonly timeline: KeyedChanges<Entry>;
  readonly terminals: KeyedChanges<TerminalState>;
  readonly plans: KeyedChanges<Plan>;
  readonly subagents: KeyedChanges<SubagentState>;
};

/**
 * Returns the differences between two states. The cost grows with the number of changes, not with the length of the
 * session. If entries were removed or moved, the cost grows with the length of the timeline. Any two states of one
 * session can be compared.
 *
 * @throws TypeError for a value that is not a state, such as a store
 *
 * @example
 * const { timeline, members } = diffStates(drawn, store.getState());
 * for (const { item } of timeline.changed) redraw(item.key);
 * for (const key of timeline.removed) remove(key);
 * if (members.includes("title")) redrawTitle();
 */
export function diffStates(previous: SessionState, state: SessionState): Changes {
  for (const one of [previous, state]) checkState("diffStates", one);
  return {
    members: (Object.keys(state) as Member[]).filter(
      (member) => !APART.includes(member as never) && !Object.is(previous[member], state[member]),
    ),
    timeline: keyedChanges(previous.timeline, state.timeline),
    terminals: keyedChanges(previous.terminals, state.terminals),
    plans: keyedChanges(previous.plans, state.plans),
    subagents: keyedChanges(previous.subagents, state.subagents),
  };
}
