import { copyOf } from "./change.js";
import { keyedBy, keyedOf } from "./keyed-list.js";
import type { SessionState, StateLimits } from "./state.js";
import { entryNaming } from "./timeline.js";

const MIB = 1_048_576;

/** Returns a bound that JSON can hold, which has no `Infinity`. */
const finite = (bound: number): number => Math.min(bound, Number.MAX_SAFE_INTEGER);

/** Creates the state of a new session. */
export function createSessionState({
  stateBytes = 64 * MIB,
  entryBytes = MIB,
  terminalBytes = MIB,
}: Partial<StateLimits> = {}): SessionState {
  const most = finite(stateBytes);
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
      stateBytes: most,
      entryBytes: Math.min(entryBytes, most / 2),
      terminalBytes: finite(terminalBytes),
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
