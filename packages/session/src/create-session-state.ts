import { type Draft, draftOf } from "./draft.js";
import { keyedOf } from "./keyed.js";
import { planNaming, subagentNaming } from "./slice/listed.js";
import { terminalNaming } from "./slice/terminals.js";
import type { SessionState, StateLimits } from "./state.js";
import { entryNaming } from "./timeline.js";

const MIB = 1_048_576;

/** The state of a session of which nothing is known yet. */
export function createSessionState(limits: Partial<StateLimits> = {}): SessionState {
  return draftOf({
    additionalDirectories: [],
    timeline: keyedOf(entryNaming),
    terminals: keyedOf(terminalNaming),
    plans: keyedOf(planNaming),
    activity: { state: "idle", origin: "request" },
    replaying: false,
    cancelling: false,
    closed: false,
    pendingPermissions: [],
    pendingElicitations: [],
    subagents: keyedOf(subagentNaming),
    anomalies: [],
    bytes: 0,
    limits: {
      stateBytes: limits.stateBytes ?? 64 * MIB,
      terminalBytes: limits.terminalBytes ?? MIB,
    },
    internal: {
      openMessage: undefined,
      stateReported: false,
      updatedLists: { commands: false, options: false },
      serial: 0,
      unechoed: [],
      openTurns: [],
      earlyMode: undefined,
    },
  });
}

/** Sets some members back to what they are while nothing is known. */
export function forget(
  draft: Draft,
  ...members: readonly Exclude<keyof SessionState, "timeline" | "internal" | "bytes">[]
): void {
  const fresh = createSessionState();
  for (const member of members) draft[member] = fresh[member] as never;
}
