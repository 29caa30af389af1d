import { sessionId } from "../both/session-id.js";
import { type Infer, list, object, oneOf, type Schema, string, variants } from "../vocabulary.js";
import { toolCallUpdate } from "./tool-call.js";

/** Names an answer that the user can pick. */
export type PermissionOptionId = string;
/** Validates a {@link PermissionOptionId}. */
export const permissionOptionId: Schema<PermissionOptionId> = string();

/**
 * How an option should look: a hint, since what it means is the agent's business. An unknown kind makes the whole request
 * invalid.
 * @see V1-PERM-10
 * @see V1-LEN-06
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
  /** What the answer names. */
  optionId: permissionOptionId,
  /** What the user reads. */
  name: string(),
  /** How it should look. */
  kind: permissionOptionKind,
});
/** An answer that the user can pick. */
export interface PermissionOption extends Infer<typeof permissionOption_> {}
/** Validates a {@link PermissionOption}. */
export const permissionOption: Schema<PermissionOption> = permissionOption_;

const requestPermissionRequest_ = object({
  /** The session. */
  sessionId,
  /** The call that needs leave. It may be the first thing heard of this call, or bring news of a known one. */
  toolCall: toolCallUpdate,
  /** The answers to choose from. */
  options: list(permissionOption),
});
/**
 * Params of `session/request_permission`: the agent asks before it runs a tool.
 * @see V1-PERM-01
 */
export interface RequestPermissionRequest extends Infer<typeof requestPermissionRequest_> {}
/** Validates a {@link RequestPermissionRequest}. */
export const requestPermissionRequest: Schema<RequestPermissionRequest> = requestPermissionRequest_;

const selectedPermissionOutcome_ = object({
  /** One of the ids that were offered. */
  optionId: permissionOptionId,
});
/** The user picked an option. */
export interface SelectedPermissionOutcome extends Infer<typeof selectedPermissionOutcome_> {}
/** Validates a {@link SelectedPermissionOutcome}. */
export const selectedPermissionOutcome: Schema<SelectedPermissionOutcome> = selectedPermissionOutcome_;

const requestPermissionOutcome_ = variants(
  "outcome",
  { cancelled: object({}), selected: selectedPermissionOutcome },
  { unknown: "reject" },
);
/** What came of the question: an option, or `cancelled` when the turn was cancelled or the user dismissed it. */
export type RequestPermissionOutcome = Infer<typeof requestPermissionOutcome_> | never;
/** Validates a {@link RequestPermissionOutcome}. */
export const requestPermissionOutcome: Schema<RequestPermissionOutcome> = requestPermissionOutcome_;

const requestPermissionResponse_ = object({
  /** What came of the question. Note that it nests: `{ outcome: { outcome: "cancelled" } }`. */
  outcome: requestPermissionOutcome,
});
/**
 * Result of `session/request_permission`.
 * @see V1-PERM-02
 */
export interface RequestPermissionResponse extends Infer<typeof requestPermissionResponse_> {}
/** Validates a {@link RequestPermissionResponse}. */
export const requestPermissionResponse: Schema<RequestPermissionResponse> = requestPermissionResponse_;
