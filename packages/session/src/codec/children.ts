import type { SubagentActivity } from "../activity.js";
import { contentBlock } from "./content.js";
import { isObject, meta, text, type Wire } from "./read.js";
import { integer, type Reader, readShape, record, tagged, wholeListOf } from "./shape.js";
import { contentBlocks, kind, tokenUsage, type UpdateKind } from "./updates.js";

const controlling = /* @__PURE__ */ record({ optional: { cancel: meta } });

/**
 * Reads the `capabilities` of a tool call, a terminal or a child session. A malformed value counts as no capability, so
 * that no client acts on a guess.
 */
// V2-DEC-11
export const readControls = (value: unknown): object | null => controlling(value) ?? null;

const KNOWN: readonly unknown[] = ["running", "idle", "requires_action", "unknown"];

/** Returns the reader of a member that exists only in the state idle. */
/* @__NO_SIDE_EFFECTS__ */
function ofIdle(read: Reader): Reader {
  return (value, wire) => (wire?.state === "idle" ? read(value, wire) : undefined);
}

/** Reader of a JSON-RPC error. A malformed error is left out. */
// V2-PRM-15
const errorObject = /* @__PURE__ */ record({ required: { code: /* @__PURE__ */ integer(), message: text } });

const work = /* @__PURE__ */ tagged({
  terminal: /* @__PURE__ */ record({ required: { terminalId: text } }),
  tool_call: /* @__PURE__ */ record({ required: { toolCallId: text } }),
  subagent: /* @__PURE__ */ record({ required: { sessionId: text } }),
});

/** Activity of the session. */
export const stateUpdate: UpdateKind = /* @__PURE__ */ kind({
  required: { state: text },
  optional: {
    error: /* @__PURE__ */ ofIdle((value, wire) => (wire?.stopReason === "error" ? errorObject(value) : undefined)),
    usage: /* @__PURE__ */ ofIdle(tokenUsage),
  },
  nullable: {
    // If one item cannot be read, the whole list counts as not reported (V2-DEC-05).
    background: /* @__PURE__ */ wholeListOf(work),
    stopReason: /* @__PURE__ */ ofIdle(text),
  },
});

/** Returns `true` for an unknown state. Such a state is not changed. */
export const isUnknownState = (wire: Wire): boolean => typeof wire.state === "string" && !KNOWN.includes(wire.state);

function activity(wire: unknown): SubagentActivity | undefined {
  if (!isObject(wire) || typeof wire.state !== "string") return undefined;
  return (isUnknownState(wire) ? wire : readShape(stateUpdate[0], wire, {})) as SubagentActivity;
}

/** Child session. If the directory is malformed, the whole update cannot be read. */
// V2-UPD-26, P-SUB1-03, P-SUB1-04
export const subagentUpdate: UpdateKind = /* @__PURE__ */ kind({
  required: { sessionId: text },
  nullable: { state: activity, capabilities: readControls, title: text, description: text, _meta: meta },
  strict: { cwd: text, additionalDirectories: /* @__PURE__ */ wholeListOf(text) },
});

/** New or changed message between sessions. */
// P-SUB-16
export const sessionMessage: UpdateKind = /* @__PURE__ */ kind({
  required: { messageId: text },
  nullable: {
    senderSessionId: text,
    recipientSessionId: text,
    senderMessageId: text,
    recipientMessageId: text,
    content: contentBlocks,
    _meta: meta,
  },
});

/** Next content block of a message between sessions. */
export const sessionMessageChunk: UpdateKind = /* @__PURE__ */ kind({
  required: { messageId: text, content: contentBlock },
});
