import { terminalId, toolCallId } from "../both/identifiers.js";
import { sessionReference } from "../both/subagent.js";
import {
  type Infer,
  integer,
  keptEnum,
  lenient,
  lenientList,
  nullable,
  object,
  optional,
  type Schema,
  sifted,
  string,
  unknown,
  variants,
} from "../vocabulary.js";
import { contentBlock } from "./content.js";

const toolKind_ = keptEnum(
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
);
// V1-TOOL-02
/**
 * Kind of a tool, a hint for icons and layout. Absent means `other`; treat a received kind that this version does not
 * define as `other` too.
 */
export type ToolKind = Infer<typeof toolKind_> | never;
/** Validates a {@link ToolKind}; an unknown one is kept as received. */
export const toolKind: Schema<ToolKind> = toolKind_;

const toolCallStatus_ = keptEnum("pending", "in_progress", "completed", "failed");
// V1-TOOL-03
/**
 * Status of a tool call. A new call without a status is `pending`. A received status that this version does not define
 * means `pending` on a new call and "unchanged" on an update.
 */
export type ToolCallStatus = Infer<typeof toolCallStatus_> | never;
/** Validates a {@link ToolCallStatus}; an unknown one is kept as received. */
export const toolCallStatus: Schema<ToolCallStatus> = toolCallStatus_;

const content_ = object({
  /** The block that the tool produced. */
  content: contentBlock,
});
/** A content block as part of a tool call. */
export interface Content extends Infer<typeof content_> {}
/** Validates {@link Content}. */
export const content: Schema<Content> = content_;

const diff_ = object({
  /** The file, as an absolute path. */
  path: string(),
  /** The whole text before the change; absent or null for a new file. */
  oldText: lenient(nullable(string())),
  /** The whole text after the change. */
  newText: string(),
});
// V1-TOOL-07
/** Change of one file. This version cannot express a deletion. */
export interface Diff extends Infer<typeof diff_> {}
/** Validates a {@link Diff}. */
export const diff: Schema<Diff> = diff_;

const terminal_ = object({
  /** A terminal of the agent. It was not yet released when this message was sent. */
  terminalId,
});
// V1-TOOL-09
/** A terminal whose output is shown as part of a tool call, also after its release. */
export interface Terminal extends Infer<typeof terminal_> {}
/** Validates a {@link Terminal}. */
export const terminal: Schema<Terminal> = terminal_;

const toolCallContent_ = variants("type", { content, diff, terminal, session: sessionReference }, { unknown: "keep" });
// V1-TOOL-06
/** Content shown by a tool call. Other types than these can be received, not written. */
export type ToolCallContent = Infer<typeof toolCallContent_> | never;
/** Validates {@link ToolCallContent}; an unknown type is kept as received. */
export const toolCallContent: Schema<ToolCallContent> = toolCallContent_;

const toolCallLocation_ = object({
  /** The file, as an absolute path. */
  path: string(),
  /** The line, counted from 1. */
  line: lenient(nullable(integer(0, 0xffff_ffff))),
});
// V1-TOOL-10
/** A place that the tool works on, so that an editor can follow it. */
export interface ToolCallLocation extends Infer<typeof toolCallLocation_> {}
/** Validates a {@link ToolCallLocation}. */
export const toolCallLocation: Schema<ToolCallLocation> = toolCallLocation_;

const toolCall_ = object({
  /** Id of the call. */
  toolCallId,
  /** Description for people. */
  title: string(),
  /** The tool's name for the model. */
  name: lenient(nullable(string())),
  /** Kind of the tool; absent means `other`. */
  kind: lenient(toolKind),
  /** Current status; absent means `pending`. */
  status: lenient(toolCallStatus),
  /** Content produced so far; absent means none. */
  content: lenientList(toolCallContent),
  /** Places that the tool works on; absent means none. */
  locations: lenientList(toolCallLocation),
  /** The original input of the tool. */
  rawInput: optional(unknown()),
  /** The original output of the tool. */
  rawOutput: optional(unknown()),
});
// V1-UPD-10
/** First message of a tool call. */
export interface ToolCall extends Infer<typeof toolCall_> {}
/** Validates a {@link ToolCall}. */
export const toolCall: Schema<ToolCall> = toolCall_;

const toolCallUpdate_ = object({
  /** The call that changes. */
  toolCallId,
  /** The new title. */
  title: lenient(nullable(string())),
  /** The tool's corrected name. */
  name: lenient(nullable(string())),
  /** The new kind. */
  kind: lenient(nullable(toolKind)),
  /** The new status. */
  status: lenient(nullable(toolCallStatus)),
  /** Complete new content; it replaces the content before. */
  content: lenient(nullable(sifted(toolCallContent))),
  /** Complete new list of places; it replaces the one before. */
  locations: lenient(nullable(sifted(toolCallLocation))),
  /** The new input. */
  rawInput: optional(unknown()),
  /** The new output. */
  rawOutput: optional(unknown()),
});
// V1-UPD-13, V1-UPD-14
/** Change of a tool call. Absent, null and malformed members stay as they were. */
export interface ToolCallUpdate extends Infer<typeof toolCallUpdate_> {}
/** Validates a {@link ToolCallUpdate}. */
export const toolCallUpdate: Schema<ToolCallUpdate> = toolCallUpdate_;
