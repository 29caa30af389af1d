import { sessionId } from "../both/session-id.js";
import {
  type Infer,
  lenient,
  list,
  nullable,
  object,
  openEnum,
  openVariants,
  optional,
  type Schema,
  string,
} from "../vocabulary.js";
import { absolutePath } from "./absolute-path.js";
import { terminalId } from "./terminal.js";
import { toolCallId, toolCallUpdate } from "./tool-call.js";

/** Names an answer that the user can pick. */
export type PermissionOptionId = string;
/** Validates a {@link PermissionOptionId}. */
export const permissionOptionId: Schema<PermissionOptionId> = string();

const permissionOptionKind_ = openEnum("allow_once", "allow_always", "reject_once", "reject_always");
/**
 * How an option should look: a hint, since what it means is the agent's business. An unknown one looks like none of
 * these.
 */
export type PermissionOptionKind = Infer<typeof permissionOptionKind_> | never;
/** Validates a {@link PermissionOptionKind}; unknown ones are kept. */
export const permissionOptionKind: Schema<PermissionOptionKind> = permissionOptionKind_;

const permissionOption_ = object({
  /** What the answer names; unique in its request. */
  optionId: permissionOptionId,
  /** What the user reads. */
  name: string(),
  /** How it should look. */
  kind: permissionOptionKind,
});
/**
 * An answer that the user can pick.
 * @see V2-PERM-07
 */
export interface PermissionOption extends Infer<typeof permissionOption_> {}
/** Validates a {@link PermissionOption}. */
export const permissionOption: Schema<PermissionOption> = permissionOption_;

const toolCallPermissionSubject_ = object({
  /** The call that needs leave. It counts like an update of it, and may be the first thing heard of it. */
  toolCall: toolCallUpdate,
});
/**
 * The question is about a tool call.
 * @see V2-PERM-04
 */
export interface ToolCallPermissionSubject extends Infer<typeof toolCallPermissionSubject_> {}
/** Validates a {@link ToolCallPermissionSubject}. */
export const toolCallPermissionSubject: Schema<ToolCallPermissionSubject> = toolCallPermissionSubject_;

const commandPermissionSubject_ = object({
  /** What the agent would run. */
  command: string(),
  /** Where it would run. */
  cwd: absolutePath,
  /** The tool call that it is for. */
  toolCallId: lenient(nullable(toolCallId)),
  /** The terminal that it would run in. */
  terminalId: lenient(nullable(terminalId)),
});
/**
 * The question is about a command.
 * @see V2-PERM-05
 */
export interface CommandPermissionSubject extends Infer<typeof commandPermissionSubject_> {}
/** Validates a {@link CommandPermissionSubject}. */
export const commandPermissionSubject: Schema<CommandPermissionSubject> = commandPermissionSubject_;

const requestPermissionSubject_ = openVariants("type", {
  tool_call: toolCallPermissionSubject,
  command: commandPermissionSubject,
});
/**
 * What a question is about. Of a subject of another type only the question's own words are shown.
 * @see V2-PERM-03
 * @see V2-PERM-06
 */
export type RequestPermissionSubject = Infer<typeof requestPermissionSubject_> | never;
/** Validates a {@link RequestPermissionSubject}. */
export const requestPermissionSubject: Schema<RequestPermissionSubject> = requestPermissionSubject_;

const requestPermissionRequest_ = object({
  /** The session. */
  sessionId,
  /** What is asked, for people. It changes nothing that is shown of a tool call. */
  title: string(),
  /** More about it, for people. */
  description: lenient(nullable(string())),
  /** What the question is about; absent or null means nothing in particular, malformed makes the request invalid. */
  subject: optional(nullable(requestPermissionSubject)),
  /** The answers to choose from, at least one. */
  options: list(permissionOption, 1),
});
/**
 * Params of `session/request_permission`: the agent asks before it does something.
 * @see V2-PERM-01
 * @see V2-PERM-02
 */
export interface RequestPermissionRequest extends Infer<typeof requestPermissionRequest_> {}
/** Validates a {@link RequestPermissionRequest}. */
export const requestPermissionRequest: Schema<RequestPermissionRequest> = requestPermissionRequest_;

const selectedPermissionOutcome_ = object({
  /** One of the ids that were offered; another one approves nothing. */
  optionId: permissionOptionId,
});
/** The user picked an option. */
export interface SelectedPermissionOutcome extends Infer<typeof selectedPermissionOutcome_> {}
/** Validates a {@link SelectedPermissionOutcome}. */
export const selectedPermissionOutcome: Schema<SelectedPermissionOutcome> = selectedPermissionOutcome_;

const cancelledPermissionOutcome_ = object({});
/** The work was cancelled, the question dismissed, or a policy declined. */
export interface CancelledPermissionOutcome extends Infer<typeof cancelledPermissionOutcome_> {}
/** Validates a {@link CancelledPermissionOutcome}. */
export const cancelledPermissionOutcome: Schema<CancelledPermissionOutcome> = cancelledPermissionOutcome_;

const requestPermissionOutcome_ = openVariants("outcome", {
  selected: selectedPermissionOutcome,
  cancelled: cancelledPermissionOutcome,
});
/**
 * What came of the question. Any other outcome than a selected option that was offered is no approval.
 * @see V2-PERM-09
 * @see V2-PERM-10
 */
export type RequestPermissionOutcome = Infer<typeof requestPermissionOutcome_> | never;
/** Validates a {@link RequestPermissionOutcome}. */
export const requestPermissionOutcome: Schema<RequestPermissionOutcome> = requestPermissionOutcome_;

const requestPermissionResponse_ = object({
  /** What came of the question. Note that it nests: `{ outcome: { outcome: "cancelled" } }`. */
  outcome: requestPermissionOutcome,
});
/**
 * Result of `session/request_permission`.
 * @see V2-PERM-08
 */
export interface RequestPermissionResponse extends Infer<typeof requestPermissionResponse_> {}
/** Validates a {@link RequestPermissionResponse}. */
export const requestPermissionResponse: Schema<RequestPermissionResponse> = requestPermissionResponse_;
