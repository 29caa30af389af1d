import type { SessionEvent } from "../../event.js";
import type { AvailableCommand } from "../../settings.js";
import { contentBlock } from "../content.js";
import { isObject, meta, text } from "../read.js";
import { commandBy, optionWith } from "../settings.js";
import { integer, listOf, type Reader, record } from "../shape.js";
import { contentBlocks, cost, decodeBy, type Kinds, kind, unreadable } from "../updates.js";
import { isUnknownState, stateUpdate, subagentUpdate } from "./state.js";
import { controls, toolCallChunk, toolCallUpdate } from "./tool-call.js";

/**
 * Reads the `update` of a `session/update` of any draft of version 2: the drafts share a version number, so each update
 * is read by its shape (V2-SEED-01), under older names too (V2-SEED-06). Takes any value and never throws: what is
 * malformed or of an unknown kind comes back as an `unknown` event that holds it. Stateless, and a name of its own so
 * that who only reads does not carry the way back.
 */
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

/** A command; one without a type is the sort that older drafts had (V2-CMD-04). */
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
