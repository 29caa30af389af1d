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
 * Kind of a tool, as a hint for icons and layout. An absent kind means `other`. Treat a kind that this version does not
 * define as `other` too.
 */
export type ToolKind = Infer<typeof toolKind_> | never;
/** Validates a {@link ToolKind}. An unknown kind is not changed. */
export const toolKind: Schema<ToolKind> = toolKind_;

const toolCallStatus_ = keptEnum("pending", "in_progress", "completed", "failed");
// V1-TOOL-03
/**
 * Status of a tool call. A new call without a status is `pending`. A status that this version does not define means
 * `pending` for a new call. In an update it means no change.
 */
export type ToolCallStatus = Infer<typeof toolCallStatus_> | never;
/** Validates a {@link ToolCallStatus}. An unknown status is not changed. */
export const toolCallStatus: Schema<ToolCallStatus> = toolCallStatus_;

const content_ = object({
  /** Content block that the tool produced. */
  content: contentBlock,
});
/** Content block in a tool call. */
export interface Content extends Infer<typeof content_> {}
/** Validates {@link Content}. */
export const content: Schema<Content> = content_;

const diff_ = object({
  /** Absolute path of the file. */
  path: string(),
  /** Whole text before the change. It is absent or null for a new file. */
  oldText: lenient(nullable(string())),
  /** Whole text after the change. */
  newText: string(),
});
// V1-TOOL-07
/** Change of one file. This version cannot express a deletion. */
export interface Diff extends Infer<typeof diff_> {}
/** Validates a {@link Diff}. */
export const diff: Schema<Diff> = diff_;

const terminal_ = object({
  /** Id of a terminal of the agent that was not released when this message was sent. */
  terminalId,
});
// V1-TOOL-09
/** Terminal in a tool call. Its output is shown even after its release. */
export interface Terminal extends Infer<typeof terminal_> {}
/** Validates a {@link Terminal}. */
export const terminal: Schema<Terminal> = terminal_;

const toolCallContent_ = variants("type", { content, diff, terminal, session: sessionReference }, { unknown: "keep" });
// V1-TOOL-06
/** Content of a tool call. Other types can be received, but not written. */
export type ToolCallContent = Infer<typeof toolCallContent_> | never;
/** Validates {@link ToolCallContent}. A value of an unknown type is not changed. */
export const toolCallContent: Schema<ToolCallContent> = toolCallContent_;

const toolCallLocation_ = object({
  /** Absolute path of the file. */
  path: string(),
  /** Line number. The first line is 1. */
  line: lenient(nullable(integer(0, 0xffff_ffff))),
});
// V1-TOOL-10
/** Location on which the tool works. An editor can follow these locations. */
export interface ToolCallLocation extends Infer<typeof toolCallLocation_> {}
/** Validates a {@link ToolCallLocation}. */
export const toolCallLocation: Schema<ToolCallLocation> = toolCallLocation_;

const toolCall_ = object({
  /** Id of the call. */
  toolCallId,
  /** Description for people. */
  title: string(),
  /** Name of the tool for the model. */
  name: lenient(nullable(string())),
  /** Kind of the tool. If absent, it is `other`. */
  kind: lenient(toolKind),
  /** Current status. If absent, it is `pending`. */
  status: lenient(toolCallStatus),
  /** Content that was produced until now. If absent, there is none. */
  content: lenientList(toolCallContent),
  /** Locations on which the tool works. If absent, there are none. */
  locations: lenientList(toolCallLocation),
  /** Original input of the tool. */
  rawInput: optional(unknown()),
  /** Original output of the tool. */
  rawOutput: optional(unknown()),
});
// V1-UPD-10
/** First message of a tool call. */
export interface ToolCall extends Infer<typeof toolCall_> {}
/** Validates a {@link ToolCall}. */
export const toolCall: Schema<ToolCall> = toolCall_;

const toolCallUpdate_ = object({
  /** Id of the changed call. */
  toolCallId,
  /** New title. */
  title: lenient(nullable(string())),
  /** Corrected name of the tool. */
  name: lenient(nullable(string())),
  /** New kind. */
  kind: lenient(nullable(toolKind)),
  /** New status. */
  status: lenient(nullable(toolCallStatus)),
  /** Complete new content. It replaces the previous content. */
  content: lenient(nullable(sifted(toolCallContent))),
  /** Complete new list of locations. It replaces the previous list. */
  locations: lenient(nullable(sifted(toolCallLocation))),
  /** New input. */
  rawInput: optional(unknown()),
  /** New output. */
  rawOutput: optional(unknown()),
});
// V1-UPD-13, V1-UPD-14
/** Change of a tool call. Absent, null and malformed members are not changed. */
export interface ToolCallUpdate extends Infer<typeof toolCallUpdate_> {}
/** Validates a {@link ToolCallUpdate}. */
export const toolCallUpdate: Schema<ToolCallUpdate> = toolCallUpdate_;
