import { isObject, text } from "../read.js";
import { own, type Reader } from "../shape.js";
import { kind, type UpdateKind } from "../updates.js";

/** Reader of the requests that a client may send to a child session. Newer dialects have only the cancel. */
const control: Reader = (value) => (isObject(value) && value.cancel === true ? { cancel: {} } : null);

const STATES: { readonly [state: string]: object } = {
  completed: { state: "idle", stopReason: "end_turn" },
  failed: { state: "idle", stopReason: "error" },
  cancelled: { state: "idle", stopReason: "cancelled" },
  disconnected: { state: "unknown" },
};

/** Reader of the state of a child session. An unknown state is kept, and counts as work. */
const airState: Reader = (value) => text(value) && (own(STATES, value) ?? { state: value });

// P-OLD-02
/** Announcement of a child session in the draft "air", which some agents of version 1 still send. It is never written. */
export const subagentSpawned: UpdateKind = /* @__PURE__ */ kind(
  {
    required: { sessionId: text },
    optional: { title: text, description: text },
    nullable: { capabilities: control },
    olderNames: { sessionId: "subagentSessionId", title: "name", description: "task" },
  },
  { type: "subagent_update" },
);

/** State of a child session in the draft "air". It is never written. */
export const subagentStateUpdate: UpdateKind = /* @__PURE__ */ kind(
  { required: { sessionId: text, state: airState }, olderNames: { sessionId: "subagentSessionId" } },
  { type: "subagent_update" },
);
