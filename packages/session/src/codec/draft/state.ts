import type { SubagentActivity } from "../../subagent.js";
import { isObject, meta, metaOrNull, text, textOrNull, type Wire } from "../read.js";
import { integer, orNull, type Reader, readShape, record, type Shape, tagged, wholeListOf } from "../shape.js";
import { tokenUsage } from "../usage.js";
import { controls } from "./tool-call.js";

const KNOWN: readonly unknown[] = ["running", "idle", "requires_action", "unknown"];

/** For what only an idle state has. */
/* @__NO_SIDE_EFFECTS__ */
function ofIdle(read: Reader): Reader {
  return (value, wire) => (wire?.state === "idle" ? read(value, wire) : undefined);
}

/** A JSON-RPC error; without details where it does not read (V2-PRM-15). */
const errorObject = /* @__PURE__ */ record({ code: /* @__PURE__ */ integer(), message: text });

const work = /* @__PURE__ */ tagged("type", {
  terminal: /* @__PURE__ */ record({ terminalId: text }),
  tool_call: /* @__PURE__ */ record({ toolCallId: text }),
  subagent: /* @__PURE__ */ record({ sessionId: text }),
});

/** What the session is doing. */
export const stateUpdate: Shape = [
  { state: text },
  {
    // One item that does not read makes the whole list count as not reported (V2-DEC-05).
    background: /* @__PURE__ */ orNull(/* @__PURE__ */ wholeListOf(work)),
    _meta: meta,
    stopReason: /* @__PURE__ */ ofIdle(textOrNull),
    error: /* @__PURE__ */ ofIdle((value, wire) => (wire?.stopReason === "error" ? errorObject(value) : undefined)),
    usage: /* @__PURE__ */ ofIdle(tokenUsage),
  },
];

/** Whether nobody here knows a state: then it comes as it is. */
export const isUnknownState = (wire: Wire): boolean => typeof wire.state === "string" && !KNOWN.includes(wire.state);

function activity(wire: unknown): SubagentActivity | undefined {
  if (!isObject(wire) || typeof wire.state !== "string") return undefined;
  return (isUnknownState(wire) ? wire : readShape(stateUpdate, wire, {})) as SubagentActivity;
}

/** A child session. A malformed directory makes the whole update unreadable (V2-UPD-26). */
export const subagentUpdate: Shape = [
  { sessionId: text },
  {
    state: /* @__PURE__ */ orNull(activity),
    capabilities: controls,
    title: textOrNull,
    description: textOrNull,
    _meta: metaOrNull,
  },
  { cwd: textOrNull, additionalDirectories: /* @__PURE__ */ orNull(/* @__PURE__ */ wholeListOf(text)) },
];
