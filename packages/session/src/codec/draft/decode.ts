import type { SessionEvent } from "../../event.js";
import { contentBlock } from "../content.js";
import { isObject, meta, metaOrNull, text, textOrNull } from "../read.js";
import { integer, orNull, type Shape } from "../shape.js";
import { contentBlocksOrNull, cost, decodeBy, type Variants } from "../updates.js";
import { commandsUpdate, optionsUpdate } from "./settings.js";
import { isUnknownState, stateUpdate, subagentUpdate } from "./state.js";
import { terminalChunk, terminalUpdate } from "./terminal.js";
import { toolCallChunk, toolCallUpdate } from "./tool-call.js";

/**
 * Reads the `update` of a `session/update` of any draft of version 2: the drafts share a version number, so each update
 * is read by its shape (V2-SEED-01), under older names too (V2-SEED-06). Takes any value and never throws: what is
 * malformed or of an unknown kind comes back as an `unknown` event that holds it. Stateless, and a name of its own so
 * that who only reads does not carry the way back.
 */
export function decodeV2(update: unknown): readonly SessionEvent[] {
  if (isObject(update) && update.sessionUpdate === "state_update" && isUnknownState(update)) {
    const { sessionUpdate: type, ...state } = update;
    return [{ ...state, type } as SessionEvent];
  }
  return decodeBy(VARIANTS, update);
}

const MESSAGE: Shape = [{ messageId: text }, { content: contentBlocksOrNull, _meta: metaOrNull }];
const count = /* @__PURE__ */ integer(0);

const VARIANTS: Variants = {
  user_message: MESSAGE,
  agent_message: MESSAGE,
  agent_thought: MESSAGE,
  state_update: stateUpdate,
  tool_call_update: toolCallUpdate,
  tool_call_content_chunk: toolCallChunk,
  terminal_update: terminalUpdate,
  terminal_output_chunk: terminalChunk,
  available_commands_update: commandsUpdate,
  config_option_update: optionsUpdate,
  usage_update: [
    { used: count, size: count },
    { cost: /* @__PURE__ */ orNull(cost), _meta: meta },
  ],
  subagent_update: subagentUpdate,
  session_message: [
    { messageId: text },
    {
      senderSessionId: textOrNull,
      recipientSessionId: textOrNull,
      senderMessageId: textOrNull,
      recipientMessageId: textOrNull,
      content: contentBlocksOrNull,
      _meta: metaOrNull,
    },
  ],
  session_message_chunk: [{ messageId: text, content: contentBlock }],
  // What version 1 called it: agents of older drafts still send it (V2-SEED-06).
  tool_call: toolCallUpdate,
};
