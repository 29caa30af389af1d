import { sessionId, terminalId, toolCallId } from "../both/identifiers.js";
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
import { toolCallUpdate } from "./tool-call.js";

/** Identifier of an option that the user can choose. */
export type PermissionOptionId = string;
/** Validates a {@link PermissionOptionId}. */
export const permissionOptionId: Schema<PermissionOptionId> = string();

const permissionOptionKind_ = openEnum("allow_once", "allow_always", "reject_once", "reject_always");
/**
 * Appearance of an option. Only the agent defines the effect of the option. An unknown kind has no special appearance.
 */
export type PermissionOptionKind = Infer<typeof permissionOptionKind_> | never;
/** Validates a {@link PermissionOptionKind}. Unknown values are accepted. */
export const permissionOptionKind: Schema<PermissionOptionKind> = permissionOptionKind_;

const permissionOption_ = object({
  /** Id of the option for the answer, unique in its request. */
  optionId: permissionOptionId,
  /** Text for the user. */
  name: string(),
  /** Appearance of the option. */
  kind: permissionOptionKind,
});
// V2-PERM-07
/** Option that the user can choose. */
export interface PermissionOption extends Infer<typeof permissionOption_> {}
/** Validates a {@link PermissionOption}. */
export const permissionOption: Schema<PermissionOption> = permissionOption_;

const toolCallPermissionSubject_ = object({
  /**
   * Tool call that needs permission. It counts as an update of the call, and may be the first message about the call.
   */
  toolCall: toolCallUpdate,
});
// V2-PERM-04
/** Subject of a question about a tool call. */
export interface ToolCallPermissionSubject extends Infer<typeof toolCallPermissionSubject_> {}
/** Validates a {@link ToolCallPermissionSubject}. */
export const toolCallPermissionSubject: Schema<ToolCallPermissionSubject> = toolCallPermissionSubject_;

const commandPermissionSubject_ = object({
  /** Command that the agent will run. */
  command: string(),
  /** Working directory of the command. */
  cwd: absolutePath,
  /** Id of the command's tool call. */
  toolCallId: lenient(nullable(toolCallId)),
  /** Id of the terminal for the command. */
  terminalId: lenient(nullable(terminalId)),
});
// V2-PERM-05
/** Subject of a question about a command. */
export interface CommandPermissionSubject extends Infer<typeof commandPermissionSubject_> {}
/** Validates a {@link CommandPermissionSubject}. */
export const commandPermissionSubject: Schema<CommandPermissionSubject> = commandPermissionSubject_;

const requestPermissionSubject_ = openVariants("type", {
  tool_call: toolCallPermissionSubject,
  command: commandPermissionSubject,
});
// V2-PERM-03, V2-PERM-06
/** Subject of a question. If the type of the subject is unknown, only the question's own text is shown. */
export type RequestPermissionSubject = Infer<typeof requestPermissionSubject_> | never;
/** Validates a {@link RequestPermissionSubject}. */
export const requestPermissionSubject: Schema<RequestPermissionSubject> = requestPermissionSubject_;

const requestPermissionRequest_ = object({
  /** Id of the session. */
  sessionId,
  /** Question for people. It does not change the display of a tool call. */
  title: string(),
  /** Details for people. */
  description: lenient(nullable(string())),
  /** Subject of the question. If absent or null, there is no subject. A malformed value makes the request invalid. */
  subject: optional(nullable(requestPermissionSubject)),
  /** Options that the user can choose, at least one. */
  options: list(permissionOption, 1),
});
// V2-PERM-01, V2-PERM-02
/** Params of `session/request_permission`. The agent asks before an action. */
export interface RequestPermissionRequest extends Infer<typeof requestPermissionRequest_> {}
/** Validates a {@link RequestPermissionRequest}. */
export const requestPermissionRequest: Schema<RequestPermissionRequest> = requestPermissionRequest_;

const selectedPermissionOutcome_ = object({
  /** Id of one of the offered options. Any other id approves nothing. */
  optionId: permissionOptionId,
});
/** Outcome of a question for which the user chose an option. */
export interface SelectedPermissionOutcome extends Infer<typeof selectedPermissionOutcome_> {}
/** Validates a {@link SelectedPermissionOutcome}. */
export const selectedPermissionOutcome: Schema<SelectedPermissionOutcome> = selectedPermissionOutcome_;

const cancelledPermissionOutcome_ = object({});
/** Outcome without approval. The work was cancelled, the question was dismissed, or a policy refused. */
export interface CancelledPermissionOutcome extends Infer<typeof cancelledPermissionOutcome_> {}
/** Validates a {@link CancelledPermissionOutcome}. */
export const cancelledPermissionOutcome: Schema<CancelledPermissionOutcome> = cancelledPermissionOutcome_;

const requestPermissionOutcome_ = openVariants("outcome", {
  selected: selectedPermissionOutcome,
  cancelled: cancelledPermissionOutcome,
});
// V2-PERM-09, V2-PERM-10
/** Answer to the question. Only a selected option that was offered can be an approval. */
export type RequestPermissionOutcome = Infer<typeof requestPermissionOutcome_> | never;
/** Validates a {@link RequestPermissionOutcome}. */
export const requestPermissionOutcome: Schema<RequestPermissionOutcome> = requestPermissionOutcome_;

const requestPermissionResponse_ = object({
  /** Answer to the question. It is nested, as in `{ outcome: { outcome: "cancelled" } }`. */
  outcome: requestPermissionOutcome,
});
// V2-PERM-08
/** Result of `session/request_permission`. */
export interface RequestPermissionResponse extends Infer<typeof requestPermissionResponse_> {}
/** Validates a {@link RequestPermissionResponse}. */
export const requestPermissionResponse: Schema<RequestPermissionResponse> = requestPermissionResponse_;
