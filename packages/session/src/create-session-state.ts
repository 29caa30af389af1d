import { copyOf } from "./change.js";
import { keyedBy, keyedOf } from "./keyed.js";
import type { SessionState, StateLimits } from "./state.js";
import { entryNaming } from "./timeline.js";

const MIB = 1_048_576;

/** The state of a session of which nothing is known yet. */
export function createSessionState({ stateBytes = 64 * MIB, ...limits }: Partial<StateLimits> = {}): SessionState {
  return copyOf({
    additionalDirectories: [],
    timeline: keyedOf(entryNaming),
    terminals: keyedBy("terminalId"),
    plans: keyedBy("planId"),
    activity: { state: "idle", origin: "request" },
    replaying: false,
    cancelling: false,
    closed: false,
    pendingPermissions: [],
    pendingElicitations: [],
    subagents: keyedBy("sessionId"),
    anomalies: [],
    bytes: 0,
    limits: {
      stateBytes,
      entryBytes: Math.min(limits.entryBytes ?? MIB, stateBytes / 2),
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
