import { sessionId } from "../both/identifiers.js";
import { type Infer, list, object, oneOf, type Schema, string, variants } from "../vocabulary.js";
import { toolCallUpdate } from "./tool-call.js";

/** Identifier of an option that the user can choose. */
export type PermissionOptionId = string;
/** Validates a {@link PermissionOptionId}. */
export const permissionOptionId: Schema<PermissionOptionId> = string();

// V1-PERM-10, V1-LEN-06
/**
 * Appearance of an option. Only the agent defines the effect of the option. An unknown kind makes the request invalid.
 */
export type PermissionOptionKind = "allow_once" | "allow_always" | "reject_once" | "reject_always";
/** Validates a {@link PermissionOptionKind}. */
export const permissionOptionKind: Schema<PermissionOptionKind> = oneOf(
  "allow_once",
  "allow_always",
  "reject_once",
  "reject_always",
);

const permissionOption_ = object({
  /** Id of the option for the answer. */
  optionId: permissionOptionId,
  /** Text for the user. */
  name: string(),
  /** Appearance of the option. */
  kind: permissionOptionKind,
});
/** Option that the user can choose. */
export interface PermissionOption extends Infer<typeof permissionOption_> {}
/** Validates a {@link PermissionOption}. */
export const permissionOption: Schema<PermissionOption> = permissionOption_;

const requestPermissionRequest_ = object({
  /** Id of the session. */
  sessionId,
  /** Tool call that needs permission. This may be the first message about the call, or an update. */
  toolCall: toolCallUpdate,
  /** Options that the user can choose. */
  options: list(permissionOption),
});
// V1-PERM-01
/** Params of `session/request_permission`. The agent asks before it runs a tool. */
export interface RequestPermissionRequest extends Infer<typeof requestPermissionRequest_> {}
/** Validates a {@link RequestPermissionRequest}. */
export const requestPermissionRequest: Schema<RequestPermissionRequest> = requestPermissionRequest_;

const selectedPermissionOutcome_ = object({
  /** Id of one of the offered options. */
  optionId: permissionOptionId,
});
/** Outcome of a question for which the user chose an option. */
export interface SelectedPermissionOutcome extends Infer<typeof selectedPermissionOutcome_> {}
/** Validates a {@link SelectedPermissionOutcome}. */
export const selectedPermissionOutcome: Schema<SelectedPermissionOutcome> = selectedPermissionOutcome_;

const requestPermissionOutcome_ = variants(
  "outcome",
  { cancelled: object({}), selected: selectedPermissionOutcome },
  { unknown: "reject" },
);
/**
 * Answer to the question. It is an option, or `cancelled` if the turn was cancelled or the user dismissed the question.
 */
export type RequestPermissionOutcome = Infer<typeof requestPermissionOutcome_> | never;
/** Validates a {@link RequestPermissionOutcome}. */
export const requestPermissionOutcome: Schema<RequestPermissionOutcome> = requestPermissionOutcome_;

const requestPermissionResponse_ = object({
  /** Answer to the question. It is nested, as in `{ outcome: { outcome: "cancelled" } }`. */
  outcome: requestPermissionOutcome,
});
// V1-PERM-02
/** Result of `session/request_permission`. */
export interface RequestPermissionResponse extends Infer<typeof requestPermissionResponse_> {}
/** Validates a {@link RequestPermissionResponse}. */
export const requestPermissionResponse: Schema<RequestPermissionResponse> = requestPermissionResponse_;
