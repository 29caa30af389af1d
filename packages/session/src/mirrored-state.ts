import type { SubagentActivity } from "./activity.js";
import type { UnknownTag } from "./content.js";
import type { StateUpdate } from "./event.js";
import { stated } from "./patch.js";
import { reduce } from "./reduce.js";
import type { Activity, SessionState } from "./state.js";

/**
 * Returns the event for a child session after its parent has reported the child's activity. Returns `undefined` if the
 * child reports its own activity, and if nothing changes. `null` means that the activity is unknown, not that it ended.
 */
// P-SUB-15
export function mirroredState(
  child: SessionState,
  activity: SubagentActivity | null | undefined,
): StateUpdate | undefined {
  if (activity === undefined || child.activity.origin === "reported") return undefined;
  const unconfirmed = "unknown" as UnknownTag;
  const event: StateUpdate = { type: "state_update", ...(activity ?? { state: unconfirmed }), isMirrored: true };
  return reduce(child, event).activity === child.activity ? undefined : event;
}

/** Returns `true` if a child session reports the activity that its parent has already reported. */
// P-SUB-15
export function repeatsMirror(child: SessionState, event: StateUpdate): boolean {
  if (child.activity.origin !== "mirrored" || event.isMirrored) return false;
  const mirrored = reduce(child, { ...event, isMirrored: true }).activity;
  return sameWork(mirrored, child.activity);
}

/** Compares two activities. An absent list of background work equals an empty list. */
function sameWork(one: Activity, other: Activity): boolean {
  const plain = ({ background, ...activity }: Activity) =>
    JSON.stringify(stated({ ...activity, background: background?.length ? background : undefined }));
  return plain(one) === plain(other);
}
