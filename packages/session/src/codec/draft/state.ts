import type { SessionEvent } from "../../event.js";
import type { SubagentActivity } from "../../subagent.js";
import { isObject, meta, metaOrNull, text, textOrNull, type Wire } from "../read.js";
import { type Reader, readShape, type Shape, type Variant } from "../shape.js";
import { tokenUsage } from "../usage.js";
import { controls } from "./tool-call.js";

const KNOWN: readonly unknown[] = ["running", "idle", "requires_action", "unknown"];

/** For what only an idle state has. */
const ofIdle =
  (read: Reader): Reader =>
  (value, wire) =>
    wire.state === "idle" ? read(value, wire) : undefined;

const ACTIVITY: Shape = {
  needs: { state: text },
  may: {
    background: backgroundWork,
    _meta: meta,
    stopReason: /* @__PURE__ */ ofIdle(textOrNull),
    error: /* @__PURE__ */ ofIdle((value, { stopReason }) => (stopReason === "error" ? errorObject(value) : undefined)),
    usage: /* @__PURE__ */ ofIdle(tokenUsage),
  },
};

/** What the session is doing. */
export const stateUpdate: Variant = {
  type: "state_update",
  needs: ACTIVITY.needs,
  may: ACTIVITY.may,
  // A state that nobody here knows comes as it is.
  finish: (event, { sessionUpdate: _, ...update }) =>
    KNOWN.includes(update.state) ? event : ({ ...update, type: "state_update" } as SessionEvent),
};

function activity(wire: unknown): SubagentActivity | null | undefined {
  if (wire === null) return null;
  if (!isObject(wire) || typeof wire.state !== "string") return undefined;
  if (!KNOWN.includes(wire.state)) return wire as unknown as SubagentActivity;
  return readShape(ACTIVITY, wire, {}) as SubagentActivity;
}

/** One item that does not read makes the whole list count as not reported (V2-DEC-05). */
function backgroundWork(value: unknown): unknown {
  return value === null || (Array.isArray(value) && value.every(isWork)) ? value : undefined;
}

const IDS: { readonly [type: string]: string } = {
  terminal: "terminalId",
  tool_call: "toolCallId",
  subagent: "sessionId",
};

function isWork(value: unknown): boolean {
  if (!isObject(value) || typeof value.type !== "string") return false;
  const id = Object.hasOwn(IDS, value.type) ? IDS[value.type] : undefined;
  return id === undefined || typeof value[id] === "string";
}

/** A JSON-RPC error; without details where it does not read (V2-PRM-15). */
function errorObject(value: unknown): Wire | undefined {
  return isObject(value) && Number.isInteger(value.code) && typeof value.message === "string" ? value : undefined;
}

/** A child session. A malformed directory makes the whole update unreadable (V2-UPD-26). */
export const subagentUpdate: Variant = {
  type: "subagent_update",
  needs: { sessionId: text },
  sound: { cwd: textOrNull, additionalDirectories: textsOrNull },
  may: { state: activity, capabilities: controls, title: textOrNull, description: textOrNull, _meta: metaOrNull },
};

function textsOrNull(value: unknown): unknown {
  return value === null || (Array.isArray(value) && value.every((one) => typeof one === "string")) ? value : undefined;
}
