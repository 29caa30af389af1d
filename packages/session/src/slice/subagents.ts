import { bytesOf } from "../bytes.js";
import type { SessionEvent } from "../event.js";
import { addTo, filtered, type Naming, replaceIn } from "../keyed.js";
import { changed, patched, patchedMeta } from "../patch.js";
import type { SessionState } from "../state.js";
import type { SubagentState } from "../subagent.js";
import { withAnomaly } from "../timeline.js";
import { foldUnknown } from "./notices.js";

/** Child sessions are found by their id. */
export const subagentNaming: Naming<SubagentState> = { key: (subagent) => subagent.sessionId };

const SUBAGENTS = 1000;

/** Announces a child session or patches what is known of it (V2-UPD-26); what it is doing is replaced whole. */
export function foldSubagent(state: SessionState, event: SessionEvent & { type: "subagent_update" }): SessionState {
  if (typeof event.sessionId !== "string") return foldUnknown(state, event, "a subagent needs an id", event.at);
  const position = state.subagents.indexOf(event.sessionId);
  const before = state.subagents.at(position);
  const known = position >= 0 && before !== undefined ? before : { sessionId: event.sessionId };
  const after = changed<SubagentState>(known, {
    title: patched(known.title, event.title),
    description: patched(known.description, event.description),
    capabilities: patched(known.capabilities, event.capabilities),
    activity: patched(known.activity, event.state),
    cwd: patched(known.cwd, event.cwd),
    additionalDirectories: patched(known.additionalDirectories, event.additionalDirectories),
    _meta: patchedMeta(known._meta, event._meta),
  });
  const most = state.limits.stateBytes;
  if (known !== before) {
    const bytes = state.bytes + bytesOf(after, most);
    return withFewSubagents({ ...state, subagents: addTo(state.subagents, after), bytes });
  }
  if (after === before) return state;
  const bytes = state.bytes + bytesOf(after, most) - bytesOf(before, most);
  return { ...state, subagents: replaceIn(state.subagents, position, after), bytes };
}

/** Forgets the oldest quarter when there are too many, so that forgetting stays cheap. */
function withFewSubagents(state: SessionState): SessionState {
  if (state.subagents.length <= SUBAGENTS) return state;
  const most = state.limits.stateBytes;
  let { bytes } = state;
  const subagents = filtered(state.subagents, (subagent, position) => {
    const keep = position >= SUBAGENTS / 4;
    if (!keep) bytes -= bytesOf(subagent, most);
    return keep;
  });
  return withAnomaly({ ...state, subagents, bytes }, `more than ${SUBAGENTS} subagents`);
}
