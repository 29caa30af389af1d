import type { SessionEvent } from "../../event.js";
import type { AvailableCommand } from "../../settings.js";
import type { DiffChange, ToolCallContent, ToolCallPatch } from "../../tool-call.js";
import {
  isUnknownState,
  readControls,
  sessionMessage,
  sessionMessageChunk,
  stateUpdate,
  subagentUpdate,
} from "../children.js";
import { location, textDiff, toolCallContent } from "../content.js";
import { isObject, meta, text, type Wire } from "../read.js";
import { commandBy, optionWith } from "../settings.js";
import { asItIs, integer, knownMembers, listOf, type Reader, record, tagged } from "../shape.js";
import { contentBlocks, cost, decodeBy, kind, type UpdateKinds, unreadable } from "../updates.js";

const item = /* @__PURE__ */ toolCallContent(diff);

/**
 * Change of a tool call. Absent and malformed members are left out, so the values in the state stay. `tool_call` of
 * version 1 is also read, because agents of older drafts send it.
 */
// V2-UPD-02, V2-SEED-06
const toolCallUpdate = /* @__PURE__ */ kind(
  {
    required: { toolCallId: text },
    nullable: {
      name: text,
      title: text,
      kind: text,
      status: text,
      content: /* @__PURE__ */ listOf(item),
      locations: /* @__PURE__ */ listOf(/* @__PURE__ */ location(1)),
      rawInput: asItIs,
      rawOutput: asItIs,
      capabilities: readControls,
      _meta: meta,
    },
  },
  { type: "tool_call_update" },
);

/** One more item of a tool call's content. */
const toolCallChunk = /* @__PURE__ */ kind({ required: { toolCallId: text, content: item } });

/** Reads the tool call of a permission question. */
export const toolCallPatch = /* @__PURE__ */ knownMembers<ToolCallPatch>(toolCallUpdate);

const inPlace = /* @__PURE__ */ record({ required: { path: text } });
const elsewhere = /* @__PURE__ */ record({ required: { path: text, oldPath: text } });
const operation = /* @__PURE__ */ tagged<Wire>(
  { add: inPlace, delete: inPlace, modify: inPlace, move: elsewhere, copy: elsewhere },
  "operation",
);
const described = /* @__PURE__ */ record({ optional: { fileType: text, mimeType: text } });

/** Reads a change. A change with an unknown operation is kept, even without a path. */
function change(value: unknown): DiffChange | undefined {
  const read = operation(described(value));
  return read && ((typeof read.path === "string" ? read : { ...read, path: "" }) as DiffChange);
}

const changes = /* @__PURE__ */ record<ToolCallContent>({
  required: { changes: /* @__PURE__ */ listOf(change) },
  optional: { patch: /* @__PURE__ */ record({ required: { format: text, text } }) },
});

/** Reads a diff, also in the form of older drafts. */
function diff(value: unknown): ToolCallContent | undefined {
  return "changes" in (value as Wire) ? changes(value) : textDiff(value);
}

/**
 * Reads the `update` of a `session/update` of the Preview or any draft of version 2. They share a version number, so
 * each update is read by its form, also with older member names. The decoder accepts any value and never throws. A malformed
 * update, or an update of an unknown kind, is kept in an `unknown` event. The decoder is stateless. It is separate from
 * the codec, so that bundles with only the decoder contain no encoder.
 */
// V2-SEED-01, V2-SEED-06
export function decodeV2<U>(
  given: U & (U extends { jsonrpc: string } | { update: unknown } ? never : unknown),
): readonly SessionEvent[] {
  const update: unknown = given;
  try {
    if (isObject(update) && update.sessionUpdate === "state_update" && isUnknownState(update)) {
      // This side sets the time of an event.
      const { sessionUpdate: type, at: _, ...state } = update;
      return [{ ...state, type } as SessionEvent];
    }
    return decodeBy(KINDS, update);
  } catch {
    return unreadable;
  }
}

/** Reader of a command. A command without a type gets the type that older drafts had. */
// V2-CMD-04
export const readCommand: Reader<AvailableCommand> = /* @__PURE__ */ commandBy((value, type) =>
  isObject(value) && value.type === undefined ? { ...value, type } : value,
);

/** Reader of a configuration option, also with the names of older drafts. */
export const configOption = /* @__PURE__ */ optionWith(1);

/** New or changed terminal. */
const terminalUpdate = /* @__PURE__ */ kind({
  required: { terminalId: text },
  nullable: {
    command: text,
    cwd: text,
    output: /* @__PURE__ */ record({ required: { data: text } }),
    // An empty object also means that the process has ended (V2-TERM-07).
    exitStatus: /* @__PURE__ */ record({ optional: { exitCode: /* @__PURE__ */ integer(), signal: text } }),
    size: /* @__PURE__ */ record({
      required: { cols: /* @__PURE__ */ integer(1, 0xffff), rows: /* @__PURE__ */ integer(1, 0xffff) },
    }),
    capabilities: readControls,
    _meta: meta,
  },
});

/** Output of a terminal. */
const terminalChunk = /* @__PURE__ */ kind({ required: { terminalId: text, data: text } });

const MESSAGE = /* @__PURE__ */ kind({
  required: { messageId: text },
  nullable: { content: contentBlocks, _meta: meta },
});
const count = /* @__PURE__ */ integer(0);

const KINDS: UpdateKinds = {
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
  usage_update: /* @__PURE__ */ kind({ required: { used: count, size: count }, nullable: { cost, _meta: meta } }),
  subagent_update: subagentUpdate,
  session_message: sessionMessage,
  session_message_chunk: sessionMessageChunk,
  // P-COMP-01, P-COMP-03
  compaction_update: /* @__PURE__ */ kind({
    required: { compactionId: text },
    nullable: { status: text, summary: contentBlocks, error: text, _meta: meta },
  }),
  replay_complete: /* @__PURE__ */ kind({}),
};
