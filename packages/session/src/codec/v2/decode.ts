import type { SubagentActivity } from "../../activity.js";
import type { SessionEvent } from "../../event.js";
import type { AvailableCommand } from "../../settings.js";
import { contentBlock } from "../content.js";
import { isObject, meta, text, type Wire } from "../read.js";
import { commandBy, optionWith } from "../settings.js";
import { integer, listOf, type Reader, readShape, record, tagged, wholeListOf } from "../shape.js";
import { contentBlocks, cost, decodeBy, type Kind, type Kinds, kind, tokenUsage, unreadable } from "../updates.js";
import { controls, toolCallChunk, toolCallUpdate } from "./tool-call.js";

const KNOWN: readonly unknown[] = ["running", "idle", "requires_action", "unknown"];

/** Returns the reader of a member that only an idle state has. */
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
const stateUpdate: Kind = /* @__PURE__ */ kind({
  required: { state: text },
  optional: {
    error: /* @__PURE__ */ ofIdle((value, wire) => (wire?.stopReason === "error" ? errorObject(value) : undefined)),
    usage: /* @__PURE__ */ ofIdle(tokenUsage),
  },
  nullable: {
    // One item that does not read makes the whole list count as not reported (V2-DEC-05).
    background: /* @__PURE__ */ wholeListOf(work),
    stopReason: /* @__PURE__ */ ofIdle(text),
  },
});

/** Returns true for an unknown state, which is kept unchanged. */
const isUnknownState = (wire: Wire): boolean => typeof wire.state === "string" && !KNOWN.includes(wire.state);

function activity(wire: unknown): SubagentActivity | undefined {
  if (!isObject(wire) || typeof wire.state !== "string") return undefined;
  return (isUnknownState(wire) ? wire : readShape(stateUpdate[0], wire, {})) as SubagentActivity;
}

/** Child session. A malformed directory makes the whole update unreadable. */
// V2-UPD-26
const subagentUpdate: Kind = /* @__PURE__ */ kind({
  required: { sessionId: text },
  nullable: { state: activity, capabilities: controls, title: text, description: text, _meta: meta },
  strict: { cwd: text, additionalDirectories: /* @__PURE__ */ wholeListOf(text) },
});

/**
 * Reads the `update` of a `session/update` of any draft of version 2. The drafts share a version number, so each update
 * is read by its shape, and under older names too. The decoder takes any value and never throws. A malformed update, or
 * one of an unknown kind, becomes an `unknown` event that holds it. It is stateless, and separate from the codec so
 * that a reader does not bundle the encoder.
 */
// V2-SEED-01, V2-SEED-06
export function decodeV2(update: unknown): readonly SessionEvent[] {
  try {
    if (isObject(update) && update.sessionUpdate === "state_update" && isUnknownState(update)) {
      // The time of an event is said by this side.
      const { sessionUpdate: type, at: _, ...state } = update;
      return [{ ...state, type } as SessionEvent];
    }
    return decodeBy(KINDS, update);
  } catch {
    return unreadable;
  }
}

/** Reader of a command. A command without a type is of the type that older drafts had. */
// V2-CMD-04
export const readCommand: Reader<AvailableCommand> = /* @__PURE__ */ commandBy((value, type) =>
  isObject(value) && value.type === undefined ? { ...value, type } : value,
);

/** A config option, also under the names of older drafts. */
export const configOption = /* @__PURE__ */ optionWith(1);

/** A new terminal, or what changes of one. */
const terminalUpdate = /* @__PURE__ */ kind({
  required: { terminalId: text },
  nullable: {
    command: text,
    cwd: text,
    output: /* @__PURE__ */ record({ required: { data: text } }),
    // Even an empty object says that the process ended (V2-TERM-07).
    exitStatus: /* @__PURE__ */ record({ optional: { exitCode: /* @__PURE__ */ integer(), signal: text } }),
    size: /* @__PURE__ */ record({
      required: { cols: /* @__PURE__ */ integer(1, 0xffff), rows: /* @__PURE__ */ integer(1, 0xffff) },
    }),
    capabilities: controls,
    _meta: meta,
  },
});

/** Bytes that a terminal put out. */
const terminalChunk = /* @__PURE__ */ kind({ required: { terminalId: text, data: text } });

const MESSAGE = /* @__PURE__ */ kind({
  required: { messageId: text },
  nullable: { content: contentBlocks, _meta: meta },
});
const count = /* @__PURE__ */ integer(0);

const KINDS: Kinds = {
  user_message: MESSAGE,
  agent_message: MESSAGE,
  agent_thought: MESSAGE,
  state_update: stateUpdate,
  tool_call: toolCallUpdate,
  tool_call_update: toolCallUpdate,
  tool_call_content_chunk: toolCallChunk,
  terminal_update: terminalUpdate,
  terminal_output_chunk: terminalChunk,
  available_commands_update: /* @__PURE__ */ kind({
    required: { availableCommands: /* @__PURE__ */ listOf(readCommand) },
  }),
  config_option_update: /* @__PURE__ */ kind({ required: { configOptions: /* @__PURE__ */ listOf(configOption) } }),
  usage_update: /* @__PURE__ */ kind({ required: { used: count, size: count }, nullable: { cost } }),
  subagent_update: subagentUpdate,
  session_message: /* @__PURE__ */ kind({
    required: { messageId: text },
    nullable: {
      senderSessionId: text,
      recipientSessionId: text,
      senderMessageId: text,
      recipientMessageId: text,
      content: contentBlocks,
      _meta: meta,
    },
  }),
  session_message_chunk: /* @__PURE__ */ kind({ required: { messageId: text, content: contentBlock } }),
};
