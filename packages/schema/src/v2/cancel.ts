import { sessionId, terminalId, toolCallId } from "../both/identifiers.js";
import { extend, firstOf, type Infer, integer, object, type Schema, string } from "../vocabulary.js";

// V2-ENV-02
/**
 * Identifier of a request of one side. `1` and `"1"` are different ids. `0` and `""` are valid ids, and null is not.
 */
export type RequestId = string | number;
/** Validates a {@link RequestId}. */
export const requestId: Schema<RequestId> = firstOf(string(), integer());

const inSession_ = object({
  /** Id of the session. */
  sessionId,
});
// V2-CAN-01, V2-CAN-03
/**
 * Params of `session/cancel`. This notification cancels the foreground work, and prompts that were not inserted yet.
 * Listed background work continues. An idle `state_update` confirms the cancel.
 */
export interface CancelSessionNotification extends Infer<typeof inSession_> {}
/** Validates a {@link CancelSessionNotification}. */
export const cancelSessionNotification: Schema<CancelSessionNotification> = inSession_;

const cancelToolCallRequest_ = extend(inSession_, {
  /** Id of the tool call. Its current `capabilities` must contain `cancel`. */
  toolCallId,
});
// V2-TOOL-11
/** Params of `tool_call/cancel`, which cancels only this call. */
export interface CancelToolCallRequest extends Infer<typeof cancelToolCallRequest_> {}
/** Validates a {@link CancelToolCallRequest}. */
export const cancelToolCallRequest: Schema<CancelToolCallRequest> = cancelToolCallRequest_;

const nothing_ = object({});
// V2-TOOL-12
/** Result of `tool_call/cancel`. The agent has accepted the cancel. An update to a final status confirms it. */
export interface CancelToolCallResponse extends Infer<typeof nothing_> {}
/** Validates a {@link CancelToolCallResponse}. */
export const cancelToolCallResponse: Schema<CancelToolCallResponse> = nothing_;

const cancelTerminalRequest_ = extend(inSession_, {
  /** Id of the terminal. Its current `capabilities` must contain `cancel`. */
  terminalId,
});
// V2-TERM-11
/** Params of `terminal/cancel`, which stops the process of this terminal. */
export interface CancelTerminalRequest extends Infer<typeof cancelTerminalRequest_> {}
/** Validates a {@link CancelTerminalRequest}. */
export const cancelTerminalRequest: Schema<CancelTerminalRequest> = cancelTerminalRequest_;

// V2-TERM-12
/**
 * Result of `terminal/cancel`. The agent has accepted the cancel. A `terminal_update` with an exit status confirms it.
 */
export interface CancelTerminalResponse extends Infer<typeof nothing_> {}
/** Validates a {@link CancelTerminalResponse}. */
export const cancelTerminalResponse: Schema<CancelTerminalResponse> = nothing_;

const cancelRequestNotification_ = object({
  /** Request that its sender no longer needs. */
  requestId,
});
// V2-CAN-07, V2-CAN-08
/** Params of `$/cancel_request`. The side that sent the request sends it. The request is still answered. */
export interface CancelRequestNotification extends Infer<typeof cancelRequestNotification_> {}
/** Validates a {@link CancelRequestNotification}. */
export const cancelRequestNotification: Schema<CancelRequestNotification> = cancelRequestNotification_;
