import { toolCallId } from "../both/identifiers.js";
import { sessionReference } from "../both/subagent.js";
import {
  type Infer,
  integer,
  lenient,
  nullable,
  object,
  openEnum,
  openVariants,
  optional,
  requiredOr,
  type Schema,
  sifted,
  string,
  unknown,
} from "../vocabulary.js";
import { absolutePath } from "./absolute-path.js";
import { contentBlock } from "./content.js";
import { diff } from "./diff.js";
import { terminal } from "./terminal.js";

const toolKind_ = openEnum(
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
// V2-TOOL-03
/** Kind of a tool, as a hint for icons and layout. An unknown kind is shown like `other`. */
export type ToolKind = Infer<typeof toolKind_> | never;
/** Validates a {@link ToolKind}. Unknown values are accepted. */
export const toolKind: Schema<ToolKind> = toolKind_;

const toolCallStatus_ = openEnum("pending", "in_progress", "paused", "completed", "failed", "cancelled");
// V2-TOOL-04
/** Status of a tool call. The last three are final. An unknown status counts as `in_progress`. */
export type ToolCallStatus = Infer<typeof toolCallStatus_> | never;
/** Validates a {@link ToolCallStatus}. Unknown values are accepted. */
export const toolCallStatus: Schema<ToolCallStatus> = toolCallStatus_;

const content_ = object({
  /** Content block that the tool produced. */
  content: contentBlock,
});
/** Content block in a tool call. */
export interface Content extends Infer<typeof content_> {}
/** Validates {@link Content}. */
export const content: Schema<Content> = content_;

const toolCallContent_ = openVariants("type", { content, diff, terminal, session: sessionReference });
// V2-TOOL-07
/** Content of a tool call. Content of another type is not changed. */
export type ToolCallContent = Infer<typeof toolCallContent_> | never;
/** Validates {@link ToolCallContent}. */
export const toolCallContent: Schema<ToolCallContent> = toolCallContent_;

const toolCallLocation_ = object({
  /** Path of the file. */
  path: absolutePath,
  /** Line number. The first line is 1. */
  line: lenient(nullable(integer(1, 0xffff_ffff))),
});
// V2-TOOL-08
/** Location on which the tool works. An editor can follow these locations. */
export interface ToolCallLocation extends Infer<typeof toolCallLocation_> {}
/** Validates a {@link ToolCallLocation}. */
export const toolCallLocation: Schema<ToolCallLocation> = toolCallLocation_;

const toolCallCancelCapabilities_ = object({});
/** Marker that `tool_call/cancel` can stop the call now. The marker counts if it is present and not null. */
export interface ToolCallCancelCapabilities extends Infer<typeof toolCallCancelCapabilities_> {}
/** Validates {@link ToolCallCancelCapabilities}. */
export const toolCallCancelCapabilities: Schema<ToolCallCancelCapabilities> = toolCallCancelCapabilities_;

const toolCallCapabilities_ = object({
  /** Support for the method `tool_call/cancel`. */
  cancel: lenient(nullable(toolCallCancelCapabilities)),
});
// V2-TOOL-10
/** Requests that the client can send for a tool call now. */
export interface ToolCallCapabilities extends Infer<typeof toolCallCapabilities_> {}
/** Validates {@link ToolCallCapabilities}. */
export const toolCallCapabilities: Schema<ToolCallCapabilities> = toolCallCapabilities_;

const toolCallUpdate_ = object({
  /** Id of the call. An update with a new id creates a call. */
  toolCallId,
  /** Name of the tool for programs. */
  name: lenient(nullable(string())),
  /** Title of this call for people. */
  title: lenient(nullable(string())),
  /** Kind of the tool. `null` means `other`. */
  kind: lenient(nullable(toolKind)),
  /** Current status. `null` means `pending`. */
  status: lenient(nullable(toolCallStatus)),
  /** Complete new content. It replaces the previous content and chunks. Malformed items are dropped. */
  content: lenient(nullable(sifted(toolCallContent))),
  /** Complete new list of locations. It replaces the previous list. Malformed locations are dropped. */
  locations: lenient(nullable(sifted(toolCallLocation))),
  /** Original input of the tool. `null` clears it. */
  rawInput: optional(unknown()),
  /** Original output of the tool. `null` clears it. */
  rawOutput: optional(unknown()),
  /** Requests that the client can send from now on. A malformed value counts as null, so that the client sends none. */
  capabilities: optional(requiredOr(nullable(toolCallCapabilities), null)),
});
// V2-TOOL-01, V2-TOOL-02, V2-UPD-04, V2-DEC-11
/**
 * New or changed tool call. `null` clears a member, and an absent or malformed member is not changed. `_meta` is merged
 * by key.
 */
export interface ToolCallUpdate extends Infer<typeof toolCallUpdate_> {}
/** Validates a {@link ToolCallUpdate}. */
export const toolCallUpdate: Schema<ToolCallUpdate> = toolCallUpdate_;

const toolCallContentChunk_ = object({
  /** Id of the call. A chunk with a new id creates a call. */
  toolCallId,
  /** Item that is added to the content. */
  content: toolCallContent,
});
// V2-TOOL-06
/** Addition to the content of a tool call. */
export interface ToolCallContentChunk extends Infer<typeof toolCallContentChunk_> {}
/** Validates a {@link ToolCallContentChunk}. */
export const toolCallContentChunk: Schema<ToolCallContentChunk> = toolCallContentChunk_;
