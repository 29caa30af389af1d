import { copyOf } from "./change.js";
import { checkBounds } from "./check-option.js";
import { keyedBy, keyedOf } from "./keyed-list.js";
import type { SessionState, StateLimits } from "./state.js";
import { entryNaming } from "./timeline.js";

const MIB = 1_048_576;

/** Returns a bound as a number that JSON can express. JSON has no `Infinity`. */
const finite = (bound: number): number => Math.min(bound, Number.MAX_SAFE_INTEGER);

// All sessions share these lists, because an empty list is never changed.
const noEntries: SessionState["timeline"] = /* @__PURE__ */ keyedOf(entryNaming);
const noTerminals: SessionState["terminals"] = /* @__PURE__ */ keyedBy("terminalId");
const noPlans: SessionState["plans"] = /* @__PURE__ */ keyedBy("planId");
const noSubagents: SessionState["subagents"] = /* @__PURE__ */ keyedBy("sessionId");

/**
 * Creates the state of a new session.
 *
 * @throws TypeError for a bound that is not a number
 */
export function createSessionState(limits: Partial<StateLimits> = {}): SessionState {
  checkBounds("createSessionState", limits);
  const { stateBytes = 64 * MIB, entryBytes = MIB, terminalBytes = MIB } = limits;
  const most = finite(stateBytes);
  return copyOf({
    additionalDirectories: [],
    timeline: noEntries,
    terminals: noTerminals,
    plans: noPlans,
    activity: { state: "idle", origin: "request" },
    replaying: false,
    cancelling: false,
    closed: false,
    pendingPermissions: [],
    pendingElicitations: [],
    subagents: noSubagents,
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
