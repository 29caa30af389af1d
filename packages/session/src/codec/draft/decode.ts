import type { SessionEvent } from "../../event.js";
import { contentBlock, contentBlocksOrNull } from "../content.js";
import { count, meta, metaOrNull, text, textOrNull } from "../read.js";
import { cost, decodeBy, type Variants } from "../updates.js";
import { commandsUpdate, optionsUpdate } from "./settings.js";
import { stateUpdate, subagentUpdate } from "./state.js";
import { terminalChunk, terminalUpdate } from "./terminal.js";
import { toolCallChunk, toolCallUpdate } from "./tool-call.js";

/**
 * Reads the `update` of a `session/update` of any draft of version 2: the drafts share a version number, so each update
 * is read by its shape (V2-SEED-01), under older names too (V2-SEED-06). Takes any value and never throws: what is
 * malformed or of an unknown kind comes back as an `unknown` event that holds it. Stateless, and a name of its own so
 * that who only reads does not carry the way back.
 */
export const decodeV2 = (update: unknown): readonly SessionEvent[] => decodeBy(VARIANTS, update);

const MESSAGE = { needs: { messageId: text }, may: { content: contentBlocksOrNull, _meta: metaOrNull } };

const VARIANTS: Variants = {
  user_message: { type: "user_message", needs: MESSAGE.needs, may: MESSAGE.may },
  agent_message: { type: "agent_message", needs: MESSAGE.needs, may: MESSAGE.may },
  agent_thought: { type: "agent_thought", needs: MESSAGE.needs, may: MESSAGE.may },
  state_update: stateUpdate,
  tool_call_update: toolCallUpdate,
  tool_call_content_chunk: toolCallChunk,
  terminal_update: terminalUpdate,
  terminal_output_chunk: terminalChunk,
  available_commands_update: commandsUpdate,
  config_option_update: optionsUpdate,
  usage_update: {
    type: "usage_update",
    needs: { used: count, size: count },
    may: { cost: (value) => (value === null ? null : cost(value)), _meta: meta },
  },
  subagent_update: subagentUpdate,
  session_message: {
    type: "session_message",
    needs: MESSAGE.needs,
    may: {
      senderSessionId: textOrNull,
      recipientSessionId: textOrNull,
      senderMessageId: textOrNull,
      recipientMessageId: textOrNull,
      content: contentBlocksOrNull,
      _meta: metaOrNull,
    },
  },
  session_message_chunk: {
    type: "session_message_chunk",
    needs: { messageId: text, content: contentBlock },
    may: { _meta: meta },
  },
  // What version 1 called it: agents of older drafts still send it (V2-SEED-06).
  tool_call: toolCallUpdate,
};
